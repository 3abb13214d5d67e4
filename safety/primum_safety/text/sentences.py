"""Sentences and clauses, as ranges of a normalised text."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from primum_safety.text.wordlists import word_list

_STOP: Final = re.compile(r"[.!?]+(?=[\"')\]]*(?:\s|$|\[))|\n+|[\u3002\uff01\uff1f]")
_LAST_WORD: Final = re.compile(r"([\w.]+)$")
_UNIT: Final = re.compile(r"(?:/|\d\s?)min$", re.IGNORECASE)
_NEW: Final = re.compile(r"\.\s+[A-Z]")
"""A sentence begins; after "min" as a unit, and not for "minimum"."""
_LIST_NUMBER: Final = re.compile(r"(?:^|\n)\s*\(?\d{1,3}$")


class Range(NamedTuple):
    """A stretch of a normalised text."""

    start: int
    end: int

    def of(self, text: str) -> str:
        """The words."""
        return text[self.start : self.end]


def sentences(text: str, start: int = 0, end: int | None = None) -> Iterator[Range]:
    """The sentences of ``text[start:end]`` in order; line breaks always end one, and so do `LONGEST` characters."""
    last = len(text) if end is None else end
    at = start
    for stop in _STOP.finditer(text, start, last):
        if stop.end() <= at or (stop.group() == "." and _abbreviated(text, at, stop.start())):
            continue
        yield from _pieces(text, at, stop.end())
        at = stop.end()
    yield from _pieces(text, at, last)


LONGEST: Final = 2000
"""Characters; what is longer is no sentence, and is cut so that the work stays linear in the length of a text."""


def _pieces(text: str, start: int, end: int) -> Iterator[Range]:
    for at in range(start, end, LONGEST):
        if found := _trimmed(text, at, min(at + LONGEST, end)):
            yield found


def _abbreviated(text: str, start: int, stop: int) -> bool:
    window = text[max(start, stop - 12) : stop]
    word = _LAST_WORD.search(window)
    if word is None:
        return False
    last = word[1].lower()
    if _UNIT.search(window) and _NEW.match(text, stop):
        return False
    return last in word_list("abbreviation") or (
        last.isdigit() and bool(_LIST_NUMBER.search(text[max(0, stop - 6) : stop]))
    )


def _trimmed(text: str, start: int, end: int) -> Range | None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return Range(start, end) if start < end else None
