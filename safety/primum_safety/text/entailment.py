"""Whether a fact of an answer follows from the facts of a context."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from primum_safety.text import cues
from primum_safety.text.contrast import better_rival
from primum_safety.text.facts import Fact, read_facts
from primum_safety.text.frequency import Frequency
from primum_safety.text.names import find_medicines
from primum_safety.text.phrases import given
from primum_safety.text.quantities import Kind, Quantity
from primum_safety.text.tokens import Style
from primum_safety.text.units import Dimension, products
from primum_safety.text.wordlists import word_list
from primum_safety.text.words import stem, subject_words


@dataclass(frozen=True, slots=True)
class Question:
    """What the question adds: a subject for answers that name none, and values that may be echoed."""

    medicines: frozenset[str]
    roles: frozenset[str]
    populations: frozenset[str]
    words: frozenset[str]
    facts: tuple[Fact, ...]
    limit: str

    @staticmethod
    @lru_cache(maxsize=512)
    def read(text: str, vocabulary: frozenset[str] = frozenset()) -> "Question":
        """Reads a normalised question; `vocabulary` as in `read_facts`."""
        return Question(
            medicines=frozenset(m.name for m in find_medicines(text, vocabulary)),
            roles=cues.tags(cues.ROLES, text),
            populations=cues.tags(cues.POPULATIONS, text),
            words=frozenset(subject_words(text)) - {stem(m.where.of(text)) for m in find_medicines(text, vocabulary)},
            facts=read_facts(text, "", vocabulary),
            limit="<="
            if re.search(
                r"\b(?:max(?:imum|imal)?|highest|most|ceiling|limit|cap|upper|how\s+much)\b", text, re.IGNORECASE
            )
            else "",
        )


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a fact holds; if not, why, and the nearest fact of the context."""

    holds: bool
    rebound: bool = False
    why: str = ""
    nearest: Fact | None = None

    @staticmethod
    def absent(what: str) -> "Verdict":
        """Nothing like it in the context."""
        return Verdict(holds=False, why=f"no such {what}")


_ECHO: Final = re.compile(
    r"\b(?:not|rather\s+than|instead\s+of|n't|never|mention(?:ed|s)?|asked?|asks|question|stated|quoted|given|propose[ds]?|suggest(?:ed|s)?|your|you|exceeds?|incorrect|wrong|differs?|no\s+\w+|does\s+not|too\s+(?:high|low|much))\b",
    re.IGNORECASE,
)
_DOSE_DIMENSIONS: Final = frozenset(
    {Dimension.MASS, Dimension.VOLUME, Dimension.ACTIVITY, Dimension.SUBSTANCE, Dimension.EQUIVALENT}
)
_MONOVALENT_EXCLUDED: Final = re.compile(r"calcium|magnesium|phosph|\bca2|\bmg2", re.IGNORECASE)
_MONTH_HOURS: Final = Dimension.MONTHS


def entail(text: str, fact: Fact, answer: Sequence[Fact], context: Sequence[Fact], question: Question) -> Verdict:
    """Holds `fact`, one of those of an `answer` with `text`, against the facts of the context.

    A value of the question holds too, where it is only echoed.
    """
    if fact.attached or fact.quantity.derived or not _clinical(fact):
        return Verdict(holds=True)
    good: list[Fact] = []
    rejected: list[tuple[str, Fact]] = []
    for other in context:
        if _same_value(fact.quantity, other.quantity):
            conflict = _conflict(fact, other, context, question)
            if conflict is None:
                good.append(other)
            else:
                rejected.append((conflict, other))
    if good:
        rivals = [other for other in context if _rivals(fact, other, question)]
        rivals += [other for _, other in rejected if other.negated != fact.negated or _other_rhythm(fact, other)]
        alone = sum(given(mine.quantity) for mine in answer) == 1
        rival = better_rival(fact, good, rivals, question.words if alone else frozenset())
        if rival is None or _echoes(text, fact, question):
            return Verdict(holds=True)
        return Verdict(holds=False, rebound=True, why="which fits what the answer speaks of", nearest=rival)
    if _echoes(text, fact, question):
        return Verdict(holds=True)
    if rejected:
        why, other = rejected[0]
        return Verdict(holds=False, rebound=True, why=why, nearest=other)
    return Verdict(holds=False, why="another value", nearest=_nearest(fact, context))


def _clinical(fact: Fact) -> bool:
    """Whether a number without a unit means anything clinical here; counts of points and pages do not."""
    quantity = fact.quantity
    if quantity.kind is not Kind.BARE:
        return True
    if quantity.noun in word_list("discourse"):
        return False
    return Style.WORD not in quantity.style or bool(fact.comparator or fact.analytes)


def _same_value(one: Quantity, other: Quantity) -> bool:
    if Kind.BARE in (one.kind, other.kind):
        if one.kind is other.kind:
            return _ends(one.raw_low, one.raw_high) == _ends(other.raw_low, other.raw_high)
        bare, full = (one, other) if one.kind is Kind.BARE else (other, one)
        if full.kind is Kind.ORDINAL_DAY or bare is other:
            return False
        return _ends(bare.raw_low, bare.raw_high) == _ends(full.raw_low, full.raw_high)
    if _dimension(one) != _dimension(other):
        return False
    if _per(one) != _per(other):
        return False
    return _ends(*one.scaled()) == _ends(*other.scaled())


def _ends(low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
    return (low, high) if low <= high else (high, low)


def _dimension(quantity: Quantity) -> str:
    return Dimension.SUBSTANCE if quantity.dimension == Dimension.EQUIVALENT else quantity.dimension


_SITES: Final = frozenset({"eye", "nostril"})


def _per(quantity: Quantity) -> tuple[str, ...]:
    """Denominators that must agree; ``per dose`` and the product in ``5 mg per tablet`` are compared elsewhere."""
    return tuple(
        sorted(name for name, _ in quantity.per if name != "dose" and name not in products() and name not in _SITES)
    )


def _conflict(fact: Fact, other: Fact, context: Sequence[Fact], question: Question) -> str | None:
    """Why `other`, which has the same value, does not entail `fact`; None when it does."""
    medicines = fact.medicines or question.medicines
    if medicines and other.medicines and not medicines & other.medicines and _bound(fact, other):
        return f"for {_list(other.medicines)}, not {_list(medicines)}"
    if fact.analytes and other.analytes and not fact.analytes & other.analytes:
        return f"about {_list(other.analytes)}, not {_list(fact.analytes)}"
    why = (
        _comparator_conflict(fact, other, question)
        or _role_conflict(fact, other, question)
        or _population_conflict(fact, other)
    )
    if why is not None:
        return why
    if fact.routes and other.routes and not fact.routes & other.routes:
        return f"{_list(other.routes)}, not {_list(fact.routes)}"
    if cues.times_conflict(fact.time_role, other.time_role):
        return f"a time {other.time_role}, not {fact.time_role}"
    if fact.negated != other.negated and not fact.comparator and fact.quantity.kind in (Kind.AMOUNT, Kind.COUNT):
        return "one says to, the other not to"
    if (pair := cues.actions_conflict(fact.actions, other.actions)) is not None:
        return f"about when to {pair[1]}, not to {pair[0]}"
    return _time_conflict(fact, other, context)


def _bound(fact: Fact, other: Fact) -> bool:
    """Whether two facts must be about one medicine: both name theirs, or what they speak of is given to patients."""
    return (fact.named and other.named) or fact.quantity.kind is Kind.FREQUENCY or given(fact.quantity)


def _comparator_conflict(fact: Fact, other: Fact, question: Question) -> str | None:
    mine, theirs = fact.comparator.replace("~", ""), other.comparator.replace("~", "")
    if mine == theirs:
        return None
    if not mine and theirs and fact.quantity.kind in (Kind.AMOUNT, Kind.COUNT):
        if theirs == "<=" and ((question.limit and not fact.roles) or fact.quantity.strength_of):
            return None
        return f"a limit ({theirs}), not the amount itself" if theirs in ("<=", ">=") else None
    if not mine:
        return None
    if not theirs and fact.quantity.is_range:
        return None
    return f"compared as {theirs or 'equal'}, not {mine}"


def _role_conflict(fact: Fact, other: Fact, question: Question) -> str | None:
    pair = cues.roles_conflict(fact.roles or question.roles, other.roles)
    if pair is not None:
        return f"the {pair[1]} value, not the {pair[0]} value"
    if "step" in other.roles and not fact.roles & {"step", "added"}:
        return "a step by which a dose changes"
    if "step" in fact.roles and not other.roles & {"step", "added"}:
        return "a dose, not a step by which it changes"
    if "loading" in other.roles and "loading" not in fact.roles | question.roles and fact.roles:
        return "the loading value"
    return None


def _population_conflict(fact: Fact, other: Fact) -> str | None:
    mine = fact.populations
    if mine and other.populations and not mine & other.populations:
        return f"for {_list(other.populations)}, not {_list(mine)}"
    return None


def _time_conflict(fact: Fact, other: Fact, context: Sequence[Fact]) -> str | None:
    """Compares frequency and total period: once daily is a total per day, twice daily is not."""
    my_total, mine = _rhythm(fact)
    their_total, theirs = _rhythm(other)
    if fact.per_dose and their_total is not None and not other.per_dose:
        return "a total, not a single dose"
    if my_total is not None:
        return _total_conflict(my_total, mine, their_total, theirs)
    if mine is None:
        divided = (
            their_total is not None
            and their_total is other.quantity.total
            and (theirs is not None or other.quantity.per)
        )
        return "a total for a period, which the answer leaves out" if divided else None
    if theirs is not None:
        return None if mine.same(theirs) else "given at another frequency"
    if their_total is not None:
        return None if mine.same(their_total) else "a total for a period, not an amount at each time"
    return None if fact.shares_phrase or _said_apart(mine, fact, context) else "without that frequency"


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


def _said_apart(frequency: Frequency, fact: Fact, context: Sequence[Fact]) -> bool:
    """Whether the context gives a frequency on its own, for the same medicine."""
    interval = (frequency.shortest, frequency.longest)
    return any(
        _interval(loose) == interval
        and (not fact.medicines or not loose.medicines or bool(fact.medicines & loose.medicines))
        for loose in context
        if loose.quantity.kind is Kind.FREQUENCY and not loose.attached
    )


def _interval(fact: Fact) -> tuple[Fraction, Fraction]:
    return fact.quantity.low, fact.quantity.high


def _rivals(fact: Fact, other: Fact, question: Question) -> bool:
    """Whether `other` says something else of the same kind, so that the answer's words could mean it."""
    one, two = fact.quantity, other.quantity
    if one.kind is not two.kind or _dimension(one) != _dimension(two):
        return False
    if _per(one) != _per(two) and not (_by_size(one, two) and fact.populations & other.populations):
        return False
    medicines = fact.medicines or question.medicines
    if medicines and other.medicines and not medicines & other.medicines:
        return False
    same_sense = fact.comparator == other.comparator or (not fact.comparator and other.comparator == "<=")
    return same_sense and fact.negated == other.negated and not _same_value(one, two)


def _by_size(one: Quantity, two: Quantity) -> bool:
    """Whether the denominators differ only in being for a body weight or surface."""
    return set(_per(one)) ^ set(_per(two)) <= {Dimension.MASS, Dimension.AREA}


def _other_rhythm(fact: Fact, other: Fact) -> bool:
    """Whether the same amount is given at another frequency."""
    return fact.frequency is not None and other.frequency is not None and not fact.frequency.same(other.frequency)


def _echoes(text: str, fact: Fact, question: Question) -> bool:
    """Whether the value is the question's own, repeated but not endorsed as a dose."""
    for asked in question.facts:
        if not (_same_value(fact.quantity, asked.quantity) or _same_value(asked.quantity, fact.quantity)):
            continue
        quantity = fact.quantity
        is_dose = quantity.kind is Kind.COUNT or (
            quantity.kind is Kind.AMOUNT
            and quantity.dimension in _DOSE_DIMENSIONS
            and not _is_patient_value(quantity, fact)
        )
        if not is_dose:
            return not fact.comparator
        window = text[fact.sentence.start : min(fact.sentence.end, fact.where.end + 60)]
        return bool(_ECHO.search(window))
    return False


def _is_patient_value(quantity: Quantity, fact: Fact) -> bool:
    if quantity.dimension == Dimension.MASS and quantity.low >= 400 and not quantity.per:
        return bool(fact.analytes & {"weight"}) or fact.frequency is None
    return bool(quantity.per and set(quantity.per_kinds) <= {Dimension.VOLUME} and fact.analytes)


def _nearest(fact: Fact, context: Sequence[Fact]) -> Fact | None:
    def score(other: Fact) -> tuple[bool, bool, int]:
        return (
            _dimension(other.quantity) == _dimension(fact.quantity),
            bool(fact.medicines & other.medicines) or not fact.medicines,
            len(fact.words & other.words),
        )

    alike = [other for other in context if other.quantity.kind is fact.quantity.kind]
    return max(alike, key=score, default=None)


def _list(names: frozenset[str]) -> str:
    return ", ".join(sorted(names)) or "nothing"
