"""Citations that a system gives as data, beside its text."""

import pytest

from primum.records import Answer, AnswerKey, Citation, Exchange, Passage, Scope, Status
from primum_safety import CitationGate

CONTEXT = (
    Passage(id="mono-a@1#0", document_id="mono-a", document_version="1", text="Lumaxolol 5 mg once daily in adults."),
    Passage(id="mono-b@2#0", document_id="mono-b", document_version="2", text="Lumaxolol must not be given in asthma."),
)


@pytest.mark.parametrize(
    ("target", "resolves"),
    [("1", True), ("2", True), ("3", False), ("0", False), ("mono-a", True), ("mono-b@2", True), ("mono-c", False)],
)
def test_a_target_is_an_id_or_a_position_in_the_context(target: str, resolves: bool) -> None:
    """One pointer that leads nowhere fails the answer, whichever form it has."""
    answer = Answer(text="Lumaxolol 5 mg once daily in adults.", citations=(Citation(target=target),))
    exchange = Exchange(id="x", question="Dose?", scope=Scope(tenant="north"), context=CONTEXT, answer=answer)
    assert (CitationGate().check(exchange, AnswerKey()).status is Status.PASS) == resolves
