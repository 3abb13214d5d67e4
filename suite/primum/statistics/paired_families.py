"""Two systems on the same families: the difference, its interval, and the decision against a margin."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction

from primum.errors import UsageError
from primum.records.base import Record
from primum.records.comparison import NonInferiority
from primum.records.interval import Interval
from primum.statistics.distributions import require_share, t_quantile
from primum.statistics.families import FEW_FAMILIES, Outcomes, standard_error, t_interval

MOST_SUMS = 1_000_000
"""The exact sign-flip test keeps the distinct sums of the differences; past this many it gives no p-value."""


class PairedFamilyDifference(Record):
    """Candidate minus base, by family."""

    families: int
    few_families: bool
    """Whether there are fewer than 15."""
    differences: Mapping[str, float]
    mean: float
    standard_error: float | None
    """Of the mean of the paired differences."""
    interval: Interval | None
    """Two-sided t over families."""
    lower: float | None
    """One-sided bound at the same confidence."""
    upper: float | None
    """One-sided bound at the same confidence."""
    unpaired_error: float | None
    """What the error would look like if the pairing were thrown away."""
    two_sided_p: float | None
    """Exact sign-flip test: share of all 2**G sign patterns with a mean at least as far from 0; ties count."""
    worse_p: float | None
    """Share of the sign patterns with a mean at least as low."""
    worst_family: str
    """Family with the lowest difference."""
    margin: float
    decision: NonInferiority
    reason: str | None = None
    """Why something is missing."""


def paired_family_difference(
    base: Outcomes, candidate: Outcomes, *, margin: float, confidence: float = 0.95
) -> PairedFamilyDifference:
    """Compares two systems family by family.

    Args:
        base: Outcomes of the accepted system, as family to variants to repetitions.
        candidate: Outcomes of the system under test, for the same families.
        margin: How far the candidate may be worse, in the unit of the outcomes; 0 or more.
        confidence: Of the interval (two-sided) and of each bound (one-sided).

    Raises:
        UsageError: When the families differ, one has no run, or the margin is negative.
    """
    require_share("confidence", confidence)
    if not (math.isfinite(margin) and margin >= 0):
        raise UsageError(f"the margin is {margin!r}; it is a number from 0 up")
    if base.keys() != candidate.keys():
        apart = ", ".join(map(repr, sorted(base.keys() ^ candidate.keys())))
        raise UsageError(f"families in one run only: {apart}; compare runs of the same cases")
    before, after = _exact_means(base), _exact_means(candidate)
    exact = {family: after[family] - before[family] for family in before}
    differences = {family: float(difference) for family, difference in exact.items()}
    families = len(differences)
    mean = float(sum(exact.values()) / families)
    error = standard_error(list(differences.values()))
    interval = lower = upper = unpaired = None
    reason = "one family says nothing about how families differ" if families == 1 else None
    if error is not None:
        interval = t_interval(mean, error, families, confidence)
        reach = t_quantile(confidence, families - 1) * error
        lower, upper = mean - reach, mean + reach
        unpaired = math.hypot(
            standard_error([float(value) for value in before.values()]) or 0.0,
            standard_error([float(value) for value in after.values()]) or 0.0,
        )
    two_sided, worse = sign_flip_p(list(exact.values()))
    if two_sided is None:
        reason = f"the {families} differences have too many sums for the exact sign-flip test"
    return PairedFamilyDifference(
        families=families,
        few_families=families < FEW_FAMILIES,
        differences=differences,
        mean=mean,
        standard_error=error,
        interval=interval,
        lower=lower,
        upper=upper,
        unpaired_error=unpaired,
        two_sided_p=two_sided,
        worse_p=worse,
        worst_family=min(differences, key=differences.__getitem__),
        margin=margin,
        decision=_decide(lower, upper, margin),
        reason=reason,
    )


def sign_flip_p(differences: Sequence[Fraction]) -> tuple[float | None, float | None]:
    """Exact sign-flip p-values of paired differences: two-sided, and one-sided for a fall.

    All ``2**G`` sign patterns are counted by their sums, in whole numbers, so equal sums are equal.

    Returns:
        Two shares from 0 to 1, or (None, None) when there are too many distinct sums to count.
    """
    scale = math.lcm(*(difference.denominator for difference in differences))
    steps = [int(difference * scale) for difference in differences]
    observed = sum(steps)
    sums: dict[int, int] = {0: 1}
    for step in steps:
        flipped: defaultdict[int, int] = defaultdict(int)
        for total, ways in sums.items():
            flipped[total + step] += ways
            flipped[total - step] += ways
        sums = flipped
        if len(sums) > MOST_SUMS:
            return None, None
    patterns = 2 ** len(steps)
    as_far = sum(ways for total, ways in sums.items() if abs(total) >= abs(observed))
    as_low = sum(ways for total, ways in sums.items() if total <= observed)
    return float(Fraction(as_far, patterns)), float(Fraction(as_low, patterns))


def _exact_means(outcomes: Outcomes) -> dict[str, Fraction]:
    """Family means as fractions, so that equal differences are recognised as equal."""
    if not outcomes:
        raise UsageError("there is no family to compare")
    means: dict[str, Fraction] = {}
    for family in sorted(outcomes):
        variants = outcomes[family]
        if not variants or not all(variants):
            raise UsageError(
                f"family {family!r} has no run, or a variant of it has none; count it as a failure instead"
            )
        of_variants = [sum((_exact(run) for run in variant), Fraction(0)) / len(variant) for variant in variants]
        means[family] = sum(of_variants, Fraction(0)) / len(variants)
    return means


def _exact(value: float) -> Fraction:
    """The decimal that a float prints as, not its binary neighbour."""
    return Fraction(value) if isinstance(value, int) else Fraction(repr(float(value)))


def _decide(lower: float | None, upper: float | None, margin: float) -> NonInferiority:
    if lower is not None and lower > -margin:
        return NonInferiority.NON_INFERIOR
    if upper is not None and upper < -margin:
        return NonInferiority.REGRESSED
    return NonInferiority.INCONCLUSIVE
