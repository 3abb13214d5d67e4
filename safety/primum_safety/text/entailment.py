"""Whether a fact of an answer follows from the facts of a context."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from primum_safety.text.bands import excluded, included
from primum_safety.text.conflicts import conflict, other_rhythm, patient_of
from primum_safety.text.contrast import better_rival
from primum_safety.text.fact import Fact
from primum_safety.text.quantity import Ends, Kind, Quantity, Sort
from primum_safety.text.question import Question
from primum_safety.text.tokens import Style
from primum_safety.text.units import Dimension, lookup
from primum_safety.text.wordlists import word_list


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a fact holds; if not, why, and the nearest fact of the context."""

    holds: bool
    rebound: bool = False
    """Whether the context has the value, for something else."""
    why: str = ""
    nearest: Fact | None = None
    by: tuple[Fact, ...] = ()
    """The facts of the context that entail it."""


class Evidence:
    """The facts of a context, found quickly by value and by sort."""

    def __init__(self, facts: Sequence[Fact]) -> None:
        self.facts = facts
        self.clinical = any(f.medicines or f.quantity.given() for f in facts) or any(f.analytes for f in facts)
        """Whether the context speaks of medicines or of what is measured in patients."""
        self.loose = [f for f in facts if f.quantity.kind is Kind.FREQUENCY and not f.attached]
        self._by_value: dict[tuple[Sort, Ends], list[Fact]] = defaultdict(list)
        self._by_written: dict[Ends, list[Fact]] = defaultdict(list)
        self._by_dimension: dict[tuple[str, str], list[Fact]] = defaultdict(list)
        for fact in facts:
            kind, dimension, _ = fact.quantity.sort
            self._by_value[fact.quantity.sort, fact.quantity.value].append(fact)
            self._by_dimension[kind, dimension].append(fact)
            if kind not in (Kind.ORDINAL_DAY, Kind.FREQUENCY):
                self._by_written[fact.quantity.written].append(fact)

    def with_value(self, quantity: Quantity) -> list[Fact]:
        """The facts with the same value; for a number without a unit, those that are written with that number."""
        if quantity.kind is Kind.BARE:
            return self._by_written.get(quantity.written, []) + self._as_percent(quantity)
        found = self._by_value.get((quantity.sort, quantity.value), [])
        if quantity.dimension == Dimension.PERCENT:
            return found + self._as_fraction(quantity)
        if quantity.kind is Kind.ORDINAL_DAY and (unit := lookup(quantity.dimension)) is not None:
            # "until day 7" re-states "for the first 7 days".
            last = quantity.high * unit.factor
            return found + [
                f for f in self._by_dimension.get((Kind.TIME, Dimension.TIME), ()) if f.quantity.high == last
            ]
        return found

    def _as_percent(self, quantity: Quantity) -> list[Fact]:
        """The percentages that a fraction such as ``a quarter`` says in words."""
        if not 0 < quantity.low <= quantity.high < 1:
            return []
        percent = (quantity.low * 100, quantity.high * 100)
        alike = self._by_dimension.get((Kind.AMOUNT, Dimension.PERCENT), ())
        return [f for f in alike if (f.quantity.low, f.quantity.high) == percent]

    def _as_fraction(self, percentage: Quantity) -> list[Fact]:
        """The fractions that a percentage says in figures."""
        if not 0 < percentage.low <= percentage.high < 100:
            return []
        share = (percentage.low / 100, percentage.high / 100)
        return [f for f in self._by_dimension.get((Kind.BARE, ""), ()) if (f.quantity.low, f.quantity.high) == share]

    def rivals(self, fact: Fact, question: Question) -> Iterator[Fact]:
        """The facts that say something else of the same kind, so that the answer's words could mean them."""
        kind, dimension, per = fact.quantity.sort
        medicines = fact.medicines or question.medicines
        for other in self._by_dimension.get((kind, dimension), ()):
            if other.quantity.value == fact.quantity.value and other.quantity.sort == fact.quantity.sort:
                continue
            if other.quantity.given() != fact.quantity.given():
                continue  # a body weight is no rival of a dose
            if fact.beside and other.beside and fact.beside != other.beside:
                continue  # each amount has its own medicine right before it
            if question.in_band(fact) and not question.in_band(other):
                continue  # the band that the patient is in, beside one that the patient is not in
            if medicines and other.medicines and not medicines & other.medicines:
                continue
            sized = set(per) ^ set(other.quantity.sort[2]) <= _SIZES and bool(fact.populations & other.populations)
            if per != other.quantity.sort[2] and not sized:
                continue
            same_sense = fact.comparator == other.comparator or (not fact.comparator and other.comparator == "<=")
            if same_sense and fact.negated == other.negated:
                yield other

    def divides(self, fact: Fact) -> bool:
        """Whether the context speaks of several doses of the fact's medicine, such as ``in 2 divided doses``."""
        return any(
            other.quantity.high > 1
            and not (fact.medicines and other.medicines and not fact.medicines & other.medicines)
            for other in self._by_dimension.get((Kind.COUNT, "dose"), ())
        )

    def nearest(self, fact: Fact, question: Question, rejected: Fact | None = None) -> Fact | None:
        """The fact to compare with: the one that applies to the patient, else a near one of the same medicine.

        Args:
            fact: The fact of the answer that does not hold.
            question: Names the medicine and gives the patient's values where the answer does not.
            rejected: The fact that has the value for something else; it is near, unless another applies better.
        """
        kind, dimension, _ = fact.quantity.sort
        medicines = fact.medicines or question.medicines
        alike = self._by_dimension.get((kind, dimension)) or [f for f in self.facts if f.quantity.kind is kind]
        alike = [
            other
            for other in alike
            if other.quantity.given() == fact.quantity.given()
            and not (medicines and other.medicines and not medicines & other.medicines)
        ]
        patient = patient_of(fact, question)

        def nearness(other: Fact) -> tuple[bool, bool, bool, bool, int]:
            return (
                excluded(patient, other.bands) is None,
                other is rejected,
                bool(patient) and included(patient, other.bands),
                bool(medicines & other.medicines),
                len(fact.words & other.words),
            )

        return max(alike, key=nearness, default=None)


_SIZES = frozenset({Dimension.MASS, Dimension.AREA})
"""Denominators for the size of a patient: a rival dose may be per kilogram where the answer's is not."""


def entail(text: str, fact: Fact, answer: Sequence[Fact], evidence: Evidence, question: Question) -> Verdict:
    """Holds `fact`, one of those of an `answer` with `text`, against the evidence.

    A value of the question holds too, where it is only echoed.
    """
    if fact.attached or fact.quantity.derived or not _clinical(fact, evidence, question):
        return Verdict(holds=True)
    good: list[Fact] = []
    rejected: list[tuple[str, Fact]] = []
    for other in evidence.with_value(fact.quantity):
        why = conflict(fact, other, evidence.loose, question)
        if why is None:
            good.append(other)
        else:
            rejected.append((why, other))
    if not good and _in_one_dose(fact, text) and not evidence.divides(fact):
        return Verdict(holds=True)
    if not good and not question.echoed_by(fact, text):
        if rejected:
            why, first = rejected[0]
            return Verdict(holds=False, rebound=True, why=why, nearest=evidence.nearest(fact, question, first))
        return Verdict(holds=False, why="another value", nearest=evidence.nearest(fact, question))
    rivals = [*evidence.rivals(fact, question)]
    rivals += [other for _, other in rejected if other.negated != fact.negated or other_rhythm(fact, other)]
    told = fact.quantity.kind is not Kind.BARE or bool(fact.analytes)  # a bare number of nothing known has no rivals
    rival = better_rival(fact, good, rivals, _asked(fact, answer, question)) if good and told else None
    if rival is None or question.echoed_by(fact, text):
        return Verdict(holds=True, by=tuple(good))
    return Verdict(holds=False, rebound=True, why="another value fits it better", nearest=rival)


def _in_one_dose(fact: Fact, text: str) -> bool:
    """Whether it is the one of ``20 mg a day, in one dose``."""
    quantity = fact.quantity
    single = quantity.kind is Kind.COUNT and quantity.dimension == "dose" and quantity.low == quantity.high == 1
    return single and text[max(0, quantity.where.start - 8) : quantity.where.start].rstrip()[-3:].lower() == " in"


def _asked(fact: Fact, answer: Sequence[Fact], question: Question) -> frozenset[str]:
    """The question's words, which speak for an answer only if it gives a single amount."""
    alone = fact.quantity.given() and not any(other is not fact and other.quantity.given() for other in answer)
    return question.words if alone else frozenset()


def _clinical(fact: Fact, evidence: Evidence, question: Question) -> bool:
    """Whether a value means anything clinical here; counts of points, page numbers and quarterly reports do not."""
    quantity = fact.quantity
    if quantity.kind is Kind.FREQUENCY:
        return bool(fact.medicines or question.medicines) or evidence.clinical
    if quantity.kind is not Kind.BARE:
        return True
    if quantity.noun in word_list("discourse"):
        return False
    part = 0 < quantity.high < 1 and bool(fact.actions & {"reduce", "raise"})  # "reduced by a third"
    return Style.WORD not in quantity.style or part or bool(fact.comparator.strip("~") or fact.analytes)
