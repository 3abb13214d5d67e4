"""Reciprocal rank at k; its mean over cases is known as MRR."""

from dataclasses import dataclass
from typing import ClassVar

from primum.metrics.alignment import Alignment
from primum.metrics.measure import MeasureAt


@dataclass(frozen=True)
class ReciprocalRank(MeasureAt):
    """1 over the rank of the first relevant result within the first k; 0 when there is none."""

    name: ClassVar[str] = "RR"

    def value(self, alignment: Alignment) -> float:
        """From 0 to 1."""
        hit = alignment.ranks and alignment.ranks[0] <= self.k
        return 1 / alignment.ranks[0] if hit else 0.0
