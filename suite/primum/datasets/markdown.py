"""A document as a Markdown file: YAML front matter between two ``---`` lines, then the text.

The text is what follows, without blank lines around it and with LF line ends, whatever the file has: a checkout on
Windows gives the same chunks as one on Linux.
"""

import json
from pathlib import Path

from primum.datasets.problems import Problems
from primum.datasets.text import read_lines
from primum.datasets.validation import Location, validate_json
from primum.errors import at
from primum.records import Document
from primum.yamltext import YamlTextError, parse_yaml

_FENCE = "---"
_FORM = "start the file with ---, the fields as YAML, and ---"


def read_document(path: Path) -> Document:
    """One document.

    Raises:
        DatasetError: lists all mistakes with their places.
    """
    problems = Problems()
    document = collect_document(path, problems)
    if document is None or problems.errors:
        raise problems.as_error()
    return document


def collect_document(path: Path, problems: Problems) -> Document | None:
    """One document, or None when it has mistakes, which go to `problems`."""
    lines = read_lines(path, problems)
    if not lines or None in lines:
        return None
    texts = [line for line in lines if line is not None]
    if texts[0].rstrip() != _FENCE:
        problems.error(at(path, 1), "the front matter is missing", _FORM)
        return None
    end = next((number for number, line in enumerate(texts[1:], 1) if line.rstrip() == _FENCE), None)
    if end is None:
        problems.error(at(path, 1), "the front matter has no end", _FORM)
        return None
    body = "\n".join(texts[end + 1 :]).strip("\n").rstrip()
    if not body.strip():
        problems.error(at(path, end + 1), "the document has no text", "write the text after the front matter")
        return None
    return _document("\n".join(texts[1:end]), body, path, problems)


def _document(front: str, body: str, path: Path, problems: Problems) -> Document | None:
    try:
        yaml = parse_yaml(front)
    except YamlTextError as error:
        problems.error(at(path, error.line + 1, error.column), str(error), "mend the front matter")
        return None
    if not isinstance(yaml.data, dict):
        problems.error(at(path, 2), "the front matter has no fields", "write at least id, version, title, type, state")
        return None

    def place(location: Location) -> str:
        line, column = yaml.position(location)
        # The front matter starts on the second line; a missing field is reported at its first line.
        return at(path, line + 1, column)

    if "text" in yaml.data:
        problems.error(place(("text",)), "the field text is not known", "write the text after the front matter")
        return None
    try:
        content = json.dumps({**yaml.data, "text": body}, allow_nan=False)
    except ValueError:
        problems.error(at(path, 2), "the front matter holds NaN or an infinity", "write null or leave it out")
        return None
    return validate_json(content, Document, problems, place, without="text")
