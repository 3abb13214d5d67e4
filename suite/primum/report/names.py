"""Finds identifiers of patients in a text and covers them."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from primum.records.exchange import Span
from primum.records.scope import Person
from primum.report.text import WITHHELD


class Names:
    """The identifiers of the patients on one roster. What was found in a text is kept, since passages come up often."""

    def __init__(self, roster: Iterable[Person]) -> None:
        people = tuple(roster)
        wholes = _alternatives(text for person in people for text in _identifiers(person))
        words = _alternatives(word for person in people for word in _name_words(person))
        choices = [choice for choice in (f"(?i:{wholes})" if wholes else "", words) if choice]
        self._pattern = re.compile(rf"(?<!\w)(?:{'|'.join(choices)})(?!\w)") if choices else None
        self._found: dict[str, tuple[tuple[int, int], ...]] = {}

    def find(self, text: str) -> tuple[tuple[int, int], ...]:
        """Start and end of each identifier in `text`."""
        if self._pattern is None:
            return ()
        if text not in self._found:
            self._found[text] = tuple(match.span() for match in self._pattern.finditer(text))
        return self._found[text]


@dataclass(frozen=True)
class Mask:
    """Covers the identifiers on a roster, but for those that the question itself names."""

    names: Names
    question: str

    def cover(self, text: str, shown: Sequence[Span] = ()) -> str:
        """The text, as long as before, with identifiers covered outside the spans `shown`."""
        covered = text
        for start, end in self.names.find(text):
            if not self._asked(text[start:end]):
                covered = covered[:start] + WITHHELD * (end - start) + covered[end:]
        return restored(text, covered, shown)

    def _asked(self, identifier: str) -> bool:
        return re.search(rf"(?i)(?<!\w){re.escape(identifier)}(?!\w)", self.question) is not None


def cover_all(text: str, shown: Sequence[Span] = ()) -> str:
    """The text with everything but white space and the spans `shown` covered."""
    return restored(text, re.sub(r"\S", WITHHELD, text), shown)


def restored(text: str, covered: str, shown: Sequence[Span]) -> str:
    """`covered` with the stretches `shown` as they are in `text`."""
    for span in shown:
        covered = covered[: span.start] + text[span.start : span.end] + covered[span.end :]
    return covered


def _alternatives(texts: Iterable[str]) -> str:
    # Longest first, so that a whole name is met before its parts.
    return "|".join(re.escape(text) for text in sorted(set(texts), key=lambda text: (-len(text), text)))


def _identifiers(person: Person) -> list[str]:
    """Identifiers long enough not to hide a dose or another bare number."""
    texts = (person.mrn, person.name, person.birth_date, person.room)
    return [text for text in texts if text and (len(text) >= 4 or (len(text) == 3 and not text.isdigit()))]


def _name_words(person: Person) -> list[str]:
    return [word for word in re.findall(r"[^\W\d_]+", person.name or "") if len(word) >= 4]
