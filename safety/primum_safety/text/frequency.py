"""How often: ``three times daily``, ``every 4 to 6 hours``, ``q8h``, ``each morning``, ``weekly``."""

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Final, NamedTuple

from primum_safety.text.sentences import Range
from primum_safety.text.units import Dimension


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


_WORDS: Final = dict(
    zip("one two three four five six seven eight nine ten eleven twelve".split(), range(1, 13), strict=True)  # noqa: SIM905 - reads better as a line
) | {"once": 1, "twice": 2, "thrice": 3, "single": 1, "another": 1, "second": 2, "third": 3, "fourth": 4, "other": 2}
_N = r"(?:\d{1,3}(?:\.\d+)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_TO = r"\s?(?:-|to|or)\s?"
_PERIODS: Final = {
    "min": (Fraction(1, 60), Dimension.TIME), "minute": (Fraction(1, 60), Dimension.TIME), "hour": (Fraction(1), Dimension.TIME), "hr": (Fraction(1), Dimension.TIME), "h": (Fraction(1), Dimension.TIME),
    "day": (Fraction(24), Dimension.TIME), "d": (Fraction(24), Dimension.TIME), "daily": (Fraction(24), Dimension.TIME), "night": (Fraction(24), Dimension.TIME), "morning": (Fraction(24), Dimension.TIME), "evening": (Fraction(24), Dimension.TIME), "afternoon": (Fraction(24), Dimension.TIME), "bedtime": (Fraction(24), Dimension.TIME), "noon": (Fraction(24), Dimension.TIME),
    "week": (Fraction(168), Dimension.TIME), "weekly": (Fraction(168), Dimension.TIME), "wk": (Fraction(168), Dimension.TIME), "fortnight": (Fraction(336), Dimension.TIME), "month": (Fraction(1), Dimension.MONTHS), "monthly": (Fraction(1), Dimension.MONTHS), "year": (Fraction(12), Dimension.MONTHS), "yearly": (Fraction(12), Dimension.MONTHS), "annum": (Fraction(12), Dimension.MONTHS), "quarter": (Fraction(3), Dimension.MONTHS),
}  # fmt: skip
_PERIOD = r"(?:minute|min|hour|hr|h|day|d|night|morning|evening|week|wk|fortnight|month|year|annum|quarter)"
_FIXED: Final = {
    "daily": 24, "nightly": 24, "nocte": 24, "mane": 24, "od": 24, "qd": 24, "o.d.": 24, "q.d.": 24, "qam": 24, "qpm": 24, "qhs": 24, "hs": 24, "noct": 24, "qday": 24,
    "bd": 12, "bid": 12, "b.d.": 12, "b.i.d.": 12, "bds": 12, "tds": 8, "tid": 8, "t.d.s.": 8, "t.i.d.": 8, "qds": 6, "qid": 6, "q.d.s.": 6, "q.i.d.": 6, "qod": 48, "q.o.d.": 48, "hourly": 1, "weekly": 168, "biw": 84, "tiw": 56, "qwk": 168, "qw": 168, "q2w": 336, "fortnightly": 336, "alternate days": 48, "alternate day": 48, "alternate-day": 48, "eod": 48,
}  # fmt: skip
_MONTHLY: Final = {
    "monthly": 1,
    "quarterly": 3,
    "yearly": 12,
    "annually": 12,
    "annual": 12,
    "6-monthly": 6,
    "biannually": 6,
}
_ERROR_PRONE: Final = frozenset({"qd", "q.d.", "qod", "q.o.d.", "hs", "qhs", "od", "o.d.", "biw", "tiw", "eod"})
_FREQUENCY: Final = re.compile(
    rf"(?P<times>\b(?:(?P<lo>once|twice|thrice|{_N})(?:{_TO}(?P<hi>twice|thrice|{_N}))?(?:\s?(?:times|x|doses)\b|(?<=ce)|(?<=\d)\s?x)|(?P<single>once|twice|thrice))"
    rf"(?:\s+only)?\s*(?:(?:in|per|a|an|each|every|/|during|over|within)\s*(?:a\s+|any\s+|each\s+|the\s+)?(?P<period>{_PERIOD}|24[\s-]?h(?:ours?|rs?)?(?:\s+period)?)\b|-?\s?(?P<ly>daily|weekly|monthly|yearly|hourly|nightly|annually)\b))"
    rf"|(?P<every>\b(?:every|each)\s+(?:(?P<elo>{_N})(?:\s*(?:hours?|h|days?|weeks?|months?)?{_TO}(?P<ehi>{_N}))?[\s-]*|(?P<nth>other|second|third|fourth|alternate|single)\s+)?(?P<eper>minute|min|hour|hr|h|day|night|morning|evening|afternoon|bedtime|week|wk|fortnight|month|year|quarter)(?:s|ly)?\b)"
    rf"|(?P<q>\bq\.?\s?(?P<qlo>\d{{1,3}})(?:\s?-\s?(?P<qhi>\d{{1,3}}))?\s?(?P<qper>hrs?|hours?|h|days?|d|weeks?|wks?|w|months?|mo|min)\b\.?(?:\s?ly)?)"
    rf"|(?P<hourly>\b(?P<hlo>{_N})(?:{_TO}(?P<hhi>{_N}))?[\s-]?(?P<hper>hourly|weekly|monthly|daily|minutely)\b)"
    rf"|(?P<apart>\b(?P<alo>{_N})(?:{_TO}(?P<ahi>{_N}))?[\s-]*(?P<aper>hour|day|week|month)s?\s+(?:apart|intervals?)\b|\bintervals\s+of\s+(?P<ilo>{_N})(?:{_TO}(?P<ihi>{_N}))?\s*(?P<iper>hour|day|week|month)s?\b)"
    r"|(?P<fixed>(?<![\w.])(?:q\.o\.d\.|q\.i\.d\.?|q\.d\.s\.?|t\.i\.d\.?|t\.d\.s\.?|b\.i\.d\.?|b\.d\.|o\.d\.|q\.d\.|qod|qds|qid|qhs|qam|qpm|qday|qwk|qd|qw|q2w|tds|tid|tiw|bds|bid|biw|bd|eod|od(?=\b)|hs|nocte|noct|mane"
    r"|(?:on\s+)?alternate[\s-]days?|every\s+other\s+day|once-daily|daily|nightly|hourly|fortnightly|weekly|monthly|quarterly|yearly|annually)(?![\w]))"
    rf"|(?P<per>(?:/|\bper\s|(?<!\bfor )(?<!\bafter )(?<!\bwithin )(?<!\bover )(?<!\bhalf )(?<!\bleast )(?<!\babout )(?<!\bthan )(?<!\blasting )(?<!\bin )(?<!\bof )(?<!\bonce )\ba\s)\s?(?P<pper>day|24\s?h(?:ours?|rs?)?|week|month|year|d|wk|fortnight|night)\b)"
    r"|(?P<in24>\b(?:in|during|within|over|for|per|/)\s+(?:a|any|each|one|every|the)?\s*(?:single\s+)?(?:24[\s-]?h(?:ours?|rs?)?(?:[\s-]period)?|(?:any\s+)?(?:one\s+)?day)\b)"
    r"|(?P<bed>\b(?:at|before)\s+(?:night|bedtime)\b|\bin\s+the\s+(?:morning|evening)\b)",
    re.IGNORECASE,
)  # fmt: skip


def frequencies(text: str) -> Iterator[Frequency]:
    """The frequencies in a normalised text, in order."""
    for match in _FREQUENCY.finditer(text):
        read = _read(match)
        if read is not None:
            yield read


def _number(word: str | None) -> Fraction | None:
    if word is None:
        return None
    low = word.lower()
    return Fraction(_WORDS[low]) if low in _WORDS else Fraction(low)


def _read(match: re.Match[str]) -> Frequency | None:
    where = Range(*match.span())
    if match["times"]:
        return _times(match, where)
    if match["every"]:
        factor, dimension = _PERIODS[match["eper"].lower()]
        low = _number(match["elo"]) or (
            Fraction(2)
            if match["nth"] and match["nth"].lower() == "alternate"
            else _number((match["nth"] or "one").replace("single", "one"))
        )
        return _interval(low, _number(match["ehi"]), factor, dimension, where)
    for group, lo, hi, per in (
        ("q", "qlo", "qhi", "qper"),
        ("hourly", "hlo", "hhi", "hper"),
        ("apart", "alo", "ahi", "aper"),
    ):
        if match[group]:
            if group == "apart" and match["ilo"]:
                lo, hi, per = "ilo", "ihi", "iper"
            return _by_unit(match, lo, hi, per, where)
    if match["fixed"]:
        return _fixed(match["fixed"].lower(), where)
    if match["per"] or match["in24"]:
        word = (match["pper"] or "day").lower()
        factor, dimension = _PERIODS["day" if word[0] == "2" else word]
        return Frequency(factor, factor, dimension, where, total=True)
    return Frequency(Fraction(24), Fraction(24), Dimension.TIME, where)


def _times(match: re.Match[str], where: Range) -> Frequency | None:
    word = (match["period"] or match["ly"]).lower()
    word = {"hourly": "hour", "nightly": "night", "annually": "year"}.get(word, "day" if word[0] == "2" else word)
    factor, dimension = _PERIODS[word]
    low = _number(match["lo"] or match["single"])
    high = _number(match["hi"]) or low
    if not low or not high:
        return None
    return Frequency(factor / high, factor / low, dimension, where)


def _interval(
    low: Fraction | None, high: Fraction | None, factor: Fraction, dimension: str, where: Range
) -> Frequency | None:
    if not low:
        return None
    return Frequency(low * factor, (high or low) * factor, dimension, where)


def _by_unit(match: re.Match[str], lo: str, hi: str, per: str, where: Range) -> Frequency | None:
    unit = match[per].lower()
    name = {
        "w": "week",
        "mo": "month",
        "minutely": "minute",
        "hourly": "hour",
        "weekly": "week",
        "monthly": "month",
        "daily": "day",
    }.get(unit, unit.rstrip("s") if len(unit) > 1 else unit)
    factor, dimension = _PERIODS["week" if name == "wk" else name]
    return _interval(_number(match[lo]), _number(match[hi]), factor, dimension, where)


def _fixed(word: str, where: Range) -> Frequency:
    word = " ".join(word.replace("-", " ").split())
    risky = word in _ERROR_PRONE
    if "alternate" in word or word == "every other day":
        return Frequency(Fraction(48), Fraction(48), Dimension.TIME, where)
    if word in _MONTHLY:
        return Frequency(Fraction(_MONTHLY[word]), Fraction(_MONTHLY[word]), Dimension.MONTHS, where)
    key = "daily" if word == "once daily" else word
    if key not in _FIXED and key + "." in _FIXED:
        key += "."
    hours = Fraction(_FIXED[key])
    return Frequency(hours, hours, Dimension.TIME, where, error_prone=risky)
