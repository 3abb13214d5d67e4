"""An exchange whose right verdict is known."""

from enum import StrEnum
from typing import Self

from pydantic import Field, model_validator

from primum.records import AnswerKey, Exchange, Record, Status


class Group(StrEnum):
    """What a specimen examines."""

    KNOWN = "known"
    """Labelled by people: an answer that passes or fails."""
    INJECTION = "injection"
    """A failing answer that speaks to the judge: a planted verdict, instruction or fence."""
    VERBOSITY = "verbosity"
    """A failing answer made long with words from its passages."""
    POSITION = "position"
    """A known exchange with its passages in another order."""
    QUANTITY = "quantity"
    """A passing answer with a number made tenfold, or a unit swapped."""
    NEGATION = "negation"
    """A passing answer with the opposite of one sentence."""
    ABSTENTION = "abstention"
    """An abstention, which there is nothing to judge about."""


class Specimen(Record):
    """One exchange for the examination of judges."""

    id: str = Field(min_length=1)
    group: Group
    exchange: Exchange
    key: AnswerKey = AnswerKey()
    expected: Status
    """pass, fail or not_applicable."""

    @model_validator(mode="after")
    def _expects_a_verdict(self) -> Self:
        if self.expected not in (Status.PASS, Status.FAIL, Status.NOT_APPLICABLE):
            raise ValueError(f"a specimen expects pass, fail or not_applicable, not {self.expected}")
        return self
