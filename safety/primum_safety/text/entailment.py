"""Whether a fact of an answer follows from the facts of a context."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from primum_safety.text import cues
from primum_safety.text.facts import Fact, read_facts
from primum_safety.text.frequency import Frequency
from primum_safety.text.names import medicine_mentions
from primum_safety.text.quantities import Kind, Quantity
from primum_safety.text.sentences import Range
from primum_safety.text.units import Dimension
from primum_safety.text.words import content_words


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
    def read(text: str) -> "Question":
        """Reads a normalised question."""
        return Question(
            medicines=frozenset(name for name, _ in medicine_mentions(text)),
            roles=cues.tags(cues.ROLES, text),
            populations=cues.tags(cues.POPULATIONS, text),
            words=frozenset(content_words(text)),
            facts=read_facts(text).facts,
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


def entail(
    text: str,
    fact: Fact,
    context: Sequence[Fact],
    loose: Sequence[tuple[Frequency, frozenset[str], Range]],
    question: Question,
) -> Verdict:
    """Holds `fact`, read from `text`, against the facts of the context and the echoes that the question allows."""
    same_value = [other for other in context if _same_value(fact.quantity, other.quantity)]
    reasons: list[tuple[int, str, Fact]] = []
    good: list[Fact] = []
    for other in same_value:
        conflict = _conflict(fact, other, loose, question)
        if conflict is None:
            good.append(other)
        else:
            reasons.append((len(conflict), conflict, other))
    if good:
        rival = _better_rival(fact, good, context, question)
        if rival is None:
            return Verdict(holds=True)
        if not _echoes(text, fact, question):
            return Verdict(
                holds=False, rebound=True, why="that is the value for what the answer speaks of", nearest=rival
            )
    if _echoes(text, fact, question):
        return Verdict(holds=True)
    if reasons:
        _, why, other = reasons[0]
        return Verdict(holds=False, rebound=True, why=why, nearest=other)
    return Verdict(holds=False, why="the values differ", nearest=_nearest(fact, context))


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


def _per(quantity: Quantity) -> tuple[str, ...]:
    """Denominators that must agree; ``per dose`` and the product in ``5 mg per tablet`` are compared elsewhere."""
    return tuple(sorted(name for name, _ in quantity.per if name != "dose"))


def _conflict(
    fact: Fact, other: Fact, loose: Sequence[tuple[Frequency, frozenset[str], Range]], question: Question
) -> str | None:
    """Why `other`, which has the same value, does not entail `fact`; None when it does."""
    medicines = fact.medicines or question.medicines
    if medicines and other.medicines and not medicines & other.medicines:
        return f"for {_list(other.medicines)}, not {_list(medicines)}"
    if fact.analytes and other.analytes and not fact.analytes & other.analytes:
        return f"about {_list(other.analytes)}, not {_list(fact.analytes)}"
    for check in (_comparator_conflict, _role_conflict, _population_conflict):
        if (why := check(fact, other, question)) is not None:
            return why
    if fact.routes and other.routes and not fact.routes & other.routes:
        return f"{_list(other.routes)}, not {_list(fact.routes)}"
    if (
        fact.negated != other.negated
        and fact.quantity.kind in (Kind.AMOUNT, Kind.COUNT)
        and fact.comparator not in ("<=", "<", ">", ">=")
    ):
        return "one says to, the other not to"
    if (pair := cues.actions_conflict(fact.actions, other.actions)) is not None:
        return f"about when to {pair[1]}, not to {pair[0]}"
    return _time_conflict(fact, other, loose)


def _comparator_conflict(fact: Fact, other: Fact, question: Question) -> str | None:
    mine, theirs = fact.comparator.replace("~", ""), other.comparator.replace("~", "")
    if mine == theirs:
        return None
    if not mine and theirs and fact.quantity.kind in (Kind.AMOUNT, Kind.COUNT):
        if theirs == "<=" and (question.limit or fact.quantity.strength_of):
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
    for role in ("increase", "decrease", "loading"):
        if role in other.roles and role not in fact.roles and role not in question.roles and fact.roles:
            return f"the {role} value"
    return None


def _population_conflict(fact: Fact, other: Fact, question: Question) -> str | None:
    mine = fact.populations
    if mine and other.populations and not mine & other.populations:
        return f"for {_list(other.populations)}, not {_list(mine)}"
    return None


def _time_conflict(fact: Fact, other: Fact, loose: Sequence[tuple[Frequency, frozenset[str], Range]]) -> str | None:
    """Compares frequency and total period: once daily is a total per day, twice daily is not."""
    mine, theirs = fact.frequency, other.frequency
    my_total = fact.quantity.total or (mine if mine is not None and mine.total else None)
    their_total = other.quantity.total or (theirs if theirs is not None and theirs.total else None)
    mine = mine if mine is not None and not mine.total else None
    theirs = theirs if theirs is not None and not theirs.total else None
    if fact.per_dose and their_total is not None and not other.per_dose:
        return "a total, not a single dose"
    if my_total is not None and mine is None:
        if their_total is not None and my_total.same(their_total):
            return None
        if theirs is not None and my_total.same(theirs):
            return None
        return "given with another time base"
    if my_total is not None and mine is not None:
        if their_total is None or not my_total.same(their_total):
            return "not a total for that period"
    if mine is None:
        if (
            their_total is not None
            and their_total is other.quantity.total
            and (theirs is not None or other.quantity.per)
        ):
            return "a total for a period, which the answer leaves out"
        return None
    if theirs is not None:
        return None if mine.same(theirs) else "given at another frequency"
    if their_total is not None:
        return None if mine.same(their_total) else "a total for a period, not an amount at each time"
    subject = fact.medicines
    if any(mine.same(f) and (not subject or not m or subject & m) for f, m, _ in loose):
        return None
    return "without that frequency"


def _better_rival(fact: Fact, good: Sequence[Fact], context: Sequence[Fact], question: Question) -> Fact | None:
    """A fact with another value that the words of the answer fit better than any fact with its value."""
    mine = fact.words
    for rival in context:
        if rival in good or not _comparable(fact, rival, question):
            continue
        if all(_fits_better(mine, rival, fit, question) for fit in good):
            return rival
    return None


def _fits_better(mine: frozenset[str], rival: Fact, fit: Fact, question: Question) -> bool:
    only_rival = (rival.words - fit.words) & mine
    only_fit = (fit.words - rival.words) & mine
    if only_rival and not only_fit:
        return True
    if not only_rival and not only_fit:
        asked_rival = (rival.words - fit.words) & question.words
        asked_fit = (fit.words - rival.words) & question.words
        return bool(asked_rival and not asked_fit and len(asked_rival) >= 1 and not fit.words & mine - rival.words)
    return False


def _comparable(fact: Fact, rival: Fact, question: Question) -> bool:
    one, other = fact.quantity, rival.quantity
    if one.kind is not other.kind or _dimension(one) != _dimension(other):
        return False
    medicines = fact.medicines or question.medicines
    if medicines and rival.medicines and not medicines & rival.medicines:
        return False
    return fact.comparator == rival.comparator and not _same_value(one, other)


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
