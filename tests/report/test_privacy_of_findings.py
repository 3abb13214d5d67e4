"""No report or log hands on another patient's identifiers because a gate quoted the answer."""

from primum.records import (
    Answer,
    Exchange,
    Finding,
    GateReport,
    GateResult,
    Outcome,
    Person,
    Scope,
    Severity,
    Span,
    Status,
)
from primum.report import withhold_findings

ANSWER = "Ida Berg (MRN 7001552) takes 5 mg."
EXCHANGE = Exchange(
    id="ours/f/a/0",
    question="What does this patient take?",
    scope=Scope(tenant="north", patient_id="9000001"),
    answer=Answer(text=ANSWER),
    roster=(Person(mrn="7001552", name="Ida Berg"),),
)


def test_what_a_gate_quotes_is_covered_in_logs() -> None:
    """Message and span keep their length, so that they still fit, and show nobody."""
    finding = Finding(
        reason="citation.uncited",
        severity=Severity.WARNING,
        message=f'"{ANSWER}" gives a dose and cites nothing',
        answer_span=Span(start=0, end=len(ANSWER), text=ANSWER),
        blocks=False,
    )
    result = GateResult(gate="citation", gate_version="1", status=Status.PASS, findings=(finding,))
    report = GateReport(observation_id=EXCHANGE.id, outcome=Outcome.ANSWERED, results=(result,))
    (safe,) = withhold_findings(report, EXCHANGE).results[0].findings
    assert safe.answer_span is not None
    for text in (safe.message, safe.answer_span.text):
        assert "Berg" not in text
        assert "7001552" not in text
    assert len(safe.answer_span.text) == len(ANSWER)
