"""Average precision; its mean over cases is known as MAP."""

import math
from dataclasses import dataclass
from typing import ClassVar

from primum.metrics.alignment import Alignment
from primum.metrics.measure import Measure, require_k


@dataclass(frozen=True)
class AveragePrecision(Measure):
    """Sum of the precision at each relevant result, divided by all relevant judgments.

    Args:
        k: Looks at the first k results only; None looks at all that were returned.
    """

    name: ClassVar[str] = "AP"
    k: int | None = None

    def __post_init__(self) -> None:
        if self.k is not None:
            require_k(self.k)

    def value(self, alignment: Alignment) -> float:
        """From 0 to 1."""
        within = alignment.ranks if self.k is None else alignment.ranks[: alignment.found(self.k)]
        precisions = [count / rank for count, rank in enumerate(within, start=1)]
        return math.fsum(precisions) / len(alignment.ideal)

    def __str__(self) -> str:
        return self.name if self.k is None else f"{self.name}@{self.k}"
