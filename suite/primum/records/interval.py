"""An interval that says how it was made."""

from primum.records.base import Record


class Interval(Record):
    """A confidence interval; not clipped to [0, 1], because a t interval that leaves it shows how little is known."""

    low: float
    high: float
    confidence: float
    """Coverage aimed at, such as 0.95."""
    method: str
    """Name of the construction, such as ``Wilson`` or ``t over families``."""

    def __str__(self) -> str:
        return f"[{self.low:.3f}, {self.high:.3f}]"

    @classmethod
    def around(cls, estimate: float, half_width: float, *, confidence: float, method: str) -> "Interval":
        """The symmetric interval around an estimate."""
        return cls(low=estimate - half_width, high=estimate + half_width, confidence=confidence, method=method)
