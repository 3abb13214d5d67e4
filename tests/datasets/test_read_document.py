"""A Markdown document is read with its front matter, and each mistake has its place."""

from pathlib import Path

import pytest

from primum.datasets.markdown import read_document
from primum.errors import DatasetError
from primum.records import PublicationState

RIGHT = """\
---
id: mono-a
version: "1"
title: Medicine A
type: monograph
state: published
---

## Dose

5 mg — once.

"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the document is."""
    return tmp_path / "mono-a.md"


def mistake(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DatasetError) as caught:
        read_document(path)
    return str(caught.value).replace(str(path), "")


def test_a_document_is_its_front_matter_and_the_text_below(path: Path) -> None:
    """Defaults are filled in, and blank lines around the text are no part of it."""
    path.write_text(RIGHT, encoding="utf-8")
    document = read_document(path)
    assert document.text == "## Dose\n\n5 mg — once."
    assert (document.id, document.version, document.title) == ("mono-a", "1", "Medicine A")
    assert (document.state, document.tenant, document.patient_id) == (PublicationState.PUBLISHED, "shared", None)


def test_line_ends_make_no_difference(path: Path) -> None:
    """A checkout with CRLF gives the same document."""
    path.write_bytes(RIGHT.encode())
    unix = read_document(path)
    path.write_bytes(RIGHT.replace("\n", "\r\n").encode())
    assert read_document(path) == unix


def test_payload_takes_any_json(path: Path) -> None:
    """Further fields of the source are kept under payload."""
    path.write_text(RIGHT.replace("state:", "payload: {room: '4', beds: [1, 2.5, null, true]}\nstate:"))
    assert read_document(path).payload == {"room": "4", "beds": [1, 2.5, None, True]}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("---\nid", "id", ":1: the front matter is missing; start the file with ---, the fields as YAML, and ---"),
        ("published\n---", "published", ":1: the front matter has no end"),
        ('version: "1"', "version: 1", ":3:1: version is not text; put the value in quotes"),
        ('version: "1"', "version: 2024-01-31", ":3:10: a tag or a date is not expected here; put it in quotes"),
        ("title: Medicine A", "title: {", ":6:6: not valid YAML: expected ',' or '}', but got ':'"),
        ("title: Medicine A\n", "", ":2:1: the field title is missing; add it"),
        ("state:", "stat: x\nstate:", ":6:1: the field stat is not known; did you mean 'state'?"),
        ("type:", "text: x\ntype:", ":5:1: the field text is not known; write the text after the front matter"),
        ("state: published", "state: publish", ":6:1: state has a value that is not allowed; did you mean 'published'"),
        ("type: monograph", "title: Twice", ":5:1: found duplicate key 'title', first on line 3"),
        (
            "type: monograph",
            "type: monograph\npayload: {x: .nan}",
            ":6:14: this is not a finite number; write one, or leave it out",
        ),
        ("type: monograph", "type: monograph\npayload: {x: !!python/name:os.system y}", ":"),
        ("type: monograph", "type: monograph\npayload: [1]", ":6:1: payload is not an object; put it in { }"),
        ("## Dose\n\n5 mg — once.", "", ":7: the document has no text; write the text after the front matter"),
        ("---\nid: mono-a", "\ufeff---\nid: mono-a", ":1:1: the file starts with a byte order mark"),
    ],
)
def test_each_mistake_has_its_place(path: Path, old: str, new: str, expected: str) -> None:
    """Line and column are those of the file, not of the front matter."""
    assert mistake(path, RIGHT.replace(old, new, 1)).startswith(expected)


def test_front_matter_without_fields_is_a_mistake(path: Path) -> None:
    """A list or nothing is no front matter."""
    assert mistake(path, "---\n---\nText.").startswith(":2: the front matter has no fields")
    assert mistake(path, "---\n- a\n---\nText.").startswith(":2: the front matter has no fields")


def test_a_byte_that_is_not_utf8_has_its_place(path: Path) -> None:
    """Line, column and offset of the byte are told."""
    path.write_bytes(RIGHT.encode().replace("—".encode(), b"\x97"))
    with pytest.raises(DatasetError, match=r"mono-a\.md:11:6: byte 0x97 at offset \d+ is not UTF-8"):
        read_document(path)
