"""For whom a value holds: bands of age, weight, clearance or a laboratory value, and whether a patient is in them."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from primum_safety.text.quantity import Kind, Quantity
from primum_safety.text.units import Dimension


@dataclass(frozen=True, slots=True)
class Band:
    """An interval of one measure; an end of None is open without limit."""

    measure: str
    low: Fraction | None
    high: Fraction | None
    low_in: bool = True
    high_in: bool = True

    @property
    def is_point(self) -> bool:
        """Whether it is one patient's value."""
        return self.low is not None and self.low == self.high

    def meets(self, other: "Band") -> bool:
        """Whether some value lies in both."""
        return not (self.below(other) or other.below(self))

    def below(self, other: "Band") -> bool:
        """Whether all of this band lies below all of the other."""
        if self.high is None or other.low is None:
            return False
        return self.high < other.low or (self.high == other.low and not (self.high_in and other.low_in))


def about_patient(quantity: Quantity) -> bool:
    """Whether a value says for whom or when a dose is: an age, a body weight, a laboratory value."""
    if quantity.dimension == Dimension.PERCENT:
        return False
    measured = quantity.kind not in (Kind.TIME, Kind.FREQUENCY, Kind.ORDINAL_DAY) and not quantity.given()
    return measured or (quantity.kind is Kind.TIME and quantity.dimension == Dimension.MONTHS)


def band_of(quantity: Quantity, comparator: str, analytes: frozenset[str]) -> Band | None:
    """The band that a value with its comparator describes; None for values that describe no patient."""
    if not about_patient(quantity) or quantity.derived:
        return None
    kind, dimension, per = quantity.sort
    measure = "/".join((dimension, *per)) if dimension else f"{kind} {' '.join(sorted(analytes))}"
    low, high = quantity.low, quantity.high
    if kind == Kind.BARE and "age" in analytes:
        measure, low, high = Dimension.MONTHS, low * 12, high * 12
    if kind == Kind.BARE and analytes & _CLEARANCES:
        measure, low, high = f"{Dimension.VOLUME}/{Dimension.TIME}", low / 1000, high / 1000
    if comparator in ("<", "<=", "=<"):
        return Band(measure, None, high, high_in=comparator != "<")
    if comparator in (">", ">="):
        return Band(measure, low, None, low_in=comparator == ">=")
    return Band(measure, low, high)


_CLEARANCES: Final = frozenset({"clearance", "egfr"})
"""Measures whose bare numbers are mL/min."""


def included(mine: Iterable[Band], theirs: Iterable[Band]) -> bool:
    """Whether the patient is in a band of `theirs`: one of the same measure meets it."""
    own = list(mine)
    return any(other.measure == band.measure and other.meets(band) for band in theirs for other in own)


def excluded(mine: Iterable[Band], theirs: Iterable[Band]) -> Band | None:
    """A band of `theirs` that the answer's patient is outside of; None when there is none.

    Only a measure that both name counts. Bands that the answer gives itself come before a single patient's value.
    """
    own = list(mine)
    for band in theirs:
        alike = [other for other in own if other.measure == band.measure]
        ranges = [other for other in alike if not other.is_point] or alike
        if ranges and not band.is_point and not any(band.meets(other) for other in ranges):
            return band
    return None
