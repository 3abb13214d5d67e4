"""How well scores tell passing from failing answers, whatever the threshold."""

import math
from collections.abc import Sequence

from primum.errors import UsageError
from primum.records.base import Record
from primum.records.interval import Interval
from primum.statistics.distributions import two_sided_z
from primum.statistics.families import mean_of, variance_of


class Discrimination(Record):
    """The area under the ROC curve: the chance that a passing answer scores above a failing one, ties half."""

    passing: int
    failing: int
    area: float | None
    standard_error: float | None = None
    """By DeLong, DeLong and Clarke-Pearson 1988."""
    interval: Interval | None = None
    reason: str | None = None
    """Why area or interval is missing."""


def discrimination(passing: Sequence[float], failing: Sequence[float], *, confidence: float = 0.95) -> Discrimination:
    """The area with its interval, from the scores of answers that people pass and of those that they fail.

    Raises:
        UsageError: When a score is not finite.
    """
    if not all(math.isfinite(score) for score in (*passing, *failing)):
        raise UsageError("scores are finite numbers")
    right, wrong = len(passing), len(failing)
    if not passing or not failing:
        return Discrimination(
            passing=right, failing=wrong, area=None, reason="it needs scores of passing and of failing answers"
        )
    above = [mean_of([_above(score, other) for other in failing]) for score in passing]
    below = [mean_of([_above(other, score) for other in passing]) for score in failing]
    area = mean_of(above)
    spread, other_spread = variance_of(above), variance_of(below)
    if spread is None or other_spread is None:
        return Discrimination(passing=right, failing=wrong, area=area, reason="one score of a kind has no error")
    error = math.sqrt(spread / right + other_spread / wrong)
    if not error:
        return Discrimination(
            passing=right, failing=wrong, area=area, reason="all pairs are alike, so their spread shows no error"
        )
    interval = Interval.around(area, two_sided_z(confidence) * error, confidence=confidence, method="normal, DeLong")
    return Discrimination(passing=right, failing=wrong, area=area, standard_error=error, interval=interval)


def _above(score: float, other: float) -> float:
    return 0.5 if score == other else float(score > other)
