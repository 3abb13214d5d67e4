"""Which stretch of a sentence belongs to one of its values."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Final

from primum_safety.text.quantity import Quantity
from primum_safety.text.sentences import Range

_BREAK: Final = re.compile(
    r";|\bthen\b|\n|\||,\s+(?:and|but)\b|\bbut\b|\bwhereas\b|\bwhile\b|\bfollowed\s+by\b|[.!?](?=\s|$)", re.IGNORECASE
)
_SEPARATOR: Final = re.compile(r",|\band\b|\bor\b|\(|\)", re.IGNORECASE)
_REACH: Final = 300
"""Characters to either side beyond which words belong to something else."""


class Clauses:
    """The breaks of one sentence, found once."""

    def __init__(self, text: str, sentence: Range) -> None:
        self._text = text
        self._sentence = sentence
        found = [match.span() for match in _BREAK.finditer(text, sentence.start, sentence.end)]
        self._starts = [start for start, _ in found]
        self._ends = [end for _, end in found]

    def segment(self, here: Quantity, near: Sequence[Quantity]) -> Range:
        """The clause around a value, up to its neighbours of the same kind; `near` are the values close to it."""
        before = bisect_right(self._ends, here.where.start) - 1
        after = bisect_left(self._starts, here.where.end)
        start = max(self._starts[before] if before >= 0 else self._sentence.start, here.where.start - _REACH)
        end = min(self._starts[after] if after < len(self._starts) else self._sentence.end, here.where.end + _REACH)
        for peer in near:
            if peer is here or not peers(peer, here):
                continue
            if start <= peer.where.start and peer.where.end <= here.where.start:
                start = max(start, self._cut(peer.where.end, here.where.start) or peer.where.end)
            elif here.where.end <= peer.where.start < end:
                end = self._cut(here.where.end, peer.where.start) or peer.where.start
        return Range(min(start, here.where.start), max(end, here.where.end))

    def _cut(self, start: int, end: int) -> int | None:
        """Where the words between two values part: at the last comma, else the last joining word, if any."""
        last: int | None = None
        strong = False
        for match in _SEPARATOR.finditer(self._text, start, end):
            if match.group() in ",()" or not strong:
                last, strong = match.start(), match.group() in ",()"
        return last


def peers(one: Quantity, other: Quantity) -> bool:
    """Whether two values are of one kind, so that the words between them belong to either."""
    return one.kind is other.kind and one.dimension == other.dimension and one.given() == other.given()
