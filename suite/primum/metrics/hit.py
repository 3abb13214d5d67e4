"""Hit at k, also called success at k."""

from dataclasses import dataclass
from typing import ClassVar

from primum.metrics.alignment import Alignment
from primum.metrics.measure import MeasureAt


@dataclass(frozen=True)
class HitRate(MeasureAt):
    """1 when any of the first k results is relevant, else 0."""

    name: ClassVar[str] = "Hit"

    def value(self, alignment: Alignment) -> float:
        """0 or 1."""
        return float(bool(alignment.ranks) and alignment.ranks[0] <= self.k)
