"""Bytes to lines, with the place of whatever is not UTF-8 text.

Lines end in LF or CRLF, since version control on Windows turns one into the other; both give the same records.
A byte order mark is refused: it is no part of JSON or YAML, other readers fail on it or take it for a part of the
first key, and it changes the digest of a file that looks the same.
"""

import codecs
from pathlib import Path

from primum.datasets.problems import Problems
from primum.errors import at

_UTF16_OR_32 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)


def read_lines(path: Path, problems: Problems) -> list[str | None]:
    """The lines of a file without their ends; None for a line that is not UTF-8.

    The element after the last line end is there too: it is empty when the file ends as it should.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        problems.error(
            at(path), f"cannot be read ({error.strerror or type(error).__name__})", "check that it is a file"
        )
        return []
    if not data.strip():
        problems.error(at(path), "the file is empty", "add what belongs in it, or delete the file")
        return []
    if data.startswith(_UTF16_OR_32) or b"\0" in data[:4]:
        problems.error(at(path, 1, 1), "the file is UTF-16 or UTF-32, not UTF-8", "save it as UTF-8")
        return []
    if data.startswith(codecs.BOM_UTF8):
        problems.error(at(path, 1, 1), "the file starts with a byte order mark", "save it as UTF-8 without BOM")
        data = data.removeprefix(codecs.BOM_UTF8)
    lines: list[str | None] = []
    offset = 0
    for number, raw in enumerate(data.split(b"\n"), 1):
        lines.append(decoded(raw, at_byte=offset, path=path, number=number, problems=problems))
        offset += len(raw) + 1
    return lines


def decoded(raw: bytes, *, at_byte: int, path: Path, number: int, problems: Problems) -> str | None:
    """A line without its end; None, and a problem with the byte's place, when it is not UTF-8."""
    try:
        return raw.removesuffix(b"\r").decode()
    except UnicodeDecodeError as error:
        column = len(raw[: error.start].decode()) + 1
        problems.error(
            at(path, number, column),
            f"byte {raw[error.start]:#04x} at offset {at_byte + error.start} is not UTF-8",
            "save the file as UTF-8 (it may be Windows-1252 or Latin-1)",
        )
        return None
