"""Faults put into a line that gives a dose, by rule; only such as the source does not say somewhere itself."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Final

_UNIT: Final = r"(?:mg|g|mcg|micrograms?|µg|μg|ng|mL|ml|L|units?|IU|MU|mmol|mEq|%)"
DOSE: Final = re.compile(rf"(?<![\w.,/-])(\d+(?:\.\d+)?)(\s?)({_UNIT})(?![A-Za-z])")
_PER_KG: Final = re.compile(rf"(\d+(?:\.\d+)?\s?{_UNIT})\s?(?:/|per )\s?[Kk][Gg]\b")
_OFTEN: Final = re.compile(
    r"\b(?:(?P<hours>every (?P<n>\d+) hours)|(?:once|twice|(?:two|three|four) times) (?:daily|a day))"
)
_FACTORS: Final = (Decimal(3), Decimal("0.3"), Decimal(7), Decimal(10))
_OTHER_UNIT: Final = {"mg": "g", "g": "mg", "mcg": "mg", "microgram": "mg", "micrograms": "mg", "ml": "L", "mL": "L"}
_PEOPLE: Final = frozenset({"adults", "children", "infants", "neonates", "neonate", "elderly", "pregnant", "maximum"})


def mutations(line: str, source: str) -> Iterator[tuple[str, str]]:
    """The kinds of fault that `line` can have, each with the line in which it was put."""
    dose = DOSE.search(line)
    if dose is None:
        return
    number, gap, unit = dose.groups()
    factors = (factor for factor in _FACTORS if not _gives(source, f"{Decimal(number) * factor:f}", unit))
    if (factor := next(factors, None)) is not None:
        yield "another number", _with(line, dose, f"{(Decimal(number) * factor).normalize():f}{gap}{unit}")
    if (other := _OTHER_UNIT.get(unit)) is not None and not _gives(source, number, other):
        yield "another unit", _with(line, dose, f"{number}{gap}{other}")
    if (often := _OFTEN.search(line)) is not None:
        wrong = _with(line, often, f"every {int(often['n']) * 2} hours" if often["hours"] else "once weekly")
        if wrong not in source:
            yield "another frequency", wrong
    if (weight := _PER_KG.search(line)) is not None and not re.search(
        re.escape(weight[1]) + r"(?!\s?(?:/|per)\s?kg)", source, re.IGNORECASE
    ):
        yield "per kg lost", _with(line, weight, weight[1])


def swapped(line: str, lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """`line` with the dose of the next line that begins with the name of something else."""
    name, dose = _first_word(line), DOSE.search(line)
    if dose is None or name is None:
        return
    own = " ".join(other for other in lines if name in other.lower())
    after = lines.index(line) + 1
    for other in (*lines[after:], *lines[:after]):
        theirs = DOSE.search(other)
        if theirs is not None and _first_word(other) not in (None, name) and not _gives(own, theirs[1], theirs[3]):
            yield "dose of another line", _with(line, dose, theirs.group())
            return


def _first_word(line: str) -> str | None:
    """The word that a line begins with, when it may be a name."""
    found = re.match(r"[A-Z]?[a-z]{5,}(?=[\s:,-])", line)
    return None if found is None or found.group().lower() in _PEOPLE else found.group().lower()


def _gives(text: str, number: str, unit: str) -> bool:
    """Whether `text` has the number, with this unit or as the lower end of a range; figures alone would say less."""
    plain = f"{Decimal(number).normalize():f}"
    return (
        re.search(rf"(?<![\d.]){re.escape(plain)}(?:\.0+)?\s?(?:{re.escape(unit)}\b|[-\u2013/]|to\b)", text) is not None
    )


def _with(line: str, match: re.Match[str], put: str) -> str:
    return line[: match.start()] + put + line[match.end() :]
