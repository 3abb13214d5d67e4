"""Two systems on the same cases: which flipped, in which direction, and whether that could be chance."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping

from primum.errors import UsageError
from primum.records.base import Rate, Record
from primum.records.interval import Interval
from primum.statistics.distributions import coin_tail, two_sided_z


class PairedOutcome(Record):
    """One case under both systems; True is acceptable."""

    case_id: str
    family: str
    base: bool
    candidate: bool


class FamilyFlips(Record):
    """The flips of one family, so that a total can never hide it."""

    base: Rate
    candidate: Rate
    regressed: int
    fixed: int


class PairedFlips(Record):
    """A paired comparison of acceptable and unacceptable answers."""

    n: int
    base: Rate
    candidate: Rate
    regressed: tuple[str, ...]
    """Ids of cases that were acceptable and no longer are, in the order given."""
    fixed: tuple[str, ...]
    """Ids of cases that have become acceptable."""
    two_sided_p: float
    """Exact McNemar; 1 when nothing flipped."""
    regression_p: float
    """One-sided sign test: chance of at least so many regressions among the flips if both directions were as likely."""
    difference: float | None
    """Candidate minus base, in shares of cases."""
    standard_error: float | None
    """Wald, paired: ``sqrt(b + c - (b - c)**2 / n) / n`` for b regressed and c fixed."""
    interval: Interval | None
    by_family: Mapping[str, FamilyFlips]
    reason: str | None = None
    """Why there is no difference."""


def paired_flips(outcomes: Iterable[PairedOutcome], *, confidence: float = 0.95) -> PairedFlips:
    """Compares two systems case by case.

    The p-values and the interval treat cases as independent; see `paired_family_difference` for wordings of one need.

    Raises:
        UsageError: When a case is given twice.
    """
    pairs = list(outcomes)
    repeated = [case_id for case_id, times in Counter(pair.case_id for pair in pairs).items() if times > 1]
    if repeated:
        raise UsageError(f"case {repeated[0]!r} is paired more than once; pair each case of the two runs once")
    z = two_sided_z(confidence)
    regressed = tuple(pair.case_id for pair in pairs if pair.base and not pair.candidate)
    fixed = tuple(pair.case_id for pair in pairs if pair.candidate and not pair.base)
    worse, better, n = len(regressed), len(fixed), len(pairs)
    flipped = worse + better
    difference = error = interval = None
    if n:
        difference = (better - worse) / n
        error = math.sqrt(flipped - (worse - better) ** 2 / n) / n
        interval = Interval.around(difference, z * error, confidence=confidence, method="paired Wald")
    families: dict[str, list[PairedOutcome]] = {}
    for pair in pairs:
        families.setdefault(pair.family, []).append(pair)
    return PairedFlips(
        n=n,
        base=_rate(pair.base for pair in pairs),
        candidate=_rate(pair.candidate for pair in pairs),
        regressed=regressed,
        fixed=fixed,
        two_sided_p=min(1.0, 2 * coin_tail(flipped, max(worse, better))),
        regression_p=coin_tail(flipped, worse),
        difference=difference,
        standard_error=error,
        interval=interval,
        by_family={family: _family(families[family]) for family in sorted(families)},
        reason=None if n else "there is no pair to compare",
    )


def _family(pairs: list[PairedOutcome]) -> FamilyFlips:
    return FamilyFlips(
        base=_rate(pair.base for pair in pairs),
        candidate=_rate(pair.candidate for pair in pairs),
        regressed=sum(pair.base and not pair.candidate for pair in pairs),
        fixed=sum(pair.candidate and not pair.base for pair in pairs),
    )


def _rate(outcomes: Iterable[bool]) -> Rate:
    listed = list(outcomes)
    return Rate(numerator=sum(listed), denominator=len(listed))
