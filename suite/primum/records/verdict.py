"""What a judge says, with everything needed to look at it again."""

from enum import StrEnum
from typing import Self

from pydantic import Field, model_validator

from primum.records.base import Record, Status
from primum.records.exchange import PassageSpan, Span
from primum.records.observation import Failure, ModelCall


class ClaimLabel(StrEnum):
    """What a judge found for one claim."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    NOT_IN_CONTEXT = "not_in_context"


class ClaimVerdict(Record):
    """One claim of the answer and what the evidence says about it."""

    claim_id: str
    span: Span
    """Where the claim stands in the answer."""
    label: ClaimLabel
    quote: str | None = None
    """The words of the evidence that the judge points to."""
    evidence: PassageSpan | None = None
    """Where code found that quote, to the letter; None when it did not."""


class Verdict(Record):
    """One judge, one rubric, one observation, one repetition."""

    observation_id: str
    judge: str
    """Name of the judge, such as a model name or ``lexical``."""
    repetition: int = Field(ge=0)
    rubric: str
    rubric_version: str
    rubric_hash: str
    prompt_hash: str | None = None
    """Digest of how the judge asks: instructions, reply structure, mode and parameters, without any data; None for
    judges of others that do not say."""
    status: Status
    score: float | None = Field(default=None, ge=0, le=1)
    """Computed by code from labels, never asked of a model; None unless status is pass or fail."""
    claims: tuple[ClaimVerdict, ...] = ()
    reason: str
    """Why, in a sentence; for ``inconclusive`` and ``error`` what went wrong."""
    failure: Failure | None = None
    call: ModelCall | None = None
    """None for judges that ask no model."""

    @model_validator(mode="after")
    def _scored_if_decided(self) -> Self:
        decided = self.status in (Status.PASS, Status.FAIL)
        if decided != (self.score is not None):
            raise ValueError(f"a verdict has a score if, and only if, it passed or failed; status is {self.status}")
        return self
