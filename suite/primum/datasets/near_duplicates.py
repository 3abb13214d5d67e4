"""Questions that ask nearly the same in nearly the same words."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Final

SAME_FROM: Final = 0.9
"""Jaccard similarity of the word sets from which two questions count as near-duplicates."""

_WORD = re.compile(r"\w+(?:[.,]\w+)*")


def words(text: str) -> frozenset[str]:
    """The words and numbers of a text, case folded; ``0.5`` is one of them."""
    return frozenset(_WORD.findall(text.casefold()))


def similarity(one: frozenset[str], other: frozenset[str]) -> float:
    """Jaccard similarity, in [0, 1]: shared words by all words; 0 when there are none."""
    union = len(one | other)
    return len(one & other) / union if union else 0.0


def near_duplicates(left: Mapping[str, str], right: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Pairs of ids, one of each side, whose texts are alike by `SAME_FROM` or more.

    Compares only pairs that share one of their rarest words (prefix filtering; Chaudhuri et al., ICDE 2006): two sets
    of sizes m and n that are alike by t share at least t times m words, so that one of the ``m - ceil(t m) + 1`` rarest
    of the one is among those of the other.
    """
    left_words = {key: words(text) for key, text in left.items()}
    right_words = {key: words(text) for key, text in right.items()}
    counts = Counter(word for group in (left_words, right_words) for found in group.values() for word in found)

    def rarest(found: frozenset[str]) -> list[str]:
        ordered = sorted(found, key=lambda word: (counts[word], word))
        return ordered[: len(ordered) - math.ceil(SAME_FROM * len(ordered)) + 1]

    holders: dict[str, list[str]] = defaultdict(list)
    for key, found in right_words.items():
        for word in rarest(found):
            holders[word].append(key)
    for key, found in left_words.items():
        candidates = {candidate for word in rarest(found) for candidate in holders[word]}
        for candidate in sorted(candidates):
            if similarity(found, right_words[candidate]) >= SAME_FROM:
                yield key, candidate
