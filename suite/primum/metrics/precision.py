"""Precision at k."""

from bisect import bisect_right
from dataclasses import dataclass
from typing import ClassVar

from primum.metrics.alignment import Alignment
from primum.metrics.measure import MeasureAt


@dataclass(frozen=True)
class Precision(MeasureAt):
    """Relevant results among the first k, divided by k always: a short list is not rewarded."""

    name: ClassVar[str] = "P"

    def value(self, alignment: Alignment) -> float:
        """From 0 to 1."""
        return bisect_right(alignment.ranks, self.k) / self.k
