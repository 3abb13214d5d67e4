"""What the evidence of a dose finding points at."""

import pytest

from primum.records import Answer, Exchange, Finding, Passage, Scope
from primum_safety import check

TABLE = """Give quentacillin 4.5 g IV within 60 minutes of arrival.

| Weight | Dose of gentrazin |
| --- | --- |
| under 50 kg | 240 mg |
| 50 to 80 kg | 320 mg |
| over 80 kg | 400 mg |
"""


def findings(question: str, answer: str) -> tuple[Finding, ...]:
    """The blocking findings of the dose gate."""
    passage = Passage(id="fever", document_id="fever", document_version="1", title="Fever", text=TABLE)
    exchange = Exchange(
        id="1",
        question=question,
        scope=Scope(tenant="shared"),
        retrieved=(passage,),
        context=(passage,),
        answer=Answer(text=answer),
    )
    result = next(result for result in check(exchange).results if result.gate == "dose")
    return tuple(found for found in result.findings if found.blocks)


@pytest.mark.parametrize("said", ["3200 mg", "400 mg", "240 mg"])
@pytest.mark.parametrize(("weight", "row"), [("60 kg", "320 mg"), ("45 kg", "240 mg"), ("95 kg", "400 mg")])
def test_the_row_of_the_patient_is_shown(weight: str, row: str, said: str) -> None:
    """Whatever is wrong with the answer's dose, the row to compare with is the one of the question's weight."""
    found = findings(f"How much gentrazin for a patient of {weight}?", f"Gentrazin {said} [fever].")
    if said == row:
        assert found == ()
    else:
        (one,) = found
        assert one.evidence is not None
        assert one.evidence.span.text == row
        assert one.message.endswith(f'compare passage fever: "{row}"')


def test_the_answers_own_band_counts_too() -> None:
    """A band that the answer names picks the row where the question gives none."""
    (one,) = findings("How much gentrazin?", "Over 80 kg give gentrazin 320 mg.")
    assert one.evidence is not None
    assert one.evidence.span.text == "400 mg"


def test_another_medicines_dose_is_no_evidence() -> None:
    """The dose of the column's medicine is shown, and not that of the medicine above the table."""
    (one,) = findings("How much gentrazin for a patient of 60 kg?", "Gentrazin 4.5 g.")
    assert one.evidence is not None
    assert one.evidence.span.text == "320 mg"
    assert "quentacillin" in one.message


def test_no_value_of_the_medicine_is_no_evidence() -> None:
    """A finding about a medicine without a value of that kind points nowhere in the context."""
    found = findings("How much velorixan?", "Velorixan 20 mg.")
    assert found
    assert [one.evidence for one in found] == [None]
