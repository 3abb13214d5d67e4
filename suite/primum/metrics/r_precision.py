"""R-precision."""

from dataclasses import dataclass
from typing import ClassVar

from primum.metrics.alignment import Alignment
from primum.metrics.measure import Measure


@dataclass(frozen=True)
class RPrecision(Measure):
    """Relevant results among the first R, divided by R, where R is the number of relevant judgments."""

    name: ClassVar[str] = "Rprec"

    def value(self, alignment: Alignment) -> float:
        """From 0 to 1."""
        relevant = len(alignment.ideal)
        return alignment.found(relevant) / relevant
