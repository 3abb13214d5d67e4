"""Many ranges of one text, asked quickly."""

from bisect import bisect_right
from collections.abc import Sequence

from primum_safety.text.sentences import Range


class Ranges:
    """Tells whether an offset lies in any of many ranges."""

    def __init__(self, ranges: Sequence[Range]) -> None:
        merged: list[list[int]] = []
        for low, high in sorted(ranges):
            if merged and low <= merged[-1][1]:
                merged[-1][1] = max(high, merged[-1][1])
            else:
                merged.append([low, high])
        self._starts = [low for low, _ in merged]
        self._ends = [high for _, high in merged]

    def covers(self, at: int) -> bool:
        """Whether any of the ranges holds the offset."""
        index = bisect_right(self._starts, at) - 1
        return index >= 0 and at < self._ends[index]
