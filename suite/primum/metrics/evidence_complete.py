"""Evidence complete at k: whether an answer could rest on what was retrieved."""

from dataclasses import dataclass
from typing import ClassVar

from primum.metrics.alignment import Alignment
from primum.metrics.measure import MeasureAt


@dataclass(frozen=True)
class EvidenceComplete(MeasureAt):
    """1 when every required chunk is among the first k results, else 0."""

    name: ClassVar[str] = "evidence_complete"

    def value(self, alignment: Alignment) -> float | None:
        """0 or 1; None when the case requires no particular chunk."""
        if not alignment.required:
            return None
        return float(all(rank is not None and rank <= self.k for rank in alignment.required))
