"""How a gate says what it found."""

from collections.abc import Sequence
from typing import Final

from primum.records import Exchange, Finding, GateResult, Passage, PassageSpan, Severity, Span, Status
from primum_safety.text.normalise import normalise


def concluded(gate: str, version: str, findings: Sequence[Finding]) -> GateResult:
    """Fail if any finding blocks, else pass (warnings stay listed)."""
    status = Status.FAIL if any(finding.blocks for finding in findings) else Status.PASS
    return GateResult(gate=gate, gate_version=version, status=status, findings=tuple(findings))


LONGEST: Final = 2_000_000
"""Characters of an answer that are read, in time that grows with their number; what is not read cannot pass."""


def unread(gate: str, version: str, exchange: Exchange) -> GateResult | None:
    """Why a gate cannot read the answer: there is none, or it is too long to be read whole; None when it can."""
    if exchange.answer is None:
        return not_applicable(gate, version, "no answer")
    length = len(exchange.answer.text)
    if length > LONGEST:
        detail = f"the answer has {length} characters; answers of more than {LONGEST} are not read"
        return GateResult(gate=gate, gate_version=version, status=Status.INCONCLUSIVE, detail=detail)
    return None


def not_applicable(gate: str, version: str, detail: str) -> GateResult:
    """The gate has nothing to check here, and `detail` says why."""
    return GateResult(gate=gate, gate_version=version, status=Status.NOT_APPLICABLE, detail=detail)


def finding(
    reason: str,
    message: str,
    *,
    severity: Severity = Severity.CRITICAL,
    span: Span | None = None,
    evidence: PassageSpan | None = None,
    blocks: bool = True,
) -> Finding:
    """A finding; a warning when it does not block."""
    return Finding(
        reason=reason,
        severity=severity if blocks else Severity.WARNING,
        message=message,
        answer_span=span,
        evidence=evidence,
        blocks=blocks,
    )


def passage_span(passage: Passage, start: int, end: int) -> PassageSpan:
    """The stretch of a passage behind ``normalise(passage.text).text[start:end]``."""
    return PassageSpan(passage_id=passage.id, span=normalise(passage.text).span(start, end))


def shown(text: str, limit: int = 80) -> str:
    """`text` on one line and short enough for a message."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 3] + "..."
