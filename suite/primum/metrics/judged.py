"""Judged at k: how far the other measures of a ranking can be trusted."""

from bisect import bisect_right
from dataclasses import dataclass
from typing import ClassVar

from primum.metrics.alignment import Alignment
from primum.metrics.measure import MeasureAt


@dataclass(frozen=True)
class Judged(MeasureAt):
    """Results among the first k that have a judgment, divided by the results returned among the first k.

    It looks at the list as returned, also when unjudged results are condensed away for the other measures.
    """

    name: ClassVar[str] = "judged"
    needs_relevant: ClassVar[bool] = False

    def value(self, alignment: Alignment) -> float | None:
        """From 0 to 1; None for an empty ranking."""
        shown = min(self.k, alignment.returned)
        return bisect_right(alignment.judged, self.k) / shown if shown else None
