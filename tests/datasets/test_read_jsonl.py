"""Each mistake in a JSON Lines file is told with its place and what to do."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primum.datasets.jsonl import read_jsonl
from primum.datasets.patient import Patient
from primum.datasets.strict_json import json_mistakes
from primum.errors import DatasetError
from primum.records import Case, Scope

RIGHT = b'{"tenant": "north"}'
LONG = r'{"tenant": "n\u00f6rth", "list": [true, null, -1.5e3, {"a": "b\\"}], "last": false}'


@pytest.fixture
def lines(tmp_path: Path) -> Callable[..., Path]:
    """Writes raw lines into a file."""

    def write(*raw: bytes, end: bytes = b"\n") -> Path:
        path = tmp_path / "rows.jsonl"
        path.write_bytes(end.join(raw) + end)
        return path

    return write


def mistakes(path: Path) -> list[str]:
    with pytest.raises(DatasetError) as caught:
        read_jsonl(path, Scope)
    return [line.removeprefix(str(path)) for line in str(caught.value).splitlines()]


def test_records_come_with_their_line_numbers(lines: Callable[..., Path]) -> None:
    """Numbers count from 1 and the place is clickable."""
    path = lines(RIGHT, b'{"tenant": "south", "patient_id": null}')
    first, second = read_jsonl(path, Scope)
    assert (first.number, first.record, first.place) == (1, Scope(tenant="north"), f"{path}:1")
    assert (second.number, second.record) == (2, Scope(tenant="south"))


def test_crlf_and_a_missing_last_line_end_are_accepted(lines: Callable[..., Path], tmp_path: Path) -> None:
    """Version control on Windows and many editors write these; the records are the same."""
    path = lines(RIGHT, RIGHT, end=b"\r\n")
    unended = tmp_path / "unended.jsonl"
    unended.write_bytes(RIGHT + b"\n" + RIGHT)
    records = [line.record for line in read_jsonl(path, Scope)]
    assert records == [line.record for line in read_jsonl(unended, Scope)] == [Scope(tenant="north")] * 2


def test_a_line_separator_inside_text_does_not_end_a_line(lines: Callable[..., Path]) -> None:
    """JSON allows U+2028 and U+0085 in text; only LF ends a line."""
    record = read_jsonl(lines('{"tenant": "a\u2028b\u0085c"}'.encode()), Scope)[0].record
    assert record.tenant == "a\u2028b\u0085c"


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b'{"tenant": }', ":2:12: not JSON: Expecting value; write one JSON object on one line"),
        (b'{"tenant": "a"} x', ":2:17: not JSON: Extra data; write one JSON object on one line"),
        (b'["north"]', ":2: the line is JSON, but not an object; write one JSON object, in { }, on one line"),
        (b"  ", ":2: a blank line; delete it"),
        (
            b'{"tenant": "a", "tenant": "b"}',
            ":2: the key 'tenant' is there twice in one object; keep one of the two",
        ),
        (b'{"tenant": NaN}', ":2: NaN is not JSON; write null or leave the field out"),
        (b'{"tenant": -Infinity}', ":2: -Infinity is not JSON; write null or leave the field out"),
        (b'{"tenant": 1e999}', ":2: a number is too large; write a number below 1e308"),
        (b'{"tenant": ' + b"9" * 5000 + b"}", ":2: a number has too many digits; write it as text"),
        (b'{"tenant": ' + b"[" * 100_000, ":2: objects or lists are nested too deeply; make the record flatter"),
        (
            b'{"tenant": "a\\ud83d"}',
            ":2:14: half a surrogate pair is not text; write the character itself, or \\ufffd",
        ),
        (b'{"tenent": "a"}', ":2: the field tenant is missing; add it"),
        (b'{"tenant": 5}', ":2: tenant is not text; put the value in quotes"),
        (b'{"tenant": null}', ":2: tenant is not text; put the value in quotes"),
        (
            b'{"tenant": "caf\xe9"}',
            ":2:16: byte 0xe9 at offset 35 is not UTF-8; save the file as UTF-8 (it may be Windows-1252 or Latin-1)",
        ),
    ],
)
def test_a_bad_line_is_named(lines: Callable[..., Path], raw: bytes, expected: str) -> None:
    """The error starts with file and line, and the column where one is known."""
    assert mistakes(lines(RIGHT, raw, RIGHT))[0] == expected


def test_an_escaped_surrogate_pair_and_an_escaped_backslash_are_text(lines: Callable[..., Path]) -> None:
    """Only half a pair is refused."""
    found = read_jsonl(lines(b'{"tenant": "\\ud83d\\ude00 \\\\ud83d"}'), Scope)
    assert found[0].record.tenant == "\U0001f600 \\ud83d"


def test_an_unknown_field_has_a_suggestion(lines: Callable[..., Path]) -> None:
    """A misspelt name is told with the right one, a strange one with the names that there are."""
    assert mistakes(lines(b'{"tenant": "a", "patientid": "b"}')) == [
        ":1: the field patientid is not known; did you mean 'patient_id'?"
    ]
    assert mistakes(lines(b'{"tenant": "a", "\\u001b[31m": 1}')) == [
        ":1: the field '\\x1b[31m' is not known; it is one of: patient_id, required_version, tenant"
    ]


def test_nested_fields_and_choices_have_suggestions(tmp_path: Path, case: Callable[..., dict[str, Any]]) -> None:
    """The path of a nested field is told, and suggestions come from the record that it is in."""
    row = case(role="develop", scope={"tennant": "north"})
    row["evidence"][0] |= {"grade": "2", "qoute": "x"}
    path = tmp_path / "cases.jsonl"
    path.write_text(json.dumps(row))
    with pytest.raises(DatasetError) as caught:
        read_jsonl(path, Case)
    assert str(caught.value).replace(f"{path}:1: ", "").splitlines() == [
        "role has a value that is not allowed; did you mean 'development'?",
        "the field scope.tenant is missing; add it",
        "the field scope.tennant is not known; did you mean 'tenant'?",
        "evidence[0].grade is not a whole number; write it without quotes and without a decimal point",
        "the field evidence[0].qoute is not known; did you mean 'quote'?",
    ]


def test_rules_across_fields_are_told(tmp_path: Path, case: Callable[..., dict[str, Any]]) -> None:
    """What a record checks itself is told with the path of the record."""
    row = case()
    row["evidence"][0]["chunk_id"] = "x"
    path = tmp_path / "cases.jsonl"
    path.write_text(json.dumps(row))
    with pytest.raises(DatasetError, match=r":1: evidence\[0\]: an evidence label has either a quote or a chunk_id"):
        read_jsonl(path, Case)


def test_a_byte_order_mark_is_refused(lines: Callable[..., Path]) -> None:
    """The mark is named, and the rest of the file is still checked."""
    assert mistakes(lines(b"\xef\xbb\xbf" + RIGHT, b"{")) == [
        ":1:1: the file starts with a byte order mark; save it as UTF-8 without BOM",
        ":2:2: not JSON: Expecting property name enclosed in double quotes; write one JSON object on one line",
    ]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32"])
def test_other_encodings_of_unicode_are_named(tmp_path: Path, encoding: str) -> None:
    """UTF-16, which some editors call Unicode, is named as such, with and without its mark."""
    path = tmp_path / "rows.jsonl"
    path.write_bytes(RIGHT.decode().encode(encoding))
    assert mistakes(path) == [":1:1: the file is UTF-16 or UTF-32, not UTF-8; save it as UTF-8"]


@pytest.mark.parametrize("content", [b"", b"\n", b" \r\n"])
def test_an_empty_file_is_a_mistake(tmp_path: Path, content: bytes) -> None:
    """An empty file is no dataset of no records."""
    path = tmp_path / "rows.jsonl"
    path.write_bytes(content)
    assert mistakes(path) == [": the file is empty; add what belongs in it, or delete the file"]


def test_a_blank_last_line_is_a_mistake(lines: Callable[..., Path]) -> None:
    """One line end after the last record is enough."""
    assert mistakes(lines(RIGHT, b"")) == [":2: a blank line; delete it"]


def test_a_truncated_last_line_is_named_as_such(tmp_path: Path) -> None:
    """A file that was not written to its end is told from a typing mistake."""
    path = tmp_path / "rows.jsonl"
    path.write_bytes(RIGHT + b'\n{"tenant": "nor')
    assert mistakes(path) == [":2:12: the file ends in the middle of a record; write the whole last line again"]


def test_a_typing_mistake_in_an_unended_last_line_is_no_truncation(tmp_path: Path) -> None:
    """Only what stops at the end of the file was cut there."""
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b'{"tenant" "north", "patient_id": null}')
    assert mistakes(path) == [":1:11: not JSON: Expecting ':' delimiter; write one JSON object on one line"]


@given(cut=st.integers(min_value=1, max_value=len(LONG) - 1))
def test_no_cut_record_is_read_as_a_whole_one(cut: int) -> None:
    """Whatever the place of the cut, it is told as one."""
    [mistake] = json_mistakes(LONG[:cut], unended=True)
    assert mistake.message == "the file ends in the middle of a record"


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    """A folder or a missing file is a dataset error too."""
    assert mistakes(tmp_path / "none.jsonl") == [
        ": cannot be read (No such file or directory); check that it is a file"
    ]
    with pytest.raises(DatasetError, match="cannot be read"):
        read_jsonl(tmp_path, Scope)


def test_all_mistakes_are_told_at_once_up_to_a_bound(lines: Callable[..., Path]) -> None:
    """Twenty are shown, and the error says that there are more."""
    found = mistakes(lines(*[b"{}"] * 50))
    assert found[:2] == [":1: the field tenant is missing; add it", ":2: the field tenant is missing; add it"]
    assert found[20:] == ["and 1 more"]


def test_values_are_not_repeated_in_errors(tmp_path: Path) -> None:
    """A patient's data must not end up in a log."""
    path = tmp_path / "patients.jsonl"
    path.write_text('{"mrn": 123456, "name": ["Ada Blom"], "tenant": "north"}\n')
    with pytest.raises(DatasetError) as caught:
        read_jsonl(path, Patient)
    assert "123456" not in str(caught.value)
    assert "Ada" not in str(caught.value)


@given(raw=st.binary(max_size=80))
def test_any_bytes_are_read_or_refused(tmp_path_factory: pytest.TempPathFactory, raw: bytes) -> None:
    """No content makes the reader fail in another way."""
    path = tmp_path_factory.getbasetemp() / "any.jsonl"
    path.write_bytes(raw)
    try:
        read_jsonl(path, Scope)
    except DatasetError as error:
        assert str(error).startswith(str(path))  # noqa: PT017 - either of the two outcomes is right
