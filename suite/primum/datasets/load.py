"""A dataset folder as one frozen value, checked as a whole."""

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from primum.datasets.answers import RecordedAnswer
from primum.datasets.info import DatasetInfo, collect_info
from primum.datasets.jsonl import Line, collect_jsonl, refuse_duplicates
from primum.datasets.markdown import collect_document
from primum.datasets.patient import Patient
from primum.datasets.problems import Problems
from primum.datasets.roles import LEDGER, RoleEntry, collect_roles
from primum.digest import digest
from primum.errors import DatasetError, at
from primum.records import SHARED_TENANT, Case, Document, Person, Scope

_ID: Final = re.compile(r"[\w.+~-]+")
_ID_RULE: Final = "use letters, digits and . _ + ~ - only, since ids become parts of citations and chunk ids"


@dataclass(frozen=True, kw_only=True)
class Dataset:
    """Documents, cases and patients that belong together."""

    folder: Path
    info: DatasetInfo
    documents: tuple[Document, ...]
    cases: tuple[Case, ...]
    patients: tuple[Patient, ...]
    case_places: Mapping[str, str]
    """Where each case was read, by case id."""
    document_places: Mapping[tuple[str, str], str]
    """Where each document was read, by id and version."""
    paths: tuple[Path, ...]
    """The files that were read."""
    digest: str
    """Of the content, whatever the order and line ends of the files."""
    roles: tuple[RoleEntry, ...] = ()
    """The role ledger, oldest first; empty when the folder keeps none. No part of the digest: it changes no answer."""

    @property
    def name(self) -> str:
        """The dataset's own name, or that of its folder."""
        return self.info.name

    def roster(self, scope: Scope) -> tuple[Person, ...]:
        """All known patients but the active one."""
        active = (scope.tenant, scope.patient_id)
        return tuple(patient.person() for patient in self.patients if (patient.tenant, patient.mrn) != active)


def load_dataset(folder: Path) -> Dataset:
    """Reads and checks a dataset folder.

    Raises:
        DatasetError: lists all mistakes with their places.
    """
    problems = Problems()
    dataset = collect_dataset(folder, problems)
    problems.raise_errors()
    return dataset


def load_recorded_answers(path: Path) -> tuple[RecordedAnswer, ...]:
    """The answers in one file of ``answers/``; each (case, repetition) is there once.

    Raises:
        DatasetError: lists all mistakes with their places.
    """
    return tuple(line.record for line in read_recorded_answers(path))


def read_recorded_answers(path: Path) -> tuple[Line[RecordedAnswer], ...]:
    """As `load_recorded_answers`, with the place of each answer for the messages of whoever uses them."""
    problems = Problems()
    lines = collect_answers(path, problems)
    problems.raise_errors()
    return lines


def collect_dataset(folder: Path, problems: Problems) -> Dataset:
    """The folder as far as it can be read; mistakes go to `problems`.

    Raises:
        DatasetError: there is no such folder.
    """
    if not folder.is_dir():
        raise DatasetError(f"{folder}: there is no such folder; give the folder that holds cases.jsonl and documents/")
    info = collect_info(folder, problems)
    documents = _documents(folder, problems)
    cases = _cases(folder, problems)
    patients = _patients(folder, problems)
    _check_documents(documents, patients, problems)
    _check_cases(cases, documents, patients, problems)
    roles = collect_roles(folder, cases, problems)
    content = {
        "documents": sorted((line.record.content() for line in documents), key=lambda d: (d["id"], d["version"])),
        "cases": sorted((line.record.content() for line in cases), key=lambda c: (c["family"], c["variant"])),
        "patients": sorted((line.record.content() for line in patients), key=lambda p: (p["tenant"], p["mrn"])),
    }
    return Dataset(
        folder=folder,
        info=info,
        documents=tuple(line.record for line in documents),
        cases=tuple(line.record for line in cases),
        patients=tuple(line.record for line in patients),
        case_places={line.record.id: line.place for line in cases},
        document_places={(line.record.id, line.record.version): line.place for line in documents},
        paths=_paths(folder),
        digest=digest(content),
        roles=roles,
    )


def collect_answers(path: Path, problems: Problems) -> tuple[Line[RecordedAnswer], ...]:
    """The recorded answers of one file; mistakes go to `problems`."""
    lines = collect_jsonl(path, RecordedAnswer, problems)
    refuse_duplicates(lines, lambda answer: (answer.case_id, answer.repetition), "case_id and repetition", problems)
    return lines


def _paths(folder: Path) -> tuple[Path, ...]:
    names = ("dataset.yaml", "documents.jsonl", "cases.jsonl", "patients.jsonl", LEDGER)
    return tuple(path for name in names if (path := folder / name).exists()) + _markdown_files(folder)


def _markdown_files(folder: Path) -> tuple[Path, ...]:
    files = (path for path in (folder / "documents").rglob("*.md") if not path.name.startswith("."))
    return tuple(sorted(files, key=Path.as_posix))


def _documents(folder: Path, problems: Problems) -> tuple[Line[Document], ...]:
    lines: list[Line[Document]] = []
    whole = folder / "documents.jsonl"
    files = _markdown_files(folder)
    if whole.exists():
        lines += collect_jsonl(whole, Document, problems)
    elif not files:
        problems.error(at(folder), "there are no documents", "write documents/*.md or documents.jsonl")
    for path in files:
        if (document := collect_document(path, problems)) is not None:
            lines.append(Line(number=1, place=at(path), record=document))
    refuse_duplicates(lines, lambda document: (document.id, document.version), "document id and version", problems)
    return tuple(lines)


def _cases(folder: Path, problems: Problems) -> tuple[Line[Case], ...]:
    path = folder / "cases.jsonl"
    if not path.exists():
        close = difflib.get_close_matches(path.name, [file.name for file in folder.iterdir()], n=1, cutoff=0.8)
        fix = f"rename {close[0]!r}?" if close else "write one case on each line"
        problems.error(at(path), "the file is missing", fix)
        return ()
    lines = collect_jsonl(path, Case, problems)
    refuse_duplicates(lines, lambda case: case.id, "family and variant", problems)
    return lines


def _patients(folder: Path, problems: Problems) -> tuple[Line[Patient], ...]:
    path = folder / "patients.jsonl"
    if not path.exists():
        return ()
    lines = collect_jsonl(path, Patient, problems)
    refuse_duplicates(lines, lambda patient: (patient.tenant, patient.mrn), "mrn", problems)
    return lines


def _check_documents(
    documents: Iterable[Line[Document]], patients: Iterable[Line[Patient]], problems: Problems
) -> None:
    known = _known_patients(patients)
    for line in documents:
        document = line.record
        for name, value in (("id", document.id), ("version", document.version)):
            if not _ID.fullmatch(value):
                problems.error(line.place, f"the document's {name} holds other characters than it may", _ID_RULE)
        if not document.text.strip():
            problems.error(line.place, "the document has no text", "write some, or leave the document out")
        if document.patient_id is not None and (document.tenant, document.patient_id) not in known:
            fix = "add the patient to patients.jsonl, or correct patient_id or tenant"
            problems.error(line.place, "the document is about a patient that its tenant does not have", fix)


def _check_cases(
    cases: Iterable[Line[Case]],
    documents: Iterable[Line[Document]],
    patients: Iterable[Line[Patient]],
    problems: Problems,
) -> None:
    known = _known_patients(patients)
    tenants = {tenant for tenant, _ in known} | {line.record.tenant for line in documents} | {SHARED_TENANT}
    first: dict[str, Line[Case]] = {}
    for line in cases:
        case, scope = line.record, line.record.scope
        for name, value in (("family", case.family), ("variant", case.variant)):
            if not _ID.fullmatch(value):
                problems.error(line.place, f"{name} holds other characters than it may", _ID_RULE)
        # A dataset whose documents are all shared, and that knows no patient, names no tenants at all.
        if tenants != {SHARED_TENANT} and scope.tenant not in tenants:
            problems.error(line.place, "scope.tenant has neither documents nor patients", "correct it, or add some")
        elif scope.patient_id is not None and (scope.tenant, scope.patient_id) not in known:
            fix = "add the patient to patients.jsonl, or correct the scope"
            problems.error(line.place, "scope.patient_id is not a patient of scope.tenant", fix)
        sibling = first.setdefault(case.family, line)
        if case.role is not sibling.record.role:
            message = f"the family has the role {sibling.record.role} at {sibling.place}"
            problems.error(line.place, message, "give all variants of a family one role")


def _known_patients(patients: Iterable[Line[Patient]]) -> frozenset[tuple[str, str]]:
    return frozenset((line.record.tenant, line.record.mrn) for line in patients)
