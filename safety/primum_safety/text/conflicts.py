"""Why two facts with the same value do not say the same."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from primum_safety.text import cues
from primum_safety.text.bands import Band, about_patient, excluded
from primum_safety.text.fact import Fact
from primum_safety.text.frequency import Frequency
from primum_safety.text.quantity import Kind
from primum_safety.text.question import Question


def conflict(fact: Fact, other: Fact, loose: Sequence[Fact], question: Question) -> str | None:
    """Why `other`, which has the same value, does not entail `fact`; None when it does.

    Args:
        fact: A fact of the answer.
        other: A fact of the context.
        loose: The frequencies of the context that go with no amount.
        question: Supplies what the answer leaves to the question.
    """
    return (
        _subject_conflict(fact, other, question)
        or _comparator_conflict(fact, other, question)
        or _role_conflict(fact, other, question)
        or _circumstance_conflict(fact, other)
        or _band_conflict(fact, other, question)
        or _sense_conflict(fact, other)
        or _time_conflict(fact, other, loose)
    )


def other_rhythm(fact: Fact, other: Fact) -> bool:
    """Whether the two are given at different frequencies."""
    return fact.frequency is not None and other.frequency is not None and not fact.frequency.same(other.frequency)


def _subject_conflict(fact: Fact, other: Fact, question: Question) -> str | None:
    medicines = fact.medicines or question.medicines
    if medicines and other.medicines and not medicines & other.medicines and _bound(fact, other):
        return f"for {_list(other.medicines)}, not {_list(medicines)}"
    if apart := fact.without & other.medicines | other.without & fact.medicines:
        return f"with or without {_list(apart)}"
    if fact.analytes and other.analytes and not fact.analytes & other.analytes:
        return f"about {_list(other.analytes)}, not {_list(fact.analytes)}"
    return None


def _bound(fact: Fact, other: Fact) -> bool:
    """Whether two facts must be about one medicine: both name theirs, or what they speak of is given to patients."""
    return (fact.named and other.named) or fact.quantity.kind is Kind.FREQUENCY or fact.quantity.given()


def _comparator_conflict(fact: Fact, other: Fact, question: Question) -> str | None:
    mine, theirs = _settled(fact.comparator, other.comparator), _settled(other.comparator, fact.comparator)
    if mine == theirs or (_WITHIN in (fact.time_role, other.time_role) and {mine, theirs} <= _AT_MOST):
        return None
    if fact.quantity.kind is Kind.BARE and mine[:1] == theirs[:1] != "" and not _of_medicine(fact, question):
        return None  # a price "under 30" and "of at most 30"
    if not mine:
        if fact.quantity.kind not in (Kind.AMOUNT, Kind.COUNT) or theirs not in ("<=", ">="):
            return None
        if not fact.quantity.given():
            return None  # a laboratory value at the limit is on the side that the limit belongs to
        asked = theirs == "<=" and ((question.asks_limit and not fact.roles) or fact.quantity.strength_of)
        return None if asked else f"a limit ({theirs}), not the amount itself"
    if not theirs and fact.quantity.is_range:
        return None
    return f"compared as {theirs or 'equal'}, not {mine}"


def _settled(comparator: str, beside: str) -> str:
    """A comparator as it is compared: ``limited to 6 mg`` says 6 mg as well as at most 6 mg."""
    if comparator == "=<":
        return "<=" if beside in ("<", "<=") else ""
    return comparator.replace("~", "")


_DAY: Final = 24
"""Hours."""
_WITHIN: Final = "within"
_AT_MOST: Final = frozenset({"", "<", "<="})
"""How a time is compared that something must be done within: ``no later than an hour after arrival``."""


def _role_conflict(fact: Fact, other: Fact, question: Question) -> str | None:
    pair = cues.roles_conflict(fact.roles or question.roles, other.roles)
    if pair is not None and (fact.quantity.given() or _of_medicine(fact, question) or _of_medicine(other, question)):
        return f"the {pair[1]} value, not the {pair[0]} value"
    if "step" in other.roles and not fact.roles & {"step", "added"}:
        return "a step by which a dose changes"
    if "step" in fact.roles and not other.roles & {"step", "added"}:
        return "a dose, not a step by which it changes"
    if "loading" in other.roles and "loading" not in fact.roles | question.roles and fact.roles:
        return "the loading value"
    return None


def _of_medicine(fact: Fact, question: Question) -> bool:
    """Whether a value is about a medicine or a measure; "start" and "maintenance" have other senses elsewhere."""
    return bool(fact.medicines or fact.analytes or question.medicines)


def _circumstance_conflict(fact: Fact, other: Fact) -> str | None:
    for mine, theirs in ((fact.populations, other.populations), (fact.routes, other.routes)):
        if mine and theirs and not mine & theirs:
            return f"for {_list(theirs)}, not {_list(mine)}"
    if fact.time_role == "after" and other.time_role == "for" and "threshold" in other.roles:
        return None  # "when it has been so for 7 days" is after 7 days
    if cues.times_conflict(fact.time_role, other.time_role, days=fact.quantity.low >= _DAY):
        return f"a time {other.time_role}, not {fact.time_role}"
    return None


def _band_conflict(fact: Fact, other: Fact, question: Question) -> str | None:
    """Whether `other` is for patients outside the answer's band, or outside the value that the question gives."""
    if about_patient(fact.quantity):
        return None
    return "for patients in another band" if excluded(patient_of(fact, question), other.bands) else None


def patient_of(fact: Fact, question: Question) -> tuple[Band, ...]:
    """For whom a fact is said: its own bands, and the question's values of measures that it does not name."""
    measures = {band.measure for band in fact.bands}
    return (*fact.bands, *(band for band in question.bands if band.measure not in measures))


def _sense_conflict(fact: Fact, other: Fact) -> str | None:
    if fact.negated != other.negated and not fact.comparator and fact.quantity.kind in (Kind.AMOUNT, Kind.COUNT):
        return "one says to, the other not to"
    if fact.negated != other.negated and fact.comparator and fact.actions & other.actions:
        return f"one says when to {_list(fact.actions & other.actions)}, the other when not to"
    if (pair := cues.actions_conflict(fact.actions, other.actions)) is not None:
        return f"about when to {pair[1]}, not to {pair[0]}"
    return None


def _time_conflict(fact: Fact, other: Fact, loose: Sequence[Fact]) -> str | None:
    """Compares frequency and total period: once daily is a total per day, twice daily is not."""
    my_total, mine = _rhythm(fact)
    their_total, theirs = _rhythm(other)
    if fact.per_dose and their_total is not None and not other.per_dose:
        return "a total, not a single dose"
    if my_total is not None:
        return _total_conflict(my_total, mine, their_total, theirs)
    if mine is None:
        divided = other.quantity.total is not None and (theirs is not None or bool(other.quantity.per))
        return "a total for a period, which the answer leaves out" if divided else None
    if theirs is not None:
        return None if mine.same(theirs) else "given at another frequency"
    if their_total is not None:
        return None if mine.same(their_total) else "a total for a period, not an amount at each time"
    return None if fact.shares_phrase or _said_apart(mine, fact, loose) else "without that frequency"


def _rhythm(fact: Fact) -> tuple[Frequency | None, Frequency | None]:
    """The period that an amount is a total for, and how often it is given; each may be missing."""
    frequency = fact.frequency
    if frequency is not None and frequency.total:
        return fact.quantity.total or frequency, None
    return fact.quantity.total, frequency


def _total_conflict(
    my_total: Frequency, mine: Frequency | None, their_total: Frequency | None, theirs: Frequency | None
) -> str | None:
    if mine is not None:
        if their_total is None or not my_total.same(their_total):
            return "not a total for that period"
        return None if theirs is None or mine.same(theirs) else "given at another frequency"
    if their_total is not None and my_total.same(their_total):
        return None
    return None if theirs is not None and my_total.same(theirs) else "given with another time base"


def _said_apart(frequency: Frequency, fact: Fact, loose: Sequence[Fact]) -> bool:
    """Whether the context gives a frequency on its own, for the same medicine."""
    interval: tuple[Fraction, Fraction] = (frequency.shortest, frequency.longest)
    return any(
        (other.quantity.low, other.quantity.high) == interval
        and (not fact.medicines or not other.medicines or bool(fact.medicines & other.medicines))
        for other in loose
    )


def _list(names: frozenset[str]) -> str:
    return ", ".join(sorted(names)) or "nothing"
