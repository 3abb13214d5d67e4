"""Words, numbers and negations of a text, as the lexical judge counts them."""

import re
from typing import Final

_TOKEN: Final = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")
_NUMBER: Final = re.compile(r"(\d+(?:[.,]\d+)*)(?:[\s\u00a0\u202f-]{0,2}([^\W\d_]+|%))?")

_STOPWORDS: Final = frozenset(
    """
    a about after all also am an and any are as at be because been before being between both but by can could did do
    does each for from had has have he her here his how i if in into is it its may me might more most must my of on
    once only or other our out over own per please shall she should so some such tell than that the their them then
    there these they this those through to under until up upon very was we were what when where which while who whom
    whose why will with would you your
    """.split()  # noqa: SIM905 - a word list is easier to read and to extend as text
)
_ASKING: Final = frozenset(
    """
    ask bad fine first get give given happen know let like long look many much need now often ok okay problem question
    right say start state still take want watch write
    """.split()  # noqa: SIM905 - a word list is easier to read and to extend as text
)
_NEGATIONS: Final = frozenset({"no", "not", "never", "none", "neither", "nor", "cannot"})
_NEGATED: Final = re.compile(r"\w+n['\u2019]t\b", re.IGNORECASE)

_UNITS: Final = {
    "microgram": "mcg", "micrograms": "mcg", "mcg": "mcg", "ug": "mcg", "\u00b5g": "mcg", "\u03bcg": "mcg",
    "milligram": "mg", "milligrams": "mg", "mg": "mg", "gram": "g", "grams": "g", "g": "g", "kilogram": "kg",
    "kilograms": "kg", "kg": "kg", "nanogram": "ng", "nanograms": "ng", "ng": "ng", "ml": "ml", "millilitre": "ml",
    "millilitres": "ml", "milliliter": "ml", "milliliters": "ml", "l": "l", "litre": "l", "litres": "l", "liter": "l",
    "liters": "l", "mmol": "mmol", "mol": "mol", "meq": "meq", "unit": "unit", "units": "unit", "iu": "unit",
    "%": "%", "percent": "%", "hour": "h", "hours": "h", "h": "h", "hr": "h", "hrs": "h", "minute": "min",
    "minutes": "min", "min": "min", "day": "d", "days": "d", "week": "w", "weeks": "w", "month": "mo", "months": "mo",
    "year": "y", "years": "y",
}  # fmt: skip


def asked_words(question: str) -> frozenset[str]:
    """Content words of a question, without those that only ask."""
    return content_words(question) - _ASKING


def content_words(text: str) -> frozenset[str]:
    """Words and numbers that carry content, in lower case and without an English plural s."""
    tokens = (token.casefold() for token in _TOKEN.findall(text))
    return frozenset(_stem(token) for token in tokens if token not in _STOPWORDS)


def quantities(text: str) -> frozenset[tuple[str, str | None]]:
    """The numbers of a text, each with the unit that follows it, if one does."""
    return frozenset((_number(number), _UNITS.get(unit.casefold())) for number, unit in _NUMBER.findall(text))


def missing_quantities(text: str, within: str) -> bool:
    """Whether a number of `text` does not stand in `within`, with its unit or, as in a table's cell, without one."""
    held = quantities(within)
    numbers = {number for number, _ in held}
    return any(
        number not in numbers if unit is None else not {(number, unit), (number, None)} & held
        for number, unit in quantities(text)
    )


def negates(text: str) -> bool:
    """Whether a text holds a word of negation."""
    words = {token.casefold() for token in _TOKEN.findall(text)}
    return bool(words & _NEGATIONS) or _NEGATED.search(text) is not None


def _stem(word: str) -> str:
    if word[0].isdigit():
        return _number(word)
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _number(text: str) -> str:
    """One form for equal numbers: 1,000 and 1000; 0.50 and 0.5. A comma is read as a thousands mark where it can be."""
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", text):
        text = text.replace(",", "")
    text = text.replace(",", ".")
    if text.count(".") == 1:
        text = text.rstrip("0").rstrip(".")
    return text.lstrip("0") or "0" if not text.startswith("0.") else text
