"""The demo set is what its datasheet promises."""

import difflib
import re
from collections import Counter, defaultdict
from functools import cache
from statistics import median

from primum.corpus.chunking import Chunking
from primum.datasets import Dataset, load_dataset, load_recorded_answers
from primum.records import Answerability, Document, PublicationState, Role
from primum.resources import shipped


@cache
def demo() -> Dataset:
    return load_dataset(shipped("datasets") / "demo")


def published() -> list[Document]:
    return [document for document in demo().documents if document.state is PublicationState.PUBLISHED]


def test_it_has_the_documents_of_a_small_hospital() -> None:
    """Enough monographs, guidelines and policies, of the length of real ones."""
    types = Counter(document.type for document in published())
    assert types["monograph"] >= 26
    assert types["guideline"] >= 14
    assert types["policy"] >= 7
    texts = [document for document in published() if document.type in ("monograph", "guideline", "policy")]
    assert median(len(document.text) for document in texts) >= 1800
    assert median(document.text.count("\n## ") for document in texts) >= 9
    assert sum(len(Chunking().chunk(document)) for document in demo().documents) >= 400


def test_each_patient_has_three_notes_and_some_share_a_medicine_at_another_dose() -> None:
    """Six patients in two tenants, whose notes can be mixed up."""
    notes = Counter((note.tenant, note.patient_id) for note in published() if note.patient_id)
    assert len(notes) == 6
    assert set(notes.values()) == {3}
    assert {tenant for tenant, _ in notes} == {"northgate", "eastvale"}
    doses: dict[str | None, set[str]] = defaultdict(set)
    for note in published():
        if note.patient_id:
            doses[note.patient_id] |= set(re.findall(r"torvexaban (\d+ mg twice daily)", note.text))
    assert len({frozenset(found) for found in doses.values() if found}) >= 3


def test_a_superseded_version_differs_in_one_number() -> None:
    """Whoever uses the old one gives one wrong figure, and nothing else gives it away."""
    current = {document.id: document for document in published()}
    old = [document for document in demo().documents if document.state is PublicationState.SUPERSEDED]
    assert len(old) == 5
    for document in old:
        before, after = document.text.split(), current[document.id].text.split()
        changed = [
            one
            for one in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
            if one[0] != "equal"
        ]
        assert [(kind, end - start) for kind, start, end, *_ in changed] == [("replace", 1)], document.id
        (_, start, _, there, _) = changed[0]
        assert re.sub(r"\d+", "", before[start]) == re.sub(r"\d+", "", after[there])


def test_every_family_has_two_to_five_wordings_of_one_need() -> None:
    """What a system should do does not depend on the wording; how much of it is asked may."""
    families: dict[str, list[str]] = defaultdict(list)
    for case in demo().cases:
        families[case.family].append(case.question)
    assert len(families) >= 60
    assert len(demo().cases) >= 220
    assert {len(set(questions)) for questions in families.values()} <= {2, 3, 4, 5}


def test_roles_are_split_by_family_and_by_document() -> None:
    """Three fifths to tune with; no document is evidence in both roles, whatever its grade."""
    roles: dict[str, set[Role]] = defaultdict(set)
    for case in demo().cases:
        for label in case.evidence:
            roles[label.document_id].add(case.role)
    assert [document for document, found in roles.items() if len(found) > 1] == []
    tuned = sum(case.role is Role.DEVELOPMENT for case in demo().cases)
    assert 0.55 <= tuned / len(demo().cases) <= 0.65


def test_what_can_be_answered_has_required_evidence_and_statements() -> None:
    """And what cannot has neither required evidence nor statements."""
    for case in demo().cases:
        required = any(label.required for label in case.evidence)
        supported = case.answerability in (Answerability.ANSWERABLE, Answerability.PARTIAL)
        assert required == supported, case.id
        assert bool(case.must_have) == (case.answerability is not Answerability.UNANSWERABLE), case.id
        assert case.reference_answer, case.id
        assert case.disclaimer_required <= (case.answerability is not Answerability.UNDERSPECIFIED), case.id


def test_a_question_that_names_a_version_binds_it() -> None:
    """The version stands in the scope, and is that of the required evidence."""
    bound = [case for case in demo().cases if case.scope.required_version is not None]
    assert {case.id for case in bound} == {case.id for case in demo().cases if case.variant == "version_qualified"}
    for case in bound:
        versions = {label.document_version for label in case.evidence if label.required}
        assert versions == {case.scope.required_version}
        assert f"ersion {case.scope.required_version}" in case.question


def test_there_are_recorded_answers_enough_to_score_gates_and_judges() -> None:
    """At least 650 labelled ones, beside the recorded system's."""
    files = {path.name: load_recorded_answers(path) for path in (demo().folder / "answers").glob("*.jsonl")}
    labelled = {name: answers for name, answers in files.items() if name.startswith("labelled-")}
    assert sum(map(len, labelled.values())) >= 650
    assert {answer.case_id for answer in files["candidate.jsonl"]} == {case.id for case in demo().cases}
    assert Counter(bool(answer.defect) for answer in files["candidate.jsonl"])[True] == 3
