"""Clock times and calendar days, told apart from quantities, and compared as far as both texts give them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from primum_safety.text.patterns import lower_case, lower_pattern
from primum_safety.text.sentences import Range


class Scale(StrEnum):
    """What a moment is a point of."""

    CLOCK = "time"
    DAY = "date"


@dataclass(frozen=True, slots=True)
class Moment:
    """A clock time or a day; what the text leaves open is None."""

    scale: Scale
    whole: int | None
    """Whether before (0) or after noon (1), for a clock time; the year, for a day."""
    coarse: int
    """The hour of the half day, or the month."""
    fine: int
    """The minute, or the day of the month."""
    where: Range

    def agrees(self, other: "Moment") -> bool:
        """Whether both can be the same moment."""
        whole = None in (self.whole, other.whole) or self.whole == other.whole
        return (self.scale, self.coarse, self.fine) == (other.scale, other.coarse, other.fine) and whole


_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\.?"
)
_YEAR: Final = r"(?:,?\s(?P<{name}_year>(?:19|20)\d\d))?\b"
_PATTERN: Final = lower_pattern(
    r"\b(?P<hour>[01]?\d|2[0-3])[:.](?P<minute>[0-5]\d)\s?(?P<half>[ap])\.?m\b"
    r"|\b(?:at|by|before|until|till|from)\s(?P<at_hour>[01]?\d|2[0-3]):(?P<at_minute>[0-5]\d)\b(?!:|\s?[ap]\.?m)"
    r"|\b(?P<whole_hour>1[0-2]|[1-9])\s?(?P<whole_half>[ap])\.?m\b"
    rf"|\b(?P<first_day>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?\s(?:of\s)?(?P<first_month>{_MONTH})"
    + _YEAR.format(name="first")
    + rf"|\b(?P<last_month>{_MONTH})\s(?P<last_day>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?(?![\d:.%/-])"
    + _YEAR.format(name="last")
)
_EDITORIAL: Final = lower_pattern(
    r"\b(?:review(?:ed)?|updated?|published|issued|accessed|printed|version|dated|as\sof|retrieved|revis(?:ed|ion)|valid"
    r"|edition|approved|effective|checked)\b[^.\n]{0,20}$"
)
_DIGIT: Final = re.compile(r"\d")


_EARLIER: Final = re.compile(r"(?<![\d.:/])(\d{1,2})(?:st|nd|rd|th)?\s?(-|to|until|,|and|or|&)\s?$")
_SPAN: Final = ("-", "to", "until")
_IN_FIGURES: Final = re.compile(r"\b\d{1,4}([/.-])\d{1,2}\1\d{2,4}\b")
"""A date in figures only, whose order of day and month is not known."""


def moments(text: str) -> Iterator[Moment]:
    """The clock times and days of a normalised text, in order; when a document was issued or read is none of them."""
    if not _DIGIT.search(text):
        return
    low = lower_case(text)
    for match in _PATTERN.finditer(low):
        if _EDITORIAL.search(low[max(0, match.start() - 40) : match.start()]) is None:
            moment = _moment(match)
            yield from _listed(low, moment)
            yield moment


def unsupported(said: str, sources: Sequence[str]) -> list[Moment]:
    """The moments of an answer that no source gives, where the sources give others of the same scale."""
    given = [moment for source in sources for moment in moments(source)]
    return [
        moment
        for moment in moments(said)
        if not (moment.scale is Scale.DAY and any(_IN_FIGURES.search(source) for source in sources))
        and any(other.scale is moment.scale for other in given)
        and not any(moment.agrees(other) for other in given)
    ]


def _listed(low: str, last: Moment) -> Iterator[Moment]:
    """The moments before the last one of a list or range, as in ``14 to 16 March``."""
    earlier = _EARLIER.search(low[max(0, last.where.start - 12) : last.where.start])
    if earlier is None:
        return
    first, join = int(earlier[1]), earlier[2]
    if last.scale is Scale.CLOCK:
        yield replace(last, whole=None, coarse=first % 12, fine=0)
    else:
        days = range(first, last.fine) if join in _SPAN else (first,)
        yield from (replace(last, fine=day) for day in days)


def _moment(match: re.Match[str]) -> Moment:
    where = Range(*match.span())
    for name in ("first", "last"):
        if match[f"{name}_day"]:
            year = match[f"{name}_year"]
            month = _MONTHS.index(match[f"{name}_month"][:3]) + 1
            return Moment(Scale.DAY, int(year) if year else None, month, int(match[f"{name}_day"]), where)
    hour = int(match["hour"] or match["at_hour"] or match["whole_hour"])
    minute = int(match["minute"] or match["at_minute"] or 0)
    half = match["half"] or match["whole_half"]
    afternoon = half == "p" if half else None
    if match["at_hour"] and (hour > 12 or match["at_hour"].startswith("0")):
        afternoon = hour >= 12
    return Moment(Scale.CLOCK, None if afternoon is None else int(afternoon), hour % 12, minute, where)
