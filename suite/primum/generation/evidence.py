"""Which statement answers a part of a question, if any does beyond doubt.

A wrong answer costs more than none. So a statement must hold every word and number that narrows the question down, and
for a dose it must not hold a condition that the question does not name; statements that differ answer nothing.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from primum.generation.quantities import amounts, bands, limits, numbers
from primum.generation.question import Part
from primum.generation.statements import Statement
from primum.generation.words import POPULATIONS, ROUTES, conditions, medicines, required_words, words

_BRACKETS: Final = re.compile(r"\([^)]*\)")
_FREQUENCY: Final = re.compile(
    r"\b(?:once|twice|(?:three|four|five|six)\s+times)\b|\bevery\s+\d+\s+\w+|\b(?:daily|weekly|monthly)\b",
    re.IGNORECASE,
)

TOPIC: Final = 2
DOSE_TOPIC: Final = 3
"""One in so many of the words that say what is asked must stand in the statement or its heading, not in the title."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """A statement, read for what it holds."""

    statement: Statement
    order: int

    @cached_property
    def own(self) -> frozenset[str]:
        """Words of the statement itself; a table row speaks together with the paragraph above the table."""
        return frozenset(words(f"{self.statement.text} {self.statement.caption}"))

    @cached_property
    def heading(self) -> frozenset[str]:
        """Words of the heading."""
        return frozenset(words(self.statement.heading))

    @cached_property
    def title(self) -> frozenset[str]:
        """Words of the document's title."""
        return frozenset(words(self.statement.passage.title))

    @cached_property
    def everything(self) -> frozenset[str]:
        """Words of the statement, its heading and its title."""
        return self.own | self.heading | self.title

    @cached_property
    def _theme(self) -> frozenset[str]:
        """What every statement of the document is about: a patient's note is about the patient throughout."""
        return self.title if self.statement.passage.patient_id is not None else frozenset()

    @cached_property
    def populations(self) -> frozenset[str]:
        """For whom it is: what it says itself, else its heading, else its title."""
        return self.own & POPULATIONS or self.heading & POPULATIONS or self.title & POPULATIONS

    @cached_property
    def conditions(self) -> frozenset[str]:
        """Conditions under which it holds."""
        return conditions(self.own | self.heading)

    @cached_property
    def gives_dose(self) -> bool:
        """Whether it gives an amount, or is a row of a table."""
        return bool(self.statement.band or amounts(self.statement.text))

    @cached_property
    def advice(self) -> tuple[object, ...]:
        """What it comes to, for comparing it with others."""
        text = self.statement.text
        if self.statement.band:
            text = text.partition(";")[2]
        frequency = frozenset(" ".join(found.lower().split()) for found in _FREQUENCY.findall(text))
        return amounts(text), frequency

    def covers(self, part: Part) -> int | None:
        """How many words of the part the statement itself holds; None when it does not answer the part."""
        near = self.own | self.heading
        if not part.words or not part.words <= self.everything:
            return None
        if part.populations and self.populations and not part.populations & self.populations:
            return None
        if not self._holds_numbers(part):
            return None
        if part.asks_for_dose and not self._doses(part):
            return None
        topic = part.words - part.medicines - part.populations
        share = DOSE_TOPIC if part.asks_for_dose else TOPIC
        if share * len(topic & (near | self._theme)) < len(topic):
            return None
        return len(part.words & self.own)

    def _holds_numbers(self, part: Part) -> bool:
        """Whether each number of the question is said, or lies in the row's band; a row needs one in its band."""
        statement = self.statement
        said = numbers(f"{statement.text} {statement.heading}")
        own_bands = bands(statement.band)
        in_band = [number for number in part.numbers if any(band.holds(number) for band in own_bands)]
        if statement.band:
            named = required_words(_BRACKETS.sub(" ", statement.band_header))
            if not named <= part.words or not (in_band if own_bands else required_words(statement.band) <= part.words):
                return False
        return all(
            number in in_band or {end for end in (number.low, number.high) if end is not None} <= said
            for number in part.numbers
        )

    def _doses(self, part: Part) -> bool:
        text = self.statement.text
        return (
            self.gives_dose
            and self.conditions <= part.conditions
            and medicines(text) <= part.medicines
            and (not part.routes or self.own & ROUTES <= part.routes)
            and self.populations - {"adult"} <= part.populations
            and (bool(self.statement.band) or limits(text) <= part.values)
        )


def gather(statements: Iterable[Statement]) -> tuple[Evidence, ...]:
    """Statements as evidence, in their order."""
    return tuple(Evidence(statement, order) for order, statement in enumerate(statements))


def best(evidence: Sequence[Evidence], part: Part) -> Evidence | None:
    """The statement that answers the part; None when there is none, or when several answer it differently."""
    if not part.asks_something:
        return None
    scored = [(covered, one) for one in evidence if (covered := one.covers(part)) is not None]
    if not scored:
        return None
    chosen = max(scored, key=lambda pair: (pair[0], -pair[1].order))[1]
    if not part.words & (chosen.own | chosen.heading):
        return None  # a title alone answers nothing
    if part.asks_for_dose and _undecided(evidence, [one for _, one in scored], chosen, part):
        return None
    return chosen


def _undecided(evidence: Sequence[Evidence], fitting: Sequence[Evidence], chosen: Evidence, part: Part) -> bool:
    """Whether a dose depends on what the question leaves out."""
    if part.words <= chosen.title and not part.numbers:
        return True  # only the subject of the document is named
    if any(one.advice != chosen.advice for one in fitting):
        return True
    # The same may be dosed for others as well, so that the question must say for whom.
    return not part.populations and any(
        one.gives_dose and one.populations not in (frozenset(), chosen.populations) and part.words <= one.everything
        for one in evidence
    )
