"""JSON Lines, read strictly: one object a line, nothing else, and every mistake of a file in one error.

Accepted: LF and CRLF, a last line without its line end. Refused: a byte order mark (see `primum.datasets.text`), blank
lines (they may be a lost record), duplicate keys (readers disagree on which one counts), NaN and infinities, lone
surrogates (they cannot be written as UTF-8), unknown fields, values of another type.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final, Generic, TypeVar

from primum.datasets.problems import MOST_SHOWN, Problems
from primum.datasets.strict_json import json_mistakes
from primum.datasets.text import decoded, read_lines
from primum.datasets.validation import Location, R, validate_json
from primum.errors import DatasetError, at

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Line(Generic[T]):
    """A record and where it was read."""

    number: int
    """From 1."""
    place: str
    record: T


def read_jsonl(path: Path, record: type[R]) -> tuple[Line[R], ...]:
    """The records of a file, in order.

    Raises:
        DatasetError: lists the mistakes with ``file:line`` or ``file:line:column``, up to the first 20.
    """
    problems = Problems()
    lines = collect_jsonl(path, record, problems)
    problems.raise_errors()
    return lines


def collect_jsonl(path: Path, record: type[R], problems: Problems) -> tuple[Line[R], ...]:
    """The records of a file that are right; the mistakes of the others go to `problems`."""
    texts = read_lines(path, problems)
    before = len(problems.found)
    if texts and texts[-1] == "":
        texts.pop()
        ended = True
    else:
        ended = False
    found: list[Line[R]] = []
    for number, text in enumerate(texts, 1):
        if len(problems.found) - before >= MOST_SHOWN:
            problems.error(at(path, number), f"reading stopped after {MOST_SHOWN} mistakes", "mend those first")
            break
        if text is None:
            continue
        last = number == len(texts) and not ended
        if (value := _record(text, record, path=path, number=number, problems=problems, unended=last)) is not None:
            found.append(Line(number=number, place=at(path, number), record=value))
    return tuple(found)


def stream_jsonl(path: Path, record: type[R]) -> Iterator[Line[R]]:
    """The records of a file one by one, in memory for one line of at most `LONGEST_LINE` bytes.

    Raises:
        DatasetError: at the end, or after the first 20 mistakes; records after the first mistake are only checked.
    """
    problems = Problems()
    with _opened(path) as file:
        number = 0
        while (raw := file.readline(LONGEST_LINE + 1)) and len(problems.errors) < MOST_SHOWN:
            number += 1
            if len(raw) > LONGEST_LINE:
                problems.error(
                    at(path, number), f"a line of more than {LONGEST_LINE:,} bytes", "split the file's records"
                )
                break
            text = decoded(
                raw.removesuffix(b"\n"), at_byte=file.tell() - len(raw), path=path, number=number, problems=problems
            )
            if text is None:
                continue
            ended = raw.endswith(b"\n")
            found = _record(text, record, path=path, number=number, problems=problems, unended=not ended)
            if found is not None and not problems.found:
                yield Line(number=number, place=at(path, number), record=found)
        if not number:
            problems.error(at(path), "the file is empty", "add one JSON object a line")
    problems.raise_errors()


LONGEST_LINE: Final = 32 * 1024 * 1024
"""Bytes of one line that are read at once."""


def _opened(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except OSError as error:
        raise DatasetError(
            f"{at(path)}: cannot be read ({error.strerror or type(error).__name__}); check that it is a file"
        ) from error


def refuse_duplicates(lines: Iterable[Line[T]], key: Callable[[T], object], what: str, problems: Problems) -> None:
    """Adds a problem for each record whose key was there before, naming both places but not the key."""
    first: dict[object, str] = {}
    for line in lines:
        before = first.setdefault(key(line.record), line.place)
        if before != line.place:
            problems.error(line.place, f"the same {what} is at {before}", f"give each record its own {what}")


def _record(text: str, record: type[R], *, path: Path, number: int, problems: Problems, unended: bool) -> R | None:
    if not text.strip():
        problems.error(at(path, number), "a blank line", "delete it")
        return None
    if mistakes := json_mistakes(text, unended=unended):
        for mistake in mistakes:
            problems.error(at(path, number, mistake.column), mistake.message, mistake.fix)
        return None

    def place(_: Location) -> str:
        return at(path, number)

    return validate_json(text, record, problems, place)
