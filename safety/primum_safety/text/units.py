"""Units of measure with exact factors, and the nouns that doses are counted in; both are data files."""

from collections.abc import Iterator
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from importlib.resources import files
from typing import Final, NamedTuple


class Dimension(StrEnum):
    """What a unit measures, as far as the code needs to know; values of one dimension convert exactly."""

    MASS = "mass"
    VOLUME = "volume"
    SUBSTANCE = "substance"
    EQUIVALENT = "equivalent"
    ACTIVITY = "activity"
    """Units, international units."""
    TIME = "time"
    MONTHS = "months"
    """Months and years, which are no fixed number of hours."""
    LENGTH = "length"
    AREA = "area"
    CELSIUS = "celsius"
    FAHRENHEIT = "fahrenheit"
    ENERGY_CALORIE = "energy (cal)"
    ENERGY_JOULE = "energy (J)"
    PERCENT = "percent"
    RADIATION = "radiation"
    CELLS = "cells"


class Unit(NamedTuple):
    """A dimension and how many of its base units one of this unit is."""

    dimension: str
    factor: Fraction


@lru_cache(maxsize=1)
def _units() -> dict[str, Unit]:
    return {name: Unit(row[0], Fraction(row[1])) for row in _rows("units.tsv") for name in row[2].split()}


@lru_cache(maxsize=1)
def _counted() -> dict[str, str]:
    return {form: row[0] for row in _rows("counted.tsv") for form in row[1].split()}


@lru_cache(maxsize=1)
def products() -> frozenset[str]:
    """Counted nouns that hold a fixed amount of a medicine each, their strength."""
    return frozenset(row[0] for row in _rows("counted.tsv") if row[2:] == ["holds"])


def _rows(name: str) -> Iterator[list[str]]:
    for line in files("primum_safety.data").joinpath(name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


_ATTACHED: Final = frozenset(["m", "s", "d", "u", "cal", "ma", "pa", "pc", "mo", "j", "eq", "mol", "°", "kilo", "hz"])
"""Symbols that are letters or words of other kinds too, so that they count as units only where one must stand."""


@lru_cache(maxsize=8192)
def lookup(word: str, *, alone: bool = True) -> Unit | None:
    """The unit that `word` names.

    Args:
        word: A name or symbol, in its own capitals.
        alone: It stands after a plain number and a space, where letters with other uses are no units.
    """
    bare = word.rstrip(".")
    if bare != bare.lower() and bare in _units():
        return _units()[bare]
    low = bare.lower().replace(" ", "").replace("^", "")
    if alone and low in _ATTACHED:
        return None
    return _units().get(low)


@lru_cache(maxsize=8192)
def counted(word: str) -> str | None:
    """The counted noun (``tablet``, ``puff``, ``dose``) that `word` is a form of."""
    return _counted().get(word.lower())
