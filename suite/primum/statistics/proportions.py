"""Rates with their intervals, and what zero failures can and cannot show."""

import math
from decimal import Decimal

from primum.errors import UsageError
from primum.records.base import Rate, Record
from primum.records.interval import Interval
from primum.statistics.distributions import beta_quantile, require_share, two_sided_z


class Proportion(Record):
    """A rate and its two usual intervals. They hold for independent trials: count families, not runs."""

    rate: Rate
    wilson: Interval | None
    clopper_pearson: Interval | None
    """Exact and two-sided with equal tails; wider than Wilson."""
    reason: str | None = None
    """Why there is no estimate."""

    @property
    def estimate(self) -> float | None:
        """The share in [0, 1], or None when nothing was counted."""
        return self.rate.value


class ZeroFailures(Record):
    """How bad the true rate of failures may still be when none was seen."""

    n: int
    """Independent trials without a failure."""
    confidence: float
    """One-sided."""
    upper: float
    """Exact upper bound of the failure rate, ``1 - (1 - confidence)**(1/n)``."""
    rule_of_three: float
    """``3/n``, the bound at 0.95 that can be worked out in the head; not capped at 1."""


def proportion(successes: int, n: int, *, confidence: float = 0.95) -> Proportion:
    """The rate of `successes` in `n` independent trials.

    Raises:
        UsageError: Unless ``0 <= successes <= n`` and the confidence lies between 0 and 1.
    """
    z = two_sided_z(confidence)
    if not 0 <= successes <= n:
        raise UsageError(f"{successes} of {n} is no rate")
    rate = Rate(numerator=successes, denominator=n)
    if n == 0:
        return Proportion(rate=rate, wilson=None, clopper_pearson=None, reason="nothing was counted")
    return Proportion(
        rate=rate,
        wilson=_wilson(successes, n, z, confidence),
        clopper_pearson=_clopper_pearson(successes, n, confidence),
    )


def zero_failures(n: int, *, confidence: float = 0.95) -> ZeroFailures:
    """The exact one-sided bound when `n` independent trials, such as families, showed no failure.

    Raises:
        UsageError: Unless there was a trial; no trial bounds nothing.
    """
    require_share("confidence", confidence)
    if n < 1:
        raise UsageError(f"{n} trials show nothing; the bound needs at least one")
    return ZeroFailures(
        n=n,
        confidence=confidence,
        # expm1 keeps the digits that 1 - x loses when n is large.
        upper=-math.expm1(math.log(_complement(confidence)) / n),
        rule_of_three=3 / n,
    )


def trials_for_zero_failures(target_rate: float, *, confidence: float = 0.95) -> int:
    """How many independent trials without a failure show that the rate is at most `target_rate`.

    Raises:
        UsageError: Unless both arguments lie strictly between 0 and 1.
    """
    require_share("target_rate", target_rate)
    require_share("confidence", confidence)
    needed = math.log(_complement(confidence)) / math.log1p(-target_rate)
    # A needed number that is whole, such as 2 for 0.75 at a rate of 0.5, must not be pushed up by rounding noise.
    return max(1, math.ceil(needed - 1e-9))


def _complement(confidence: float) -> float:
    """``1 - confidence``, in decimals: the 0.05 that is meant, not the 0.050000000000000044 of binary floats."""
    return float(1 - Decimal(repr(confidence)))


def _wilson(successes: int, n: int, z: float, confidence: float) -> Interval:
    """Wilson 1927, without continuity correction."""
    share = successes / n
    shrink = 1 + z * z / n
    centre = (share + z * z / (2 * n)) / shrink
    half = z / shrink * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return Interval(
        low=0.0 if successes == 0 else centre - half,
        high=1.0 if successes == n else centre + half,
        confidence=confidence,
        method="Wilson",
    )


def _clopper_pearson(successes: int, n: int, confidence: float) -> Interval:
    """Clopper and Pearson 1934, by beta quantiles."""
    tail = (1 - confidence) / 2
    return Interval(
        low=0.0 if successes == 0 else beta_quantile(tail, successes, n - successes + 1),
        high=1.0 if successes == n else beta_quantile(1 - tail, successes + 1, n - successes),
        confidence=confidence,
        method="Clopper-Pearson",
    )
