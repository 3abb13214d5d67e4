"""Means of outcomes that come in families: runs of one family are correlated, so families are what counts."""

import math
from collections.abc import Mapping, Sequence

from primum.errors import UsageError
from primum.records.base import Record
from primum.records.interval import Interval
from primum.statistics.distributions import two_sided_t

FEW_FAMILIES = 15
"""With fewer families than this, intervals by family are rough and reports say so."""

Outcomes = Mapping[str, Sequence[Sequence[float]]]
"""Family to variants to repetitions: ``outcomes[family][variant][repetition]``, such as 1 for acceptable."""


class FamilyMean(Record):
    """A mean over families, beside the means that forget families and the error that this would make."""

    runs: int
    families: int
    few_families: bool
    """Whether there are fewer than 15."""
    mean: float
    """Over families of the mean over variants of the mean over repetitions; the one to report."""
    by_family: Mapping[str, float]
    standard_error: float | None
    """Of `mean`, over families."""
    interval: Interval | None
    """t over families."""
    pooled_mean: float
    """Over all runs."""
    variant_mean: float
    """Over all variants of the mean over repetitions."""
    naive_error: float | None
    """Of `pooled_mean`, as if all runs were independent; too small when they are not."""
    cluster_robust_error: float | None
    """Of `pooled_mean`, by families, without small-sample correction (CR0)."""
    corrected_cluster_robust_error: float | None
    """`cluster_robust_error` times ``sqrt(G / (G - 1))`` for G families."""
    design_effect: float | None
    """How many times larger the honest variance of `pooled_mean` is than the naive one."""
    reason: str | None = None
    """Why errors and interval are missing."""


def family_mean(outcomes: Outcomes, *, confidence: float = 0.95) -> FamilyMean:
    """The mean of `outcomes` with families weighted equally.

    Raises:
        UsageError: When there is no family, or one has no variant or no repetition.
    """
    by_family = family_means(outcomes)
    runs = {family: [run for variant in variants for run in variant] for family, variants in outcomes.items()}
    every = [run for family in runs.values() for run in family]
    pooled = mean_of(every)
    families = len(by_family)
    naive = standard_error(every)
    robust = corrected = None
    if families > 1:
        residuals = [math.fsum(run - pooled for run in family) for family in runs.values()]
        robust = math.sqrt(math.fsum(residual**2 for residual in residuals)) / len(every)
        corrected = robust * math.sqrt(families / (families - 1))
    mean = mean_of(list(by_family.values()))
    error = standard_error(list(by_family.values()))
    return FamilyMean(
        runs=len(every),
        families=families,
        few_families=families < FEW_FAMILIES,
        mean=mean,
        by_family=by_family,
        standard_error=error,
        interval=None if error is None else t_interval(mean, error, families, confidence),
        pooled_mean=pooled,
        variant_mean=mean_of([mean_of(variant) for variants in outcomes.values() for variant in variants]),
        naive_error=naive,
        cluster_robust_error=robust,
        corrected_cluster_robust_error=corrected,
        design_effect=(robust / naive) ** 2 if robust is not None and naive else None,
        reason="one family says nothing about how families differ" if families == 1 else None,
    )


def family_means(outcomes: Outcomes) -> dict[str, float]:
    """The mean over variants of the mean over repetitions, for each family.

    Raises:
        UsageError: When there is no family, or one has no variant or no repetition.
    """
    if not outcomes:
        raise UsageError("there is no family to average; a mean over nothing is not a result")
    means: dict[str, float] = {}
    for family, variants in outcomes.items():
        if not variants or not all(variants):
            raise UsageError(
                f"family {family!r} has no run, or a variant of it has none; count it as a failure instead"
            )
        means[family] = mean_of([mean_of(variant) for variant in variants])
    return means


def t_interval(mean: float, error: float, n: int, confidence: float) -> Interval:
    """Student's t interval of a mean over `n` families."""
    return Interval.around(
        mean, two_sided_t(confidence, n - 1) * error, confidence=confidence, method="t over families"
    )


def mean_of(values: Sequence[float]) -> float:
    """The plain mean of at least one value."""
    return math.fsum(values) / len(values)


def variance_of(values: Sequence[float], *, lost_degrees: int = 1) -> float | None:
    """The variance with ``n - lost_degrees`` below the line; None when that is not above 0."""
    degrees = len(values) - lost_degrees
    if degrees < 1:
        return None
    mean = mean_of(values)
    return math.fsum((value - mean) ** 2 for value in values) / degrees


def standard_error(values: Sequence[float]) -> float | None:
    """Of the mean of independent values; None for a single one."""
    variance = variance_of(values)
    return None if variance is None else math.sqrt(variance / len(values))
