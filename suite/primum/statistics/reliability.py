"""pass^k and pass@k: how a system does when it is asked k times."""

from collections.abc import Mapping
from fractions import Fraction
from math import comb

from primum.errors import UsageError
from primum.records.base import Rate, Record


class PassK(Record):
    """Chances for k answers drawn from those observed, without replacement."""

    k: int
    at_least_one: float | None
    """pass@k: at least one of k answers is acceptable. It flatters; do not gate on it."""
    every: float | None
    """pass^k: all k answers are acceptable. What a patient who asks k times can rely on."""
    reason: str | None = None
    """Why they are undefined."""


class FamilyPassK(Record):
    """pass@k and pass^k for each family, and their means with families weighted equally."""

    k: int
    by_family: Mapping[str, PassK]
    mean: PassK
    """None when one family is undefined: a mean over the others would be about something else."""


def pass_k(successes: int, n: int, k: int) -> PassK:
    """pass@k ``1 - C(n-c, k)/C(n, k)`` and pass^k ``C(c, k)/C(n, k)`` from `successes` (c) among `n` answers.

    Raises:
        UsageError: Unless ``0 <= successes <= n`` and k is at least 1.
    """
    some, every = _exact(successes, n, k)
    if some is None or every is None:
        return PassK(k=k, at_least_one=None, every=None, reason=f"{n} answers do not hold {k}")
    return PassK(k=k, at_least_one=float(some), every=float(every))


def pass_k_by_family(trials: Mapping[str, Rate], k: int) -> FamilyPassK:
    """pass@k and pass^k of each family; `trials` gives acceptable answers of answers.

    Raises:
        UsageError: When there is no family or k is below 1.
    """
    if not trials:
        raise UsageError("there is no family to average")
    exact = {family: _exact(rate.numerator, rate.denominator, k) for family, rate in trials.items()}
    short = sorted(family for family, (some, _) in exact.items() if some is None)
    if short:
        mean = PassK(k=k, at_least_one=None, every=None, reason=f"fewer than {k} answers in {', '.join(short)}")
    else:
        mean = PassK(
            k=k,
            at_least_one=float(sum((some or Fraction(0) for some, _ in exact.values()), Fraction(0)) / len(exact)),
            every=float(sum((every or Fraction(0) for _, every in exact.values()), Fraction(0)) / len(exact)),
        )
    by_family = {family: pass_k(rate.numerator, rate.denominator, k) for family, rate in trials.items()}
    return FamilyPassK(k=k, by_family=by_family, mean=mean)


def _exact(successes: int, n: int, k: int) -> tuple[Fraction | None, Fraction | None]:
    if not 0 <= successes <= n or k < 1:
        raise UsageError(f"pass^{k} of {successes}/{n} makes no sense; it needs 0 <= successes <= n and k from 1 up")
    if k > n:
        return None, None
    ways = comb(n, k)
    return 1 - Fraction(comb(n - successes, k), ways), Fraction(comb(successes, k), ways)
