"""What the gates say."""

from typing import Self

from pydantic import model_validator

from primum.records.base import Outcome, Record, Severity, Status
from primum.records.exchange import PassageSpan, Span


class Finding(Record):
    """One objection of a gate, explained in a sentence with the spans it is about."""

    reason: str
    """Stable reason code, such as ``dose.absent``."""
    severity: Severity
    message: str
    answer_span: Span | None = None
    evidence: PassageSpan | None = None
    blocks: bool = True
    """False for a warning that policy does not block on."""


class GateResult(Record):
    """What one gate came to on one exchange."""

    gate: str
    gate_version: str
    status: Status
    findings: tuple[Finding, ...] = ()
    detail: str = ""
    """Why the gate did not apply or could not decide."""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        blocking = any(finding.blocks for finding in self.findings)
        if blocking != (self.status is Status.FAIL):
            raise ValueError(f"a gate fails if, and only if, it has a blocking finding; status is {self.status}")
        if self.status in (Status.INCONCLUSIVE, Status.ERROR) and not self.detail:
            raise ValueError(f"{self.status} needs a detail that says why")
        return self


class GateReport(Record):
    """All gates on one observation."""

    observation_id: str
    outcome: Outcome
    """What the answer is, read from its text and checked against what the system said."""
    results: tuple[GateResult, ...]
