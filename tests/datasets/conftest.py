"""A small right dataset to break in one place at a time."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from primum.datasets.schemas import schemas

Row = dict[str, Any]

MONOGRAPH = """\
---
id: mono-a
version: "1"
title: Medicine A
type: monograph
state: published
---
Synthetic.

## Dose

Adults take 5 mg of medicine A once daily.

## Storage

Keep medicine A dry.
"""

NOTE = """\
---
id: note-one
version: "1"
title: Note
type: patient_note
state: published
tenant: north
patient_id: MRN-1
payload: {room: "4"}
---
Synthetic.

The patient has taken 10 mg of medicine A since May.
"""


@pytest.fixture
def case() -> Callable[..., Row]:
    """A right case, with some fields changed."""

    def make(**fields: Any) -> Row:
        return {
            "family": "dose-a",
            "variant": "plain",
            "question": "What is the dose of medicine A in adults?",
            "kind": "plain",
            "role": "development",
            "scope": {"tenant": "north", "patient_id": "MRN-1"},
            "audience": "nurse",
            "consequence": "serious",
            "answerability": "answerable",
            "expected_behaviour": "Says the dose.",
            "evidence": [
                {"document_id": "mono-a", "document_version": "1", "quote": "5 mg of medicine A once daily", "grade": 2}
            ],
        } | fields

    return make


@pytest.fixture
def by_schema() -> Callable[[str, Row], bool]:
    """Whether the schema of this name accepts a row."""
    validators = {name: Draft202012Validator(schema) for name, schema in schemas().items()}

    def accepts(name: str, row: Row) -> bool:
        # An overload of is_valid, which we do not call, is not typed in types-jsonschema.
        return validators[name].is_valid(row)  # pyright: ignore[reportUnknownMemberType]

    return accepts


@pytest.fixture
def write_jsonl() -> Callable[[Path, list[Row]], Path]:
    """Writes rows as JSON Lines."""

    def write(path: Path, rows: list[Row]) -> Path:
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8", newline="\n")
        return path

    return write


@pytest.fixture
def folder(tmp_path: Path, case: Callable[..., Row], write_jsonl: Callable[[Path, list[Row]], Path]) -> Path:
    """A right dataset: two documents, one case, two patients in two tenants."""
    root = tmp_path / "world"
    (root / "documents").mkdir(parents=True)
    (root / "documents" / "mono-a.md").write_text(MONOGRAPH, encoding="utf-8")
    (root / "documents" / "note-one.md").write_text(NOTE, encoding="utf-8")
    write_jsonl(root / "cases.jsonl", [case()])
    patients = [
        {"mrn": "MRN-1", "name": "Ada Blom", "tenant": "north"},
        {"mrn": "MRN-2", "name": "Bo Carr", "birth_date": "1950-02-01", "room": "7", "tenant": "south"},
    ]
    write_jsonl(root / "patients.jsonl", patients)
    return root
