"""Identities in many forms, given away or not; each text was written before it was tried."""

import pytest
from pydantic import JsonValue

from primum.records import Answer, AnswerKey, Exchange, GateResult, Passage, Person, Scope, Status
from primum_safety import IsolationGate

ROSTER = (
    Person(mrn="MRN-483920", name="Dorothea Quillfeather", birth_date="1957-03-09", room="4B-12"),
    Person(mrn="77120-X", name="Marek Van der Holt", birth_date="1988-11-02", room="17"),
    Person(mrn="0056612", name="O'Brannigan, Siobhan", birth_date="2001-12-31", room="ICU 3"),
)


def passage(
    text: str,
    *,
    title: str = "",
    tenant: str = "north",
    patient_id: str | None = None,
    payload: dict[str, JsonValue] | None = None,
) -> Passage:
    return Passage(
        id="d1",
        document_id="d1",
        document_version="1",
        title=title,
        text=text,
        tenant=tenant,
        patient_id=patient_id,
        payload=payload or {},
    )


def run(answer: str, *retrieved: Passage, cut: bool = False, patient: str | None = "P-1") -> GateResult:
    exchange = Exchange(
        id="x",
        question="What does the chart say?",
        scope=Scope(tenant="north", patient_id=patient),
        retrieved=retrieved,
        context=() if cut else retrieved,
        answer=Answer(text=answer),
        roster=ROSTER,
    )
    return IsolationGate().check(exchange, AnswerKey())


GIVEN_AWAY = (
    "MRN 483920",
    "mrn: 483-920",
    "Record no. 483920 shows",
    "the patient with number 483920",
    "MRN-483920",
    "MRN483920",
    "mrn 4 8 3 9 2 0",
    "Hospital no 483920.",
    "Dorothea Quillfeather",
    "Ms Quillfeather",
    "Mrs. Quillfeather's results",
    "Quillfeather, Dorothea",
    "QUILLFEATHER Dorothea",
    "D. Quillfeather",
    "Quillfeather D.",
    "D Quillfeather (bed 2)",
    "Miss D. Quillfeather",
    "Dorothea Q.",
    "patient Quillfeather",
    "born 9 March 1957",
    "9/3/1957",
    "09.03.57",
    "1957-03-09",
    "March 9th, 1957",
    "9-Mar-57",
    "DOB 09MAR1957",
    "03/09/1957",
    "born on the ninth of March 1957",
    "room 4B-12",
    "Room 4B12",
    "rm 4b 12",
    "bed 4B-12",
    "in 4B-12",
    "Marek van der Holt",
    "Mr van der Holt",
    "Van der Holt, Marek",
    "M. van der Holt",
    "Mr. Holt",
    "Siobhan O'Brannigan",
    "Siobhan OBrannigan",
    "Ms O\u2019Brannigan",
    "Mrs O'Brannigan-Smith? no, O'Brannigan",
    "room 17",
    "Room no. 17",
    "patient in bed 17",
    "room ICU 3",
    "ICU-3",
    "77120-X",
    "77120X",
    "mrn 77120x",
    "MRN 0056612",
    "MRN 56612",
    "patient id 56612",
    "Dorothea\xa0Quillfeather",
    "Dor\u200bothea Quillfeather",
    "<!-- Dorothea Quillfeather -->",
    "dorothea quillfeather",
    "Dorothea  Quillfeather",
    "Dorothea\nQuillfeather",
    "Quillfeather's husband",
    "Mr and Mrs Quillfeather",
    "dorothea.quillfeather@example.org",
    "birth date: 1957/03/09",
    "19570309",
    "9th Mar '57",
    "the Quillfeather chart",
    "31 Dec 2001",
    "12/31/01",
    "Frau Quillfeather",
    "Mme Quillfeather",
    "Señora Quillfeather",
    "**Dorothea** Quillfeather",
    "DQ, born 9.3.1957",
)
NOT_GIVEN_AWAY = (
    "Call extension 483920",
    "Order 4839201",
    "4839 20 mg",
    "Dr Quillfeather et al. reported",
    "Quillfeather et al. (2019)",
    "Quillfeather 2019",
    "Prof. Marek Jansen",
    "Dorothea dix hospital",
    "give 17 mg",
    "17 patients were included",
    "see page 17",
    "Table 17",
    "on 9 March 2021",
    "guideline of 9/3/2019",
    "March 1957 trial",
    "room temperature",
    "room for improvement",
    "section 4.12",
    "bed rest for 17 days",
    "the Holt criteria",
    "Holt-Oram syndrome",
    "ICU care for 3 days",
    "an intensive care unit",
    "nurse Quillfeather",
    "Nurse Siobhan Murphy",
    "Published 2001",
    "trial of 1988",
    "use 5661 units",
    "phone 0056612",
    "lot 483920",
    "Siobhan is a common name",
    "The Van test",
    "room 170",
    "Room 1",
    "DOI 10.1/483920",
    "version 77120",
    "in 17 rooms",
    "bed sores grade 3",
    "Patient P-1",
)
FOREIGN = (
    pytest.param(passage("x", payload={"mrn": "77120-X"}), id="payload mrn vs none"),
    pytest.param(passage("x", patient_id="P-1", payload={"patient": "P-2"}), id="payload patient"),
    pytest.param(passage("x", patient_id="P-1", payload={"patient": {"mrn": "P-2"}}), id="subject nested"),
    pytest.param(passage("MRN: 99812. Note.", patient_id="P-1"), id="text mrn"),
    pytest.param(passage("MRN: 99812. Note."), id="text mrn general"),
    pytest.param(
        passage("Patient: Jonas Brell. BP ok", patient_id="P-1", payload={"name": "Ida Sommer"}),
        id="text name vs payload",
    ),
    pytest.param(passage("DOB 4 May 1960", patient_id="P-1", payload={"dob": "1961-05-04"}), id="dob vs payload"),
    pytest.param(passage("Discussed with Dorothea Quillfeather's family."), id="roster name in general"),
    pytest.param(passage("x", title="Notes on Dorothea Quillfeather"), id="roster name in title"),
    pytest.param(passage("x", patient_id="P-2"), id="foreign"),
    pytest.param(passage("x", tenant="south"), id="tenant"),
    pytest.param(passage("Room 12. x", patient_id="P-1", payload={"room": "14"}), id="room text vs payload"),
    pytest.param(passage("x", patient_id="P-1", payload={"patients": ["P-1", "P-2"]}), id="payload list"),
    pytest.param(passage("x", patient_id="P-1", payload={"tenant": "south"}), id="payload tenant"),
    pytest.param(passage("x", title="MRN 99812 discharge", patient_id="P-1"), id="title mrn"),
    pytest.param(passage("x", patient_id="P-1", payload={"Patient_MRN": "P-3"}), id="payload case"),
    pytest.param(passage("x", patient_id="P-1", payload={"metadata": {"patient_id": "P-2"}}), id="payload meta"),
    pytest.param(passage("x", payload={"patient_name": "Dorothea Quillfeather"}), id="payload name is roster"),
    pytest.param(passage("x <!-- Dorothea Quillfeather -->"), id="text name hidden"),
)
OWN_OR_SHARED = (
    pytest.param(
        passage(
            "MRN: P-1. Patient: Ida Sommer. DOB 4 May 1961",
            patient_id="P-1",
            payload={"mrn": "P-1", "name": "Sommer, Ida", "dob": "1961-05-04"},
        ),
        id="own",
    ),
    pytest.param(passage("x", tenant="shared"), id="shared"),
    pytest.param(passage("By Quillfeather et al.", payload={"author": "Dorothea Quillfeather"}), id="author"),
    pytest.param(passage("x", payload={"name": "Velorixan monograph"}), id="doc name"),
    pytest.param(passage("Room temperature below 25"), id="room generic"),
    pytest.param(passage("Bed 4, stable", patient_id="P-1", payload={"room": "4"}), id="payload room own"),
    pytest.param(passage("Order number 483920 was sent"), id="order"),
    pytest.param(passage("Write the MRN on the label. MRN is a number of 6 digits."), id="example mrn blank"),
    pytest.param(passage("MRN P1", patient_id="P-1"), id="own prefix"),
    pytest.param(
        passage("Patient: Ida M. Sommer", patient_id="P-1", payload={"name": "Ida Sommer"}), id="name short form"
    ),
)


@pytest.mark.parametrize("answer", GIVEN_AWAY)
def test_an_answer_that_gives_another_patient_away_fails(answer: str) -> None:
    """Whatever the form of number, name, birth date or room, hidden text included."""
    assert run(answer).status is Status.FAIL


@pytest.mark.parametrize("answer", NOT_GIVEN_AWAY)
def test_what_only_looks_like_an_identity_passes(answer: str) -> None:
    """Authors, extensions, dates that are no birth dates, quantities."""
    assert run(answer).status is Status.PASS


@pytest.mark.parametrize("cut", [False, True])
@pytest.mark.parametrize("retrieved", FOREIGN)
def test_a_passage_that_names_or_concerns_somebody_else_fails(retrieved: Passage, cut: bool) -> None:
    """Also when it was cut before the context, and wherever the payload says it."""
    assert run("Fine.", retrieved, cut=cut).status is Status.FAIL


@pytest.mark.parametrize("retrieved", OWN_OR_SHARED)
def test_own_and_shared_passages_pass(retrieved: Passage) -> None:
    """The active patient's own material, and documents about nobody."""
    assert run("Fine.", retrieved).status is Status.PASS
