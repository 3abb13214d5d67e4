"""Normalised discounted cumulative gain at k."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import ClassVar

from primum.errors import RankingError
from primum.metrics.alignment import Alignment
from primum.metrics.measure import MeasureAt


class Gain(StrEnum):
    """What a grade is worth."""

    EXP = "exp"
    """``2**grade - 1`` (Burges et al. 2005)."""
    LINEAR = "linear"
    """``grade`` (Järvelin and Kekäläinen 2002; what trec_eval computes)."""


@dataclass(frozen=True)
class NDCG(MeasureAt):
    """Discounted gain of the first k results over that of the best order of all judgments; discount ``log2(rank+1)``.

    Raises:
        RankingError: ``bad_k``, or ``bad_option`` when `gain` is neither ``exp`` nor ``linear``.
    """

    name: ClassVar[str] = "nDCG"
    gain: Gain = Gain.EXP

    def __post_init__(self) -> None:
        super().__post_init__()
        try:
            object.__setattr__(self, "gain", Gain(self.gain))
        except ValueError:
            raise RankingError(
                f"nDCG has no gain {self.gain!r}; write gain=exp or gain=linear", code="bad_option"
            ) from None

    def value(self, alignment: Alignment) -> float:
        """From 0 to 1."""
        within = alignment.found(self.k)
        if not within:
            return 0.0
        ideal = alignment.ideal[: self.k]
        got = _dcg(self.gain, alignment.ranks[:within], alignment.grades[:within])
        return got / _ideal_dcg(self.gain, ideal)

    def __str__(self) -> str:
        return f"{self.name}(gain={self.gain})@{self.k}"


def _dcg(gain: Gain, ranks: Iterable[int], grades: Iterable[int]) -> float:
    # fsum rounds once, so the order of summing can neither lift a ranking above its ideal nor swap two of them.
    if gain is Gain.EXP:
        return math.fsum([((1 << grade) - 1) / math.log2(rank + 1) for rank, grade in zip(ranks, grades, strict=True)])
    return math.fsum([grade / math.log2(rank + 1) for rank, grade in zip(ranks, grades, strict=True)])


@lru_cache(maxsize=1024)
def _ideal_dcg(gain: Gain, grades: tuple[int, ...]) -> float:
    """Few label sets differ in their grades, so most cases find theirs here."""
    return _dcg(gain, range(1, len(grades) + 1), grades)
