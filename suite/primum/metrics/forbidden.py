"""Forbidden at k: whether a case was shown what it must never see."""

from dataclasses import dataclass
from typing import ClassVar

from primum.metrics.alignment import Alignment
from primum.metrics.measure import MeasureAt


@dataclass(frozen=True)
class Forbidden(MeasureAt):
    """1 when any of the first k results is forbidden, else 0; lower is better, and its mean is the share of cases.

    It describes; whether a forbidden chunk blocks a release is decided from the whole list, whatever k is.
    """

    name: ClassVar[str] = "forbidden"
    needs_relevant: ClassVar[bool] = False
    higher_is_better: ClassVar[bool] = False

    def value(self, alignment: Alignment) -> float:
        """0 or 1."""
        return float(bool(alignment.forbidden) and alignment.forbidden[0] <= self.k)
