"""How often: ``three times daily``, ``every 4 to 6 hours``, ``q8h``, ``each morning``, ``weekly``."""

import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from importlib.resources import files
from typing import Final, NamedTuple

from primum_safety.text.patterns import lower_case, lower_pattern
from primum_safety.text.sentences import Range
from primum_safety.text.units import Dimension, lookup


class Frequency(NamedTuple):
    """The time between doses, in hours or months; a range when the text gives one."""

    shortest: Fraction
    longest: Fraction
    dimension: str
    where: Range
    total: bool = False
    """Written as an amount per period (``per day``), which may be divided."""
    error_prone: bool = False
    """Written in a way that is known to be misread, such as QD, QOD."""

    def same(self, other: "Frequency") -> bool:
        """Whether both mean the same interval."""
        return (self.shortest, self.longest, self.dimension) == (other.shortest, other.longest, other.dimension)


_NUMBERS: Final = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "once": 1, "twice": 2, "thrice": 3, "second": 2, "other": 2, "alternate": 2, "third": 3,
    "fourth": 4, "single": 1,
}  # fmt: skip
_DAY_PARTS: Final = frozenset({"night", "morning", "evening", "afternoon", "bedtime", "noon"})
_N = r"(?:\d{1,3}(?:\.\d+)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_TO = r"\s?(?:-|to|or)\s?"
_DAY = r"24[\s-]?h(?:ours?|rs?)?(?:[\s-]+period)?"
_PERIOD = r"(?:minute|min|hour|hr|h|day|d|night|morning|evening|week|wk|fortnight|month|year|annum|quarter)"
_ADVERB = r"(?:daily|weekly|monthly|yearly|hourly|nightly|annually)"
_NO_SPAN = "".join(
    rf"(?<!\b{word} )"
    for word in (
        "for",
        "after",
        "within",
        "over",
        "half",
        "least",
        "about",
        "than",
        "lasting",
        "in",
        "of",
        "once",
        "and",
        "or",
    )
)
"""Words after which ``a week`` is a stretch of time, not a frequency."""

# Each form with its groups: lo and hi for numbers, per for the period.
_FORMS: Final[Mapping[str, str]] = {
    "both": (
        r"\b(?:(?:once|one(?:\s+dose)?)\s+)?(?:(?:every|each|in\s+the)\s+)?morning\s+and\s+"
        r"(?:(?:again|once|one(?:\s+dose)?)\s+)?(?:(?:every|each|in\s+the|at)\s+)?(?:night|evening|bedtime)\b"
    ),
    "times": (
        rf"\b(?:(?P<times_lo>once|twice|thrice|{_N})(?:{_TO}(?P<times_hi>twice|thrice|{_N}))?"
        r"(?:\s?(?:times|x|doses)\b|(?<=ce)|(?<=\d)\s?x))(?:\s+only)?\s*"
        rf"(?:(?:in|per|a|an|each|every|/|during|over|within)\s*(?:(?:a|any|each|the)\s+)?(?P<times_per>{_PERIOD}|{_DAY})\b"
        rf"|-?\s?(?P<times_ly>{_ADVERB})\b)"
    ),
    "every": (
        rf"\b(?:every|each)\s+(?:(?P<every_lo>{_N})(?:\s*(?:hours?|h|days?|weeks?|months?)?{_TO}(?P<every_hi>{_N}))?[\s-]*"
        r"|(?P<every_nth>other|second|third|fourth|alternate|single)\s+)?"
        r"(?P<every_per>minute|min|hour|hr|h|day|night|morning|evening|afternoon|bedtime|week|wk|fortnight|month|year|quarter)"
        r"(?:s|ly)?\b"
    ),
    "q": (
        r"\bq\.?\s?(?P<q_lo>\d{1,3})(?:\s?-\s?(?P<q_hi>\d{1,3}))?\s?"
        r"(?P<q_per>hrs?|hours?|h|days?|d|weeks?|wks?|w|months?|mo|min)\b\.?(?:\s?ly)?"
    ),
    "hourly": (
        rf"\b(?P<hourly_lo>{_N})(?:{_TO}(?P<hourly_hi>{_N}))?[\s-]?(?P<hourly_per>hourly|weekly|monthly|daily|minutely)\b"
    ),
    "apart": (
        rf"\b(?P<apart_lo>{_N})(?:{_TO}(?P<apart_hi>{_N}))?[\s-]*(?P<apart_per>hour|day|week|month)s?\s+(?:apart|intervals?)\b"
    ),
    "intervals": (
        rf"\bintervals\s+of\s+(?P<intervals_lo>{_N})(?:{_TO}(?P<intervals_hi>{_N}))?\s*"
        r"(?P<intervals_per>hour|day|week|month)s?\b"
    ),
    "total": (
        rf"(?:/|\bper\s|{_NO_SPAN}\ba\s)\s?(?P<total_per>day|{_DAY}|week|month|year|d|wk|fortnight|night)\b"
    ),
    "in_a_day": (
        rf"\b(?:in|during|within|over|for|per)\s+(?:(?:a|any|each|one|every|the)\s+)?(?:single\s+)?(?:{_DAY}|(?:one\s+)?day)\b"
    ),
    "part": r"\b(?:at|before)\s+(?:night|bedtime)\b|\bin\s+the\s+(?:morning|evening)\b",
}  # fmt: skip


@lru_cache(maxsize=1)
def _fixed() -> Mapping[str, tuple[str, bool]]:
    """Frequencies of one word or abbreviation: their interval, and whether they are known to be misread."""
    lines = files("primum_safety.data").joinpath("frequencies.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return {row[0]: (row[1], row[2:] == ["misread"]) for row in rows}


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    words = sorted(_fixed(), key=len, reverse=True)
    # A dotted abbreviation may lose its last stop to the end of the sentence; a space may be a hyphen.
    spelt = "|".join(re.sub(r"\\\.$", r"\\.?", re.escape(word)).replace(r"\ ", r"[\s-]") for word in words)
    forms = {"fixed": rf"(?<![\w.])(?:{spelt})(?!\w)", **_FORMS}
    order = ("both", "times", "every", "q", "hourly", "apart", "intervals", "fixed", "total", "in_a_day", "part")
    # All of them begin a word, but for "/day".
    return lower_pattern(rf"(?:(?<!\w)|(?=/))(?:{'|'.join(f'(?P<{name}>{forms[name]})' for name in order)})")


def frequencies(text: str) -> Iterator[Frequency]:
    """The frequencies in a normalised text, in order."""
    for match in _pattern().finditer(lower_case(text)):
        read = _READERS.get(match.lastgroup or "", _by_period)(match, Range(*match.span()))
        if read is not None:
            yield read


def _number(word: str | None) -> Fraction | None:
    if word is None:
        return None
    low = word.lower()
    return Fraction(_NUMBERS[low]) if low in _NUMBERS else Fraction(low)


def _period(word: str) -> tuple[Fraction, str]:
    """A period in hours or months, whatever form of the word a text uses."""
    low = word.lower()
    if low in _DAY_PARTS or low[0] == "2" or low in ("daily", "nightly"):
        return Fraction(24), Dimension.TIME
    if low in ("annum", "annually", "yearly"):
        return Fraction(12), Dimension.MONTHS
    if low == "quarter":
        return Fraction(3), Dimension.MONTHS
    unit = lookup({"w": "week"}.get(low, low.removesuffix("ly")), alone=False)
    return (unit.factor, unit.dimension) if unit else (Fraction(24), Dimension.TIME)


def _by_period(match: re.Match[str], where: Range) -> Frequency | None:
    """``every 8 hours``, ``q8h``, ``8-hourly``, ``8 hours apart``, ``every second day``."""
    form = match.lastgroup or ""
    factor, dimension = _period(match[f"{form}_per"])
    nth = match["every_nth"] if form == "every" else None
    low = _number(match[f"{form}_lo"] or nth) or Fraction(1)
    high = _number(match[f"{form}_hi"]) or low
    return Frequency(min(low, high) * factor, max(low, high) * factor, dimension, where) if low and high else None


def _times(match: re.Match[str], where: Range) -> Frequency | None:
    """``three times a day``, ``once or twice weekly``."""
    factor, dimension = _period(match["times_per"] or match["times_ly"])
    low = _number(match["times_lo"])
    high = _number(match["times_hi"]) or low
    if not low or not high:
        return None
    return Frequency(factor / max(low, high), factor / min(low, high), dimension, where)


def _by_word(match: re.Match[str], where: Range) -> Frequency | None:
    word = " ".join(match.group().lower().replace("-", " ").split())
    interval, risky = _fixed().get(word) or _fixed()[f"{word}."]
    dimension = Dimension.MONTHS if interval.endswith("m") else Dimension.TIME
    every = Fraction(interval.rstrip("m"))
    return Frequency(every, every, dimension, where, error_prone=risky)


def _total(match: re.Match[str], where: Range) -> Frequency | None:
    """``per day``, ``in 24 hours``."""
    factor, dimension = _period(match["total_per"] or "day")
    return Frequency(factor, factor, dimension, where, total=True)


def _day_part(match: re.Match[str], where: Range) -> Frequency | None:
    hours = Fraction(12 if match.lastgroup == "both" else 24)
    return Frequency(hours, hours, Dimension.TIME, where)


_READERS: Final[Mapping[str, Callable[[re.Match[str], Range], Frequency | None]]] = {
    "both": _day_part, "times": _times, "fixed": _by_word, "total": _total, "in_a_day": _total, "part": _day_part,
}  # fmt: skip
