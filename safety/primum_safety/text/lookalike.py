"""Words that are nearly the name of a medicine."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

_SHORTEST: Final = 6
"""Letters; shorter words are near too many others."""


def lookalike(word: str, names: Iterable[str], *, slips: int = 2) -> str | None:
    """The name that `word` is one slip away from (`slips` for names of nine letters or more); None when there is none.

    A slip is a letter changed, left out or added, or two neighbours exchanged. All words are lower-case.
    """
    if len(word) < _SHORTEST:
        return None
    letters = frozenset(word)
    for name in names:
        allowed = slips if len(name) >= 9 else 1
        near = len(name) >= _SHORTEST and abs(len(name) - len(word)) <= allowed and word != name
        # A slip takes at most one letter away and brings one in.
        if near and len(letters ^ _letters(name)) <= 2 * allowed and _distance(word, name, allowed) <= allowed:
            return name
    return None


_letters = lru_cache(maxsize=8192)(frozenset[str])


def _distance(one: str, other: str, limit: int) -> int:
    """Edits between two words, counting exchanged neighbours once; anything above `limit` is ``limit + 1``."""
    before: list[int] = []
    previous = list(range(len(other) + 1))
    for row, left in enumerate(one, 1):
        current = [row]
        for column, right in enumerate(other, 1):
            cost = min(previous[column] + 1, current[-1] + 1, previous[column - 1] + (left != right))
            if row > 1 and column > 1 and left == other[column - 2] and one[row - 2] == right:
                cost = min(cost, before[column - 2] + 1)
            current.append(cost)
        if min(current) > limit:
            return limit + 1
        before, previous = previous, current
    return previous[-1]
