"""Dose phrases: amounts that say one thing together, and the frequency that goes with them.

``two 5 mg tablets twice daily``, ``10 mL (500 mg) every 6 hours`` and ``875 mg/125 mg twice daily`` are one phrase
each: the frequency holds for every amount in it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Final

from primum_safety.text.frequency import Frequency
from primum_safety.text.quantity import Kind, Quantity

_TOGETHER: Final = re.compile(
    r"\s*(?:\(|\(?=|/|\+|\(?\s*i\.e\.,?|\(?(?:that\s+is|equivalent\s+to|equal\s+to|which\s+is|containing|each\s+of|each\s+containing|of|x|@|at)|of\s+[a-z-]+(?:\s+[a-z-]+)?|[a-z-]+\s*\()\s*",
    re.IGNORECASE,
)
_APART: Final = re.compile(r";|\bthen\b|\n|[.!?]\s|\bfollowed\b|\|", re.IGNORECASE)
_NEW_DOSE: Final = re.compile(r"\b(?:maximum|max)\b", re.IGNORECASE)
_ASIDE: Final = re.compile(r"\s*[(,]\s*(?:i\.e\.,?\s*|that\s+is,?\s*|one\s+dose\s+)?")
_AND: Final = re.compile(r",?\s+and\s+(?:again\s+)?", re.IGNORECASE)
_LIMITS_DOSE: Final = re.compile(r"\s+(?:must|should|may|can)\s?not\s+(?:exceed|be\s+more)\b", re.IGNORECASE)
_HALF_DAY: Final = Fraction(12)
"""Hours."""
_GAP: Final = 60
"""Characters between an amount and the frequency that goes with it, at most."""


_LONGEST: Final = 6
"""Amounts in one phrase, at most."""


@dataclass(slots=True)
class Phrase:
    """Neighbouring amounts that say one thing."""

    members: list[Quantity]
    frequency: Frequency | None = None

    @property
    def start(self) -> int:
        """Offset of the first amount."""
        return self.members[0].where.start

    @property
    def end(self) -> int:
        """Offset after the last amount."""
        return max(member.where.end for member in self.members)


def group(text: str, quantities: Sequence[Quantity]) -> list[Phrase]:
    """The phrases of a sentence's quantities, in order."""
    phrases: list[Phrase] = []
    for quantity in quantities:
        if phrases and len(phrases[-1].members) < _LONGEST and _continues(text, phrases[-1], quantity):
            phrases[-1].members.append(quantity)
        else:
            phrases.append(Phrase([quantity]))
    return phrases


def _continues(text: str, phrase: Phrase, quantity: Quantity) -> bool:
    last = phrase.members[-1]
    doses = (Kind.AMOUNT, Kind.COUNT)
    if last.kind not in doses or quantity.kind not in doses or last.given() != quantity.given():
        return False
    if quantity.where.start < last.where.end:
        return True
    between = text[last.where.end : quantity.where.start]
    return len(between) <= 40 and (not between.strip() or _TOGETHER.fullmatch(between) is not None)


def attach(text: str, phrases: Sequence[Phrase], often: Sequence[Frequency]) -> list[Frequency]:
    """Gives each phrase its frequency; returns those that belong to none.

    A frequency goes with the nearest amount before it that has none yet, else with the nearest one after it.
    """
    rest: list[Frequency] = []
    doses = [p for p in phrases if any(member.given() for member in p.members)]
    for frequency in often:
        before = next((p for p in reversed(doses) if p.members[0].where.end <= frequency.where.start), None)
        after = next((p for p in doses if p.start >= frequency.where.end), None)
        free = before is not None and before.frequency is None and _follows(text, before, frequency)
        if before is not None and free:
            before.frequency = frequency
        elif before is not None and _restates(text, before, frequency):
            continue
        elif after is not None and after.frequency is None and _near(text, frequency.where.end, after.start, "."):
            after.frequency = frequency
        else:
            rest.append(frequency)
    _join_halves(text, doses)
    return rest


def said_again(text: str, phrases: Sequence[Phrase], at: int) -> bool:
    """Whether ``one dose`` only says again how a dose is given: ``twice a day, one dose every 12 hours``."""
    one = phrases[at].members[0]
    if one.kind is not Kind.COUNT or one.dimension != "dose" or one.low != 1 or one.is_range:
        return False
    often = phrases[at].frequency
    before = phrases[at - 1].frequency if at else None
    if often is not None and before is not None:
        return often.same(before)
    return _LIMITS_DOSE.match(text, one.where.end) is not None


def _restates(text: str, phrase: Phrase, frequency: Frequency) -> bool:
    """Whether a frequency says the phrase's own again, right after it: ``three times a day (every 8 hours)``."""
    own = phrase.frequency
    if own is None or not own.same(frequency) or frequency.where.start < own.where.end:
        return False
    return _ASIDE.fullmatch(text, own.where.end, frequency.where.start) is not None


def _join_halves(text: str, doses: Sequence[Phrase]) -> None:
    """Reads ``6 mg in the morning and 6 mg in the evening`` as 6 mg twice a day."""
    for first, second in pairwise(doses):
        if first.frequency is None or second.frequency is None:
            continue
        one, two = first.frequency.where.of(text).lower(), second.frequency.where.of(text).lower()
        alike = first.members[-1].same_value(second.members[0])
        joined = _AND.fullmatch(text, max(first.end, first.frequency.where.end), second.start) is not None
        if alike and joined and one.endswith("morning") and two.endswith(("evening", "night", "bedtime")):
            first.frequency = first.frequency._replace(shortest=_HALF_DAY, longest=_HALF_DAY)
            second.frequency = second.frequency._replace(shortest=_HALF_DAY, longest=_HALF_DAY)


def _follows(text: str, phrase: Phrase, frequency: Frequency) -> bool:
    """Whether a frequency stands close after an amount of a phrase, with nothing new begun in between."""
    start = max(m.where.end for m in phrase.members if m.where.end <= frequency.where.start)
    fresh = _NEW_DOSE.search(text, start, frequency.where.start)
    return fresh is None and _near(text, start, frequency.where.start)


def _near(text: str, start: int, end: int, extra: str = "") -> bool:
    gap = text[start:end]
    return len(gap) <= _GAP and not _APART.search(gap) and not (extra and "," in gap)
