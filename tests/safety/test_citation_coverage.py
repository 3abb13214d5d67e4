"""Each sentence that gives a dose or recommends something has a citation, else the gate warns."""

import pytest

from primum.records import Answer, AnswerKey, Exchange, Passage, Scope, Status
from primum_safety import CitationGate
from primum_safety.gates.citation import UNCITED

CONTEXT = (
    Passage(
        id="mono-3",
        document_id="mono-3",
        document_version="1",
        text="Pelforin 2 mg twice daily. Rinse the mouth. Avoid pelforin in pregnancy.",
    ),
)


def uncited(answer: str) -> int:
    exchange = Exchange(
        id="x",
        question="How is pelforin used?",
        scope=Scope(tenant="shared"),
        retrieved=CONTEXT,
        context=CONTEXT,
        answer=Answer(text=answer),
    )
    result = CitationGate().check(exchange, AnswerKey())
    assert result.status is Status.PASS, "coverage warns; a policy may make it block"
    return sum(found.reason == UNCITED for found in result.findings)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Pelforin 2 mg twice daily [1]. Avoid it in pregnancy [1].", 0),
        ("Pelforin 2 mg twice daily [1]. Avoid it in pregnancy.", 1),
        ("Pelforin 2 mg twice daily. Avoid it in pregnancy [1].", 1),
        ("Pelforin is inhaled [1]. Take 2 mg twice daily. The mouth should be rinsed.", 2),
        ("Pelforin 2 mg twice daily [1]. The prescriber must confirm the dose.", 0),
        ("Pelforin 2 mg twice daily [1]. The passage does not say what to do in renal failure.", 0),
        ("Pelforin 2 mg twice daily [1]. Is it for an adult?", 0),
        ("Pelforin 2 mg twice daily. [1]", 0),
        ("Pelforin is an inhaled medicine [1]. It comes in a blue box.", 0),
        ("Pelforin 2 mg twice daily [1]. Rinsing is recommended.", 1),
    ],
)
def test_each_sentence_with_a_dose_or_a_recommendation_is_counted(answer: str, expected: int) -> None:
    """Disclaimers, questions, abstentions and plain descriptions need no citation."""
    assert uncited(answer) == expected
