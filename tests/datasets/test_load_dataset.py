"""A dataset folder is read as a whole, and what does not fit together is named."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from primum.datasets import load_dataset
from primum.errors import DatasetError
from primum.records import Person, Scope

Row = dict[str, Any]
Make = Callable[..., Row]
Write = Callable[[Path, list[Row]], Path]

CHARACTERS = "holds other characters than it may; use letters, digits and . _ + ~ - only"


def mistakes(folder: Path) -> list[str]:
    with pytest.raises(DatasetError) as caught:
        load_dataset(folder)
    return [line.removeprefix(f"{folder}/") for line in str(caught.value).splitlines()]


def test_a_right_folder_is_one_frozen_value(folder: Path) -> None:
    """Documents, cases and patients, with the files and places they came from."""
    dataset = load_dataset(folder)
    assert dataset.name == "world"
    assert [document.id for document in dataset.documents] == ["mono-a", "note-one"]
    assert [case.id for case in dataset.cases] == ["dose-a/plain"]
    assert dataset.case_places == {"dose-a/plain": f"{folder / 'cases.jsonl'}:1"}
    assert dataset.document_places["mono-a", "1"] == str(folder / "documents" / "mono-a.md")
    assert [path.name for path in dataset.paths] == ["cases.jsonl", "patients.jsonl", "mono-a.md", "note-one.md"]


def test_the_roster_leaves_out_the_active_patient_only(folder: Path) -> None:
    """A patient with the same number in another tenant is somebody else."""
    dataset = load_dataset(folder)
    everybody = [
        Person(mrn="MRN-1", name="Ada Blom"),
        Person(mrn="MRN-2", name="Bo Carr", birth_date="1950-02-01", room="7"),
    ]
    assert list(dataset.roster(Scope(tenant="north", patient_id="MRN-1"))) == everybody[1:]
    assert list(dataset.roster(Scope(tenant="south", patient_id="MRN-1"))) == everybody
    assert list(dataset.roster(Scope(tenant="north"))) == everybody


def test_dataset_yaml_names_the_dataset(folder: Path) -> None:
    """The name in the file wins over that of the folder; its mistakes have their place."""
    (folder / "dataset.yaml").write_text("name: demo\nversion: '1'\n")
    assert load_dataset(folder).name == "demo"
    (folder / "dataset.yaml").write_text("name: demo\nversion: 1\n")
    assert mistakes(folder) == ["dataset.yaml:2:1: version is not text; put the value in quotes"]


def test_documents_may_be_one_jsonl_file(folder: Path, write_jsonl: Write) -> None:
    """One document a line gives what Markdown files give."""
    from_markdown = load_dataset(folder)
    rows = [document.content() for document in from_markdown.documents]
    for path in (folder / "documents").iterdir():
        path.unlink()
    write_jsonl(folder / "documents.jsonl", rows)
    dataset = load_dataset(folder)
    assert dataset.documents == from_markdown.documents
    assert dataset.digest == from_markdown.digest


def test_the_digest_is_of_the_content(folder: Path) -> None:
    """Line ends do not change it, a word does."""
    before = load_dataset(folder).digest
    for path in [*(folder / "documents").iterdir(), folder / "cases.jsonl"]:
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert load_dataset(folder).digest == before
    note = folder / "documents" / "note-one.md"
    note.write_bytes(note.read_bytes().replace(b"10 mg", b"20 mg"))
    assert load_dataset(folder).digest != before


def test_all_files_are_checked_before_the_error(folder: Path) -> None:
    """One error lists the mistakes of all files."""
    (folder / "cases.jsonl").write_text("{}x\n")
    (folder / "patients.jsonl").write_text("[]\n")
    note = folder / "documents" / "note-one.md"
    note.write_text(note.read_text().replace("state: published", "state: secret"))
    assert [line.split(" ")[0] for line in mistakes(folder)] == [
        "documents/note-one.md:6:1:",
        "cases.jsonl:1:3:",
        "patients.jsonl:1:",
    ]


def test_a_missing_folder_is_told(tmp_path: Path) -> None:
    """The error says which folder was meant."""
    with pytest.raises(DatasetError, match="there is no such folder; give the folder that holds cases"):
        load_dataset(tmp_path / "none")


def test_a_missing_cases_file_is_told(folder: Path) -> None:
    """A file with nearly the right name is suggested."""
    (folder / "cases.jsonl").rename(folder / "case.jsonl")
    assert mistakes(folder) == ["cases.jsonl: the file is missing; rename 'case.jsonl'?"]
    (folder / "case.jsonl").unlink()
    assert mistakes(folder) == ["cases.jsonl: the file is missing; write one case on each line"]


def test_a_folder_without_documents_is_told(folder: Path) -> None:
    """A dataset needs a corpus."""
    for path in (folder / "documents").iterdir():
        path.unlink()
    expected = f"{folder}: there are no documents; write documents/*.md or documents.jsonl"
    assert mistakes(folder)[0] == expected


def test_a_document_version_is_there_once(folder: Path) -> None:
    """The second file is named with the first."""
    text = (folder / "documents" / "mono-a.md").read_text()
    (folder / "documents" / "mono-b.md").write_text(text)
    assert mistakes(folder) == [
        (
            f"documents/mono-b.md: the same document id and version is at {folder}/documents/mono-a.md; "
            "give each record its own document id and version"
        )
    ]
    (folder / "documents" / "mono-b.md").write_text(text.replace('"1"', '"2"'))
    assert len(load_dataset(folder).documents) == 3


def test_a_case_is_there_once(folder: Path, case: Make, write_jsonl: Write) -> None:
    """Both lines are named."""
    write_jsonl(folder / "cases.jsonl", [case(), case(variant="other"), case()])
    assert mistakes(folder) == [
        (
            f"cases.jsonl:3: the same family and variant is at {folder}/cases.jsonl:1; "
            "give each record its own family and variant"
        )
    ]


def test_a_patient_is_there_once_in_a_tenant(folder: Path, write_jsonl: Write) -> None:
    """Both lines are named, the number is not."""
    rows: list[Row] = [{"mrn": "MRN-1", "tenant": tenant} for tenant in ("north", "south", "north")]
    write_jsonl(folder / "patients.jsonl", rows)
    found = mistakes(folder)
    assert found == [f"patients.jsonl:3: the same mrn is at {folder}/patients.jsonl:1; give each record its own mrn"]


def test_a_family_has_one_role(folder: Path, case: Make, write_jsonl: Write) -> None:
    """Wordings of one need in both roles would leak held-out cases."""
    write_jsonl(folder / "cases.jsonl", [case(), case(variant="other", role="acceptance")])
    assert mistakes(folder) == [
        (
            f"cases.jsonl:2: the family has the role development at {folder}/cases.jsonl:1; "
            "give all variants of a family one role"
        )
    ]


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        ({"tenant": "nort"}, "scope.tenant has neither documents nor patients; correct it, or add some"),
        ({"tenant": "north", "patient_id": "MRN-9"}, "scope.patient_id is not a patient of scope.tenant; add the"),
        ({"tenant": "south", "patient_id": "MRN-1"}, "scope.patient_id is not a patient of scope.tenant; add the"),
    ],
)
def test_a_scope_names_a_known_tenant_and_patient(
    folder: Path, case: Make, write_jsonl: Write, scope: Row, expected: str
) -> None:
    """A patient belongs to the tenant that asks; the number is not repeated."""
    write_jsonl(folder / "cases.jsonl", [case(scope=scope)])
    [found] = mistakes(folder)
    assert found.startswith(f"cases.jsonl:1: {expected}")
    assert "MRN" not in found


def test_a_dataset_without_tenants_takes_any(folder: Path, case: Make, write_jsonl: Write) -> None:
    """Where everything is shared there is nothing to check a tenant against."""
    (folder / "patients.jsonl").unlink()
    (folder / "documents" / "note-one.md").unlink()
    write_jsonl(folder / "cases.jsonl", [case(scope={"tenant": "anybody"})])
    assert len(load_dataset(folder).cases) == 1


@pytest.mark.parametrize("change", [("MRN-1", "MRN-9"), ("tenant: north", "tenant: south"), ("tenant: north\n", "")])
def test_a_note_is_about_a_patient_of_its_tenant(folder: Path, change: tuple[str, str]) -> None:
    """A note that lies in another tenant, or is shared, would be another's data."""
    path = folder / "documents" / "note-one.md"
    path.write_text(path.read_text().replace(*change))
    expected = "documents/note-one.md: the document is about a patient that its tenant does not have; add the patient"
    assert [line[: len(expected)] for line in mistakes(folder)] == [expected]


@pytest.mark.parametrize("identity", ["a b", "a@b", "a#b", "a/b", "a]b", "a\u202eb", "a\x1bb", "C:"])
def test_ids_hold_only_characters_that_citations_can_carry(
    folder: Path, case: Make, write_jsonl: Write, identity: str
) -> None:
    """Ids become parts of citations, chunk ids and file names."""
    write_jsonl(folder / "cases.jsonl", [case(family=identity)])
    assert mistakes(folder)[0].startswith(f"cases.jsonl:1: family {CHARACTERS}")
    row = load_row(folder) | {"version": identity}
    write_jsonl(folder / "documents.jsonl", [row])
    assert mistakes(folder)[0].startswith(f"documents.jsonl:1: the document's version {CHARACTERS}")


def load_row(folder: Path) -> Row:
    """A right document as a row."""
    return {"id": folder.name, "title": "T", "type": "policy", "state": "published", "text": "Text."}


def test_a_document_holds_more_than_white_space(folder: Path, write_jsonl: Write) -> None:
    """There would be nothing to retrieve."""
    write_jsonl(folder / "documents.jsonl", [load_row(folder) | {"version": "1", "text": " \n"}])
    assert mistakes(folder) == ["documents.jsonl:1: the document has no text; write some, or leave the document out"]


def test_hidden_files_are_no_documents(folder: Path) -> None:
    """File managers leave such files."""
    (folder / "documents" / "._mono-a.md").write_bytes(b"\x00\x05")
    assert len(load_dataset(folder).documents) == 2


def test_rows_survive_a_round_trip(folder: Path, write_jsonl: Write) -> None:
    """What the records write as JSON, the reader reads."""
    dataset = load_dataset(folder)
    write_jsonl(folder / "cases.jsonl", [case.content() for case in dataset.cases])
    write_jsonl(folder / "patients.jsonl", [json.loads(patient.model_dump_json()) for patient in dataset.patients])
    assert load_dataset(folder).digest == dataset.digest
