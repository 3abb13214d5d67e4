"""Several comparisons at once: p-values adjusted for how many were made.

Holm is for measures that gate; Benjamini-Hochberg is for sorting what to look at. Hard safety gates are counts, not
p-values, and nothing here may touch them.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction

from primum.errors import UsageError
from primum.records.base import Record


class Adjusted(Record):
    """Adjusted p-values, in the order given."""

    method: str
    alpha: float
    p_values: tuple[float, ...]
    rejected: tuple[bool, ...]
    """Whether the adjusted p-value is at most alpha."""


def bonferroni(p_values: Sequence[float], *, alpha: float = 0.05) -> Adjusted:
    """Each p-value times their number; controls the chance of any false alarm."""
    exact = _exact(p_values)
    return _adjusted("Bonferroni", [len(exact) * p for p in exact], alpha)


def holm(p_values: Sequence[float], *, alpha: float = 0.05) -> Adjusted:
    """Step down (Holm 1979): as safe as Bonferroni and never weaker."""
    exact = _exact(p_values)
    return _adjusted("Holm", _stepwise(exact, lambda rank: len(exact) - rank, rising=True), alpha)


def benjamini_hochberg(p_values: Sequence[float], *, alpha: float = 0.05) -> Adjusted:
    """Step up (Benjamini and Hochberg 1995): controls the share of false alarms among the alarms."""
    exact = _exact(p_values)
    count = len(exact)
    return _adjusted(
        "Benjamini-Hochberg", _stepwise(exact, lambda rank: Fraction(count, rank + 1), rising=False), alpha
    )


def _stepwise(p_values: Sequence[Fraction], factor: Callable[[int], Fraction | int], *, rising: bool) -> list[Fraction]:
    """Multiplies by a factor of the rank (from 0) and keeps the result in the order of the p-values."""
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    adjusted = list(p_values)
    limit = Fraction(0) if rising else Fraction(1)
    for rank in range(len(order)) if rising else reversed(range(len(order))):
        value = p_values[order[rank]] * factor(rank)
        limit = max(limit, value) if rising else min(limit, value)
        adjusted[order[rank]] = limit
    return adjusted


def _exact(p_values: Sequence[float]) -> list[Fraction]:
    """As decimals, so that 5 times 0.01 is 0.05 and not a hair more."""
    for p in p_values:
        if not 0 <= p <= 1:
            raise UsageError(f"{p!r} is no p-value; they lie from 0 to 1")
    return [Fraction(repr(float(p))) for p in p_values]


def _adjusted(method: str, p_values: Sequence[Fraction], alpha: float) -> Adjusted:
    capped = [min(p, Fraction(1)) for p in p_values]
    limit = Fraction(repr(float(alpha)))
    return Adjusted(
        method=method,
        alpha=alpha,
        p_values=tuple(float(p) for p in capped),
        rejected=tuple(p <= limit for p in capped),
    )
