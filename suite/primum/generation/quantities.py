"""Numbers in clinical text: amounts of medicine, bands of tables, and numbers that set a condition."""

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

_DIGITS = r"(?<![\w.])(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
_NUMBER = rf"{_DIGITS}(?![A-Za-z\d])"
_AMOUNT: Final = re.compile(
    rf"(?P<number>{_DIGITS})\s*(?P<unit>micrograms?|mcg|\u00b5g|\u03bcg|milligrams?|mg|grams?|g|international\s+units|units?|IU|mL|mmol|%)"
    rf"(?P<per>/kg|/m2)?(?![\w/])"
)
_TO_MG: Final = {"mcg": Decimal("0.001"), "mg": Decimal(1), "g": Decimal(1000)}
_RANGE: Final = re.compile(
    rf"(?P<low>{_NUMBER})\s*(?:to|-|\u2013|and)\s*(?P<high>{_NUMBER})"
    rf"|(?:below|under|less\s+than|<)\s*(?P<below>{_NUMBER})"
    rf"|(?:above|over|more\s+than|>)\s*(?P<above>{_NUMBER})"
    rf"|(?:up\s+to|at\s+most|\u2264|<=)\s*(?P<most>{_NUMBER})"
    rf"|(?:at\s+least|from|\u2265|>=)\s*(?P<least>{_NUMBER})"
    rf"|(?P<only>{_NUMBER})(?:\s*(?P<word>or\s+(?:more|above|over|less|below|under)))?",
    re.IGNORECASE,
)
_LIMIT: Final = re.compile(
    rf"\b(?:above|below|over|under|older\s+than|younger\s+than|more\s+than|less\s+than|at\s+least|greater\s+than|between)\s+(?P<number>{_NUMBER})",
    re.IGNORECASE,
)
_ANY: Final = re.compile(_NUMBER)


@dataclass(frozen=True, slots=True)
class Band:
    """A range of numbers; None where it is open, and `low_in`/`high_in` tell whether an end belongs to it."""

    low: Decimal | None
    high: Decimal | None
    low_in: bool = True
    high_in: bool = True

    def holds(self, other: "Band") -> bool:
        """Whether all of `other` lies in this band."""
        return self._above_low(other) and self._below_high(other)

    def _above_low(self, other: "Band") -> bool:
        if self.low is None:
            return True
        if other.low is None:
            return False
        return other.low > self.low or (other.low == self.low and (self.low_in or not other.low_in))

    def _below_high(self, other: "Band") -> bool:
        if self.high is None:
            return True
        if other.high is None:
            return False
        return other.high < self.high or (other.high == self.high and (self.high_in or not other.high_in))


def number(text: str) -> Decimal:
    """The value of a number as it is written, with or without commas between thousands."""
    return Decimal(text.replace(",", ""))


def amounts(text: str) -> frozenset[tuple[Decimal, str]]:
    """Amounts of medicine, with milligrams, grams and micrograms made comparable."""
    found: set[tuple[Decimal, str]] = set()
    for match in _AMOUNT.finditer(text):
        unit = _unit(match["unit"])
        scale = _TO_MG.get(unit)
        value = number(match["number"])
        per = match["per"] or ""
        found.add((value * scale, f"mg{per}") if scale is not None else (value, unit + per))
    return frozenset(found)


def _unit(text: str) -> str:
    low = text.lower()
    if low in ("microgram", "micrograms", "mcg", "\u00b5g", "\u03bcg"):
        return "mcg"
    if low in ("milligram", "milligrams", "mg"):
        return "mg"
    return "g" if low in ("gram", "grams", "g") else "units" if "unit" in low or low == "iu" else low


def without_amounts(text: str) -> str:
    """The text with its amounts of medicine taken out."""
    return _AMOUNT.sub(" ", text)


def bands(text: str) -> list[Band]:
    """Ranges and single numbers in a text, in order."""
    return [_band(match) for match in _RANGE.finditer(text)]


def _band(match: re.Match[str]) -> Band:
    if match["low"]:
        return Band(number(match["low"]), number(match["high"]))
    if match["below"]:
        return Band(None, number(match["below"]), high_in=False)
    if match["above"]:
        return Band(number(match["above"]), None, low_in=False)
    if match["most"]:
        return Band(None, number(match["most"]))
    if match["least"]:
        return Band(number(match["least"]), None)
    value, word = number(match["only"]), (match["word"] or "").lower().split()
    if not word:
        return Band(value, value)
    return Band(value, None) if word[-1] in ("more", "above", "over") else Band(None, value)


def limits(text: str) -> frozenset[Decimal]:
    """Numbers that a text makes a condition of, such as 75 in "older than 75 years"."""
    return frozenset(number(match["number"]) for match in _LIMIT.finditer(text))


def numbers(text: str) -> frozenset[Decimal]:
    """All numbers that stand on their own."""
    return frozenset(number(match[0]) for match in _ANY.finditer(text))
