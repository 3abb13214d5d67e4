"""A finding that people decided to accept for a time: by whom, why, and until when."""

from datetime import date
from typing import Annotated, Self

from pydantic import Field, StringConstraints, model_validator

from primum.digest import digest
from primum.records.base import Record
from primum.records.finding import Finding

Said = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]


class Waiver(Record):
    """One entry of waivers.yaml."""

    id: Said
    gate: Said
    """The gate whose finding is accepted."""
    cases: tuple[Said, ...] = Field(min_length=1)
    """Ids of the cases, ``family/variant``."""
    fingerprint: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{16}$")]
    """Of the finding, as reports print it: another finding on the same case is not waived."""
    reason: Said
    owner: Said
    """Who removes the cause."""
    approver: Said
    """Who accepted the risk; somebody else than the owner."""
    expires: date
    """The last day on which it holds."""
    ticket: Said
    """Where the work is tracked."""

    @model_validator(mode="after")
    def _two_people(self) -> Self:
        if self.owner.casefold() == self.approver.casefold():
            raise ValueError("the approver is somebody else than the owner")
        return self


class WaiverFile(Record):
    """The content of waivers.yaml."""

    version: int = Field(ge=1, le=1)
    waivers: tuple[Waiver, ...] = ()

    @model_validator(mode="after")
    def _distinct(self) -> Self:
        ids = [waiver.id for waiver in self.waivers]
        twice = next((id_ for id_ in ids if ids.count(id_) > 1), None)
        if twice is not None:
            raise ValueError(f"two waivers are called {twice}")
        return self


class WaiverUse(Record):
    """A waiver and what it covered in a run."""

    waiver: Waiver
    observations: tuple[str, ...]
    """Ids of the observations with a finding that it covers."""


def fingerprint(gate: str, finding: Finding) -> str:
    """Sixteen hexadecimal digits that are equal for the same objection to the same words of an answer."""
    answer = finding.answer_span.text if finding.answer_span else None
    evidence = (finding.evidence.passage_id, finding.evidence.span.text) if finding.evidence else None
    # The sentence for people counts only where there are no words to point at: it may be put better one day.
    said = finding.message if answer is None and evidence is None else None
    return digest([gate, finding.reason, answer, evidence, said])[:16]
