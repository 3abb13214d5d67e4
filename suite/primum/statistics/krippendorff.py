"""Krippendorff's alpha: agreement of any number of raters with gaps in what they rated."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum

from primum.errors import UsageError
from primum.records.base import Record

Distance = Callable[[float, float], float]


class Level(StrEnum):
    """What differences between values mean."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"


class Alpha(Record):
    """Krippendorff's alpha, 1 at best."""

    level: Level
    value: float | None
    units: int
    """Units that two raters or more rated; the others say nothing about agreement."""
    ratings: int
    """Ratings of those units."""
    reason: str | None = None
    """Why it is undefined."""


def krippendorff_alpha(units: Sequence[Sequence[float | None]], level: Level) -> Alpha:
    """Alpha from one list of ratings for each unit; None is a missing rating (Krippendorff 2011).

    Raises:
        UsageError: When a rating is not finite.
    """
    rated = [[value for value in unit if value is not None] for unit in units]
    if not all(math.isfinite(value) for unit in rated for value in unit):
        raise UsageError("ratings are finite numbers; write None for a missing one")
    paired = [unit for unit in rated if len(unit) > 1]
    totals: Counter[float] = Counter(value for unit in paired for value in unit)
    ratings = totals.total()
    if len(totals) < 2:
        reason = "all paired ratings are the same" if paired else "no unit was rated twice"
        return Alpha(level=level, value=None, units=len(paired), ratings=ratings, reason=reason)
    apart = _distance(level, totals)
    observed = math.fsum(
        pairs * apart(first, second) for (first, second), pairs in _coincidences(paired).items() if first != second
    )
    chance = math.fsum(totals[first] * totals[second] * apart(first, second) for first in totals for second in totals)
    return Alpha(level=level, value=1 - (ratings - 1) * observed / chance, units=len(paired), ratings=ratings)


def _coincidences(units: Sequence[Sequence[float]]) -> Mapping[tuple[float, float], float]:
    """How often two values stand in one unit; each unit weighs as many pairs as it has ratings."""
    pairs: defaultdict[tuple[float, float], float] = defaultdict(float)
    for unit in units:
        counts = Counter(unit)
        for first, times in counts.items():
            for second, others in counts.items():
                pairs[first, second] += times * (others - (first == second)) / (len(unit) - 1)
    return pairs


def _distance(level: Level, totals: Mapping[float, int]) -> Distance:
    if level is Level.NOMINAL:
        return lambda first, second: float(first != second)
    if level is Level.INTERVAL:
        return lambda first, second: (first - second) ** 2

    def ordinal(first: float, second: float) -> float:
        low, high = sorted((first, second))
        between = sum(count for value, count in totals.items() if low <= value <= high)
        return (between - (totals[low] + totals[high]) / 2) ** 2

    return ordinal
