"""Quantiles of the few distributions that the statistics need: the one place that asks scipy."""

from fractions import Fraction
from math import comb
from typing import Any

from primum.errors import UsageError


def normal_quantile(probability: float) -> float:
    """The standard normal value below which `probability` of the mass lies."""
    return float(_special().ndtri(probability))


def t_quantile(probability: float, degrees: int) -> float:
    """The value of Student's t with `degrees` of freedom below which `probability` of the mass lies."""
    return float(_special().stdtrit(degrees, probability))


def beta_quantile(probability: float, a: float, b: float) -> float:
    """The value of the beta distribution below which `probability` of the mass lies."""
    return float(_special().betaincinv(a, b, probability))


def coin_tail(n: int, at_least: int) -> float:
    """Chance of `at_least` or more heads in `n` tosses of a fair coin; exact."""
    return float(Fraction(sum(comb(n, heads) for heads in range(max(at_least, 0), n + 1)), 2**n))


def two_sided_z(confidence: float) -> float:
    """The normal quantile of a two-sided interval, such as 1.96 for 0.95."""
    return normal_quantile(1 - (1 - require_share("confidence", confidence)) / 2)


def two_sided_t(confidence: float, degrees: int) -> float:
    """The t quantile of a two-sided interval."""
    return t_quantile(1 - (1 - require_share("confidence", confidence)) / 2, degrees)


def require_share(name: str, value: float) -> float:
    """`value`, or UsageError unless it lies strictly between 0 and 1."""
    if not 0 < value < 1:
        raise UsageError(f"{name} is {value!r}; it lies strictly between 0 and 1")
    return value


def _special() -> Any:
    """The special functions of scipy, which ships no types: its numbers become floats here and nowhere else."""
    from scipy import special  # type: ignore[import-untyped]  # pyright: ignore[reportMissingTypeStubs]

    return special
