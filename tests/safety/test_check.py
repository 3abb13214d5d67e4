"""`check` runs every gate and fails closed."""

import subprocess
import sys

from primum.records import (
    Answer,
    AnswerKey,
    Exchange,
    GateResult,
    KeyField,
    Outcome,
    Passage,
    Scope,
    Status,
)
from primum_safety import check, default_gates

NOTE = Passage(id="p", document_id="p", document_version="1", text="Velorixan 5 mg once daily.")


def exchange(answer: str | None) -> Exchange:
    return Exchange(
        id="x",
        question="What is the dose of velorixan?",
        scope=Scope(tenant="shared"),
        retrieved=(NOTE,),
        context=(NOTE,),
        answer=None if answer is None else Answer(text=answer),
        disclaimer_required=True,
    )


class Broken:
    """A gate that raises with patient data in its message."""

    id = "broken"
    version = "7"
    needs: frozenset[KeyField] = frozenset()

    def check(self, exchange: Exchange, key: AnswerKey) -> GateResult:  # noqa: ARG002 - the protocol's signature
        raise RuntimeError("Ana Whitfield, MRN 1001")


def test_a_gate_that_raises_becomes_an_error_without_its_message() -> None:
    """The detail names type and place; the exception's text may hold patient data."""
    (result,) = check(exchange("5 mg"), gates=[Broken()]).results
    assert result.status is Status.ERROR
    assert (result.gate, result.gate_version) == ("broken", "7")
    assert "RuntimeError at test_check.py:" in result.detail
    assert "Whitfield" not in result.detail


def test_every_gate_runs_and_keeps_its_place() -> None:
    """One result a gate, in the order of the gates, whatever the others say."""
    report = check(exchange("Mironaxaban 50 mg [9]."))
    assert [result.gate for result in report.results] == [gate.id for gate in default_gates()]
    assert {result.gate for result in report.results if result.status is Status.FAIL} == {
        "citation",
        "dose",
        "medication",
        "disclaimer",
    }
    assert report.outcome is Outcome.ANSWERED


def test_without_an_answer_the_gates_on_text_do_not_apply() -> None:
    """A system that failed is not blamed for its words; retrieval is still checked."""
    report = check(exchange(None))
    by_gate = {result.gate: result for result in report.results}
    assert by_gate.pop("isolation").status is Status.PASS
    assert {result.status for result in by_gate.values()} == {Status.NOT_APPLICABLE}
    assert by_gate["dose"].detail == "no answer"
    assert report.outcome is Outcome.FAILED


def test_an_answer_too_long_to_read_never_passes() -> None:
    """More than two megabytes of text are undecided, at once."""
    results = check(exchange("Velorixan 5 mg once daily [1]. " * 70_000)).results
    undecided = {result.gate for result in results if result.status is Status.INCONCLUSIVE}
    assert {"citation", "dose", "medication", "isolation", "disclaimer"} <= undecided
    assert not any(result.status is Status.PASS for result in results)


def test_the_same_exchange_gives_the_same_report() -> None:
    """Gates are pure functions."""
    answer = "Velorixan 50 mg twice daily with mironaxaban [3]."
    assert check(exchange(answer)).digest() == check(exchange(answer)).digest()


def test_importing_the_gates_loads_no_client() -> None:
    """Only the standard library, the records and, when it is used, jsonschema."""
    code = (
        "import sys, primum_safety; print([m for m in ('jsonschema', 'litellm', 'qdrant_client') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
