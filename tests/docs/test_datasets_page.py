"""docs/datasets.md and the code that reads datasets say the same."""

import re
import subprocess
import sys
from enum import StrEnum
from pathlib import Path

import pytest

from primum.corpus.chunking import Chunking
from primum.datasets import (
    AnswerDefect,
    DatasetInfo,
    Patient,
    RecordedAnswer,
    RoleEntry,
    labelled_exchanges,
    load_dataset,
    load_recorded_answers,
    resolve,
    validate_dataset,
)
from primum.datasets.labelled_scores import score_gates
from primum.datasets.schemas import schemas
from primum.records import (
    Answer,
    Answerability,
    Case,
    Citation,
    Consequence,
    Document,
    EvidenceLabel,
    Exchange,
    KeyField,
    Outcome,
    Passage,
    PublicationState,
    Record,
    Role,
    Scope,
    Severity,
)
from primum_judges import shipped_rubrics
from primum_safety import check, default_gates

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "datasets.md").read_text(encoding="utf-8")
FILES = (
    "documents/velorixan.md",
    "documents/note-berg.md",
    "cases.jsonl",
    "patients.jsonl",
    "dataset.yaml",
    "roles.jsonl",
    "answers/ours.jsonl",
    "answers/labelled-small.jsonl",
)
"""The page's blocks, in order."""
PROJECT = """\
version: 1
name: small
index: {memory: true}
retrieval: {kind: bm25}
systems:
  ours:
    generator: {kind: recorded, path: answers/ours.jsonl}
release: ours
policy:
  required_gates: [citation, dose, medication, refusal, isolation, disclaimer]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The blocks of the page as files."""
    root = tmp_path_factory.mktemp("small")
    blocks = re.findall(r"^```\w+\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    for name, block in zip(FILES, blocks, strict=True):
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(block, encoding="utf-8")
    (root / "primum.yaml").write_text(PROJECT, encoding="utf-8")
    return root


def primum(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-c", "from primum.cli import main; main()", *arguments]
    return subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)


def table(heading: str) -> list[list[str]]:
    """The cells of the first table below a heading."""
    section = re.split(rf"^#+ {re.escape(heading)}\n", PAGE, flags=re.MULTILINE)[1]
    rows = re.search(r"^\|.*\n\| ---.*\n((?:\|.*\n)+)", section, re.MULTILINE)
    assert rows is not None
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in rows[1].splitlines()]


def spans(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


def test_the_set_of_the_page_is_right(folder: Path) -> None:
    """No mistakes and no warnings, read by the functions that users have."""
    dataset = load_dataset(folder)
    assert validate_dataset(folder) == []
    assert {case.answerability for case in dataset.cases} == set(Answerability) - {Answerability.PARTIAL}
    chunks = [chunk for document in dataset.documents for chunk in Chunking().chunk(document)]
    assert len(resolve(dataset.cases, chunks)["velorixan-af/concise"].required) == 1
    answers = load_recorded_answers(folder / "answers" / "ours.jsonl")
    assert {answer.case_id for answer in answers} == {case.id for case in dataset.cases}


def test_one_line_of_recorded_answers_shows_every_field_of_an_ordinary_answer(folder: Path) -> None:
    """All but the label of a defect, which has its own example."""
    first = load_recorded_answers(folder / "answers" / "ours.jsonl")[0]
    assert first.model_fields_set == set(RecordedAnswer.model_fields) - {"defect"}


def test_the_answers_of_the_page_may_be_released(folder: Path) -> None:
    """They pass every gate in a whole run, once chunks without a grade are declared irrelevant."""
    done = primum(folder, "run", "-c", "primum.yaml")
    assert done.returncode == 2, done.stdout + done.stderr
    assert "has no judgment" in done.stderr
    text = PROJECT + "dataset: {unjudged: irrelevant}\n"
    (folder / "primum.yaml").write_text(text, encoding="utf-8")
    done = primum(folder, "run", "-c", "primum.yaml")
    assert done.returncode == 0, done.stdout + done.stderr


def test_documents_may_stand_in_one_file_too(folder: Path, tmp_path: Path) -> None:
    """``documents.jsonl`` gives the same dataset as the Markdown files."""
    dataset = load_dataset(folder)
    rows = [document.model_dump_json() + "\n" for document in dataset.documents]
    (tmp_path / "documents.jsonl").write_text("".join(rows), encoding="utf-8")
    for name in ("cases.jsonl", "patients.jsonl"):
        (tmp_path / name).write_text((folder / name).read_text(encoding="utf-8"), encoding="utf-8")
    assert load_dataset(tmp_path).digest == dataset.digest


def test_the_commands_of_the_page_work(folder: Path) -> None:
    """As the page writes them."""
    assert primum(folder, "validate", ".").stdout.endswith("0 errors, 0 warnings\n")
    assert "4 cases of 4 families" in primum(folder, "datasets", "show", ".").stdout
    assert "answer in ours.jsonl" in primum(folder, "datasets", "show", ".", "velorixan-af").stdout
    assert primum(folder, "datasets", "show", "demo").returncode == 0


def test_the_gates_catch_the_labelled_answer_of_the_page_and_no_other(folder: Path) -> None:
    """The example is one that the score counts as caught."""
    labelled = labelled_exchanges(load_dataset(folder))
    needs = frozenset({KeyField.ANSWERABILITY})
    scores = score_gates([(one, check(one.exchange, one.case.key(needs))) for one in labelled])
    assert str(scores.good_blocked) == "0/1"
    assert str(scores.bad_blocked) == "1/1"


@pytest.mark.parametrize(
    ("heading", "record"),
    [
        ("documents", Document),
        ("cases", Case),
        ("scope", Scope),
        ("evidence", EvidenceLabel),
        ("patients", Patient),
        ("dataset.yaml", DatasetInfo),
        ("roles.jsonl", RoleEntry),
        ("recorded answers", RecordedAnswer),
        ("Labelled answers", AnswerDefect),
    ],
)
def test_a_table_has_every_field_with_its_default(heading: str, record: type[Record]) -> None:
    """In the order of the record, so that nothing is forgotten and nothing invented."""
    fields = {name: field for name, field in record.model_fields.items() if (record, name) != (Document, "text")}
    rows = table(heading)
    assert [row[0] for row in rows] == [f"`{name}`" for name in fields]
    for (name, default, _), field in zip(rows, fields.values(), strict=True):
        if field.is_required():
            assert default == "required", name
        elif default not in ("either", "or"):
            value = field.default
            shown = f"`{str(value).lower()}`" if isinstance(value, bool | int) or value == "shared" else "none"
            assert default == shown, name


@pytest.mark.parametrize(
    ("heading", "field", "values"),
    [
        ("documents", "state", PublicationState),
        ("cases", "role", Role),
        ("cases", "consequence", Consequence),
        ("cases", "answerability", Answerability),
        ("recorded answers", "outcome", Outcome),
        ("Labelled answers", "severity", Severity),
    ],
)
def test_a_row_names_every_value_that_is_allowed(heading: str, field: str, values: type[StrEnum]) -> None:
    """And no other first."""
    (row,) = [row for row in table(heading) if row[0] == f"`{field}`"]
    assert spans(row[2])[: len(values)] == [value.value for value in values]


def test_every_answerability_has_its_row() -> None:
    """In the order of the code."""
    assert [spans(row[0])[0] for row in table("answerability")] == list(Answerability)


def test_no_shipped_rubric_and_no_gate_reads_what_the_page_says_is_for_people() -> None:
    """The reference answer is asked for by none, and the statements by completeness only."""
    asked = {name: rubric.key_needs for name, rubric in shipped_rubrics().items() if rubric.key_needs}
    assert asked == {"completeness": frozenset({KeyField.STATEMENTS})}
    assert {need for gate in default_gates() for need in gate.needs} == {KeyField.ANSWERABILITY}


def test_every_schema_is_linked() -> None:
    """The table has each of them and the files are there."""
    assert [row[0].split("]")[0].strip("[") for row in table("JSON Schemas")] == sorted(schemas())
    for link in re.findall(r"\]\(([^)#]+)", PAGE):
        assert (DOCS / link).exists(), link


def citation_reasons(answer: Answer) -> list[str]:
    """What the citation gate objects to in an answer to the page's first question."""
    context = tuple(
        Passage(id=f"{id_}@{version}#0", document_id=id_, document_version=version, text=text)
        for id_, version, text in (
            ("velorixan", "2", "In adults with atrial fibrillation, give velorixan 5 mg once daily."),
            ("note-berg", "1", "She has atrial fibrillation."),
        )
    )
    exchange = Exchange(
        id="1",
        question="What is the velorixan dose in adults with atrial fibrillation?",
        scope=Scope(tenant="north"),
        retrieved=context,
        context=context,
        answer=answer,
    )
    (result,) = [result for result in check(exchange).results if result.gate == "citation"]
    return [finding.reason for finding in result.findings]


@pytest.mark.parametrize(
    ("lead", "reasons"),
    [
        ("These count:", set[str]()),
        ("These are citations that do not resolve, and block:", {"citation.unresolved", "citation.outside"}),
        ("These are no citations:", {"citation.missing"}),
    ],
)
def test_citations_are_read_as_the_page_says(lead: str, reasons: set[str]) -> None:
    """Each form, at the end of the same answer."""
    listed = re.split(r"\. A number|\n- |\n\n", PAGE.split(lead, 1)[1])[0]
    forms = spans(listed)
    assert len(forms) > 5
    for form in forms:
        found = citation_reasons(Answer(text=f"Adults with atrial fibrillation take velorixan 5 mg once daily {form}."))
        assert bool(found) == bool(reasons), form
        assert set(found) <= reasons, form


def test_a_citation_as_data_counts() -> None:
    """By document id, as the page writes it."""
    text = "Adults with atrial fibrillation take velorixan 5 mg once daily."
    assert "citation.missing" in citation_reasons(Answer(text=text))
    assert "citation.missing" not in citation_reasons(Answer(text=text, citations=(Citation(target="velorixan"),)))
    assert citation_reasons(Answer(text=text, citations=(Citation(target="other"),))) == ["citation.unresolved"]
