"""The family bootstrap: how a mean over families would vary had other families been drawn."""

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from primum.errors import UsageError
from primum.records.base import Record
from primum.records.interval import Interval
from primum.statistics.families import mean_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_EXACT_FAMILIES = 10
"""Up to here all resamples are enumerated, by how often each family was drawn: 92,378 ways for 10 families."""


class FamilyBootstrap(Record):
    """The distribution of the resampled mean."""

    families: int
    resamples: int
    exact: bool
    """Whether every possible resample was counted; otherwise they were drawn at random from `seed`."""
    seed: int | None
    standard_error: float | None
    interval: Interval | None
    """Percentiles by the inverse of the cumulative distribution."""
    reason: str | None = None
    """Why there is no interval."""


def exact_family_bootstrap(means: Mapping[str, float], *, confidence: float = 0.95) -> FamilyBootstrap:
    """Counts all ``G**G`` resamples of G families.

    Args:
        means: Mean of each family.
        confidence: Two-sided coverage.

    Raises:
        UsageError: When there is no family, or too many to enumerate; use `family_bootstrap` then.
    """
    values = _values(means)
    families = len(values)
    if families > MOST_EXACT_FAMILIES:
        raise UsageError(
            f"{families} families have too many resamples to count, up to {MOST_EXACT_FAMILIES} can be; "
            "draw them with family_bootstrap"
        )
    if families == 1:
        return _undefined(resamples=1, exact=True, seed=None)
    weighted = sorted(
        (math.fsum(count * value for count, value in zip(counts, values, strict=True)) / families, _ways(counts))
        for counts in _draws(families, families)
    )
    total = families**families
    mean = mean_of(values)
    low, high = (_percentile(weighted, share * total) for share in _tails(confidence))
    return FamilyBootstrap(
        families=families,
        resamples=total,
        exact=True,
        seed=None,
        standard_error=math.sqrt(math.fsum((value - mean) ** 2 for value in values)) / families,
        interval=Interval(low=low, high=high, confidence=confidence, method="exact family bootstrap"),
    )


def family_bootstrap(
    means: Mapping[str, float], *, seed: int, resamples: int = 10_000, confidence: float = 0.95
) -> FamilyBootstrap:
    """Draws resamples of the families at random, the same ones for the same seed.

    Args:
        means: Mean of each family; their order does not matter.
        seed: Start of the random numbers, 0 or more.
        resamples: How many to draw, at least 100.
        confidence: Two-sided coverage.

    Raises:
        UsageError: When there is no family or there are too few resamples.
    """
    import numpy as np

    values = _values(means)
    if resamples < 100:
        raise UsageError(f"{resamples} resamples are too few for percentiles; draw at least 100, better 10000")
    if seed < 0:
        raise UsageError(f"the seed is {seed}; it is 0 or more")
    families = len(values)
    if families == 1:
        return _undefined(resamples=resamples, exact=False, seed=seed)
    drawn = np.sort(_counts(families, resamples, seed) @ np.asarray(values) / families)
    low, high = (float(drawn[math.ceil(share * resamples) - 1]) for share in _tails(confidence))
    return FamilyBootstrap(
        families=families,
        resamples=resamples,
        exact=False,
        seed=seed,
        standard_error=float(drawn.std()),
        interval=Interval(low=low, high=high, confidence=confidence, method="family bootstrap"),
    )


@lru_cache(maxsize=2)  # many measures of the same families come one after the other
def _counts(families: int, resamples: int, seed: int) -> "NDArray[np.float64]":
    """How often each family is drawn; that is all that a mean needs, and takes a fraction of the draws' memory."""
    import numpy as np

    random = np.random.Generator(np.random.PCG64(seed))
    return random.multinomial(families, np.full(families, 1 / families), size=resamples).astype(np.float64)


def _values(means: Mapping[str, float]) -> list[float]:
    """In the order of the families' names, so that the result does not hang on how they were collected."""
    if not means:
        raise UsageError("there is no family to resample")
    return [means[family] for family in sorted(means)]


def _undefined(*, resamples: int, exact: bool, seed: int | None) -> FamilyBootstrap:
    return FamilyBootstrap(
        families=1,
        resamples=resamples,
        exact=exact,
        seed=seed,
        standard_error=None,
        interval=None,
        reason="one family says nothing about how families differ",
    )


def _tails(confidence: float) -> tuple[Fraction, Fraction]:
    """The two shares, exact in decimals: 0.95 gives 0.025 and 0.975."""
    inside = Fraction(repr(confidence))
    if not 0 < inside < 1:
        raise UsageError(f"confidence is {confidence!r}; it lies strictly between 0 and 1")
    return (1 - inside) / 2, (1 + inside) / 2


def _draws(families: int, draws: int) -> Iterator[tuple[int, ...]]:
    """All ways to spread `draws` over `families`."""
    if families == 1:
        yield (draws,)
        return
    for first in range(draws + 1):
        for rest in _draws(families - 1, draws - first):
            yield (first, *rest)


def _ways(counts: Sequence[int]) -> int:
    """How many ordered resamples have these counts."""
    ways = math.factorial(sum(counts))
    for count in counts:
        ways //= math.factorial(count)
    return ways


def _percentile(weighted: Sequence[tuple[float, int]], wanted: Fraction) -> float:
    """The smallest value at or below which at least `wanted` resamples lie."""
    below = 0
    for value, ways in weighted:
        below += ways
        if below >= wanted:
            return value
    return weighted[-1][0]
