"""What all rank measures share: a measure is a value that prints its own definition."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from primum.errors import RankingError
from primum.metrics.alignment import Alignment


@dataclass(frozen=True)
class Measure(ABC):
    """A rank measure with its options. Equal definitions are equal values, and ``parse_measure(str(m)) == m``."""

    name: ClassVar[str]
    needs_relevant: ClassVar[bool] = True
    """Whether the measure is undefined for a case without relevant judgments."""
    higher_is_better: ClassVar[bool] = True

    @abstractmethod
    def value(self, alignment: Alignment) -> float | None:
        """The measure of one ranking, from 0 to 1; None when it is undefined for this case."""

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class MeasureAt(Measure):
    """A measure of the first `k` results."""

    k: int

    def __post_init__(self) -> None:
        require_k(self.k)

    def __str__(self) -> str:
        return f"{self.name}@{self.k}"


def require_k(k: object) -> None:
    """Raises RankingError ``bad_k`` unless `k` is a whole number from 1 up."""
    # The type is compared: True is an int to Python, and no cutoff.
    if type(k) is not int or k < 1:
        raise RankingError(f"k is {k!r}; a cutoff is a whole number from 1 up", code="bad_k")
