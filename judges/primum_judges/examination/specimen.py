"""An exchange whose right verdict is known."""

from typing import Self

from pydantic import Field, model_validator

from primum.records import AnswerKey, Exchange, Record, Status
from primum.records.qualification import ProbeGroup


class Specimen(Record):
    """One exchange for the examination of judges."""

    id: str = Field(min_length=1)
    group: ProbeGroup
    host: str | None = None
    """Id of the known specimen that a probe was made from and is compared with; None for one that stands alone."""
    exchange: Exchange
    key: AnswerKey = AnswerKey()
    expected: Status
    """pass, fail or not_applicable."""

    @model_validator(mode="after")
    def _expects_a_verdict(self) -> Self:
        if self.expected not in (Status.PASS, Status.FAIL, Status.NOT_APPLICABLE):
            raise ValueError(f"a specimen expects pass, fail or not_applicable, not {self.expected}")
        return self
