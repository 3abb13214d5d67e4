"""Sentences and clauses, as ranges of a normalised text."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from primum_safety.text.wordlists import word_list

_STOP: Final = re.compile(r"[.!?]+(?=[\"')\]]*(?:\s|$|\[))|\n+|[\u3002\uff01\uff1f]")
_LAST_WORD: Final = re.compile(r"([\w.]+)$")
_LIST_NUMBER: Final = re.compile(r"(?:^|\n)\s*\(?\d{1,3}$")
_CLAUSE_BREAK: Final = re.compile(
    r";|\s-{1,2}\s|:\s|,?\s+(?:but|however|although|though|whereas|yet|nevertheless|nonetheless)\b[,]?", re.IGNORECASE
)


class Range(NamedTuple):
    """A stretch of a normalised text."""

    start: int
    end: int

    def of(self, text: str) -> str:
        """The words."""
        return text[self.start : self.end]


def sentences(text: str, start: int = 0, end: int | None = None) -> Iterator[Range]:
    """The sentences of ``text[start:end]`` in order; line breaks always end one."""
    last = len(text) if end is None else end
    at = start
    for stop in _STOP.finditer(text, start, last):
        if stop.end() <= at:
            continue
        if stop.group() == "." and _abbreviated(text, at, stop.start()):
            continue
        if found := _trimmed(text, at, stop.end()):
            yield found
        at = stop.end()
    if found := _trimmed(text, at, last):
        yield found


def clauses(text: str, sentence: Range) -> Iterator[Range]:
    """The parts of a sentence that stand on their own: split at semicolons, colons, dashes and contrast words."""
    at = sentence.start
    for found in _CLAUSE_BREAK.finditer(text, sentence.start, sentence.end):
        if part := _trimmed(text, at, found.start()):
            yield part
        at = found.end() if found.group()[0] in ";:-" or found.group().strip()[0] in "-;:" else found.start()
    if part := _trimmed(text, at, sentence.end):
        yield part


def _abbreviated(text: str, start: int, stop: int) -> bool:
    window = text[max(start, stop - 12) : stop]
    word = _LAST_WORD.search(window)
    if word is None:
        return False
    last = word[1].lower()
    return last in word_list("abbreviation") or (
        last.isdigit() and bool(_LIST_NUMBER.search(text[max(0, stop - 6) : stop]))
    )


def _trimmed(text: str, start: int, end: int) -> Range | None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return Range(start, end) if start < end else None
