"""The shipped JSON Schemas say what the records say."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from pydantic import ValidationError

from primum.datasets import Patient, RecordedAnswer
from primum.datasets.info import DatasetInfo
from primum.datasets.schemas import main, rendered, schemas
from primum.errors import UsageError
from primum.records import Case, Document, Record
from primum.resources import shipped

Row = dict[str, Any]
BySchema = Callable[[str, Row], bool]

DOCUMENT: Row = {"id": "a", "version": "1", "title": "A", "type": "policy", "state": "published", "text": "Text."}
ANSWER: Row = {"case_id": "a/b", "text": "5 mg"}
DEFECT: Row = {"kind": "unit", "gate": "dose", "severity": "critical"}
LABEL: Row = {"document_id": "a", "document_version": "1", "quote": "5 mg", "grade": 2}


@pytest.mark.parametrize("name", sorted(schemas()))
def test_a_shipped_schema_is_the_one_that_the_record_gives(name: str) -> None:
    """After a change of a record run: python -m primum.datasets.schemas datasets/schemas."""
    shipped_text = (shipped("datasets") / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8")
    assert shipped_text == rendered(schemas()[name])


def test_no_other_schema_is_shipped() -> None:
    """A schema of a record that is gone would mislead."""
    files = {path.name for path in (shipped("datasets") / "schemas").iterdir()}
    assert files == {f"{name}.schema.json" for name in schemas()}


@pytest.mark.parametrize("name", sorted(schemas()))
def test_a_schema_is_valid_and_names_no_host(name: str) -> None:
    """Each schema is right by its own draft and has an id that points nowhere."""
    schema = schemas()[name]
    Draft202012Validator.check_schema(schema)
    assert schema["$id"] == f"urn:primum:schema:{name}:1"


def accepted(record: type[Record], row: Row) -> bool:
    try:
        record.model_validate_json(json.dumps(row), strict=True)
    except ValidationError:
        return False
    return True


@pytest.mark.parametrize(
    ("name", "record", "row", "right"),
    [
        ("document", Document, DOCUMENT, True),
        ("document", Document, DOCUMENT | {"payload": {"room": ["4", None]}, "patient_id": None}, True),
        ("document", Document, DOCUMENT | {"state": "secret"}, False),
        ("document", Document, DOCUMENT | {"version": 1}, False),
        ("document", Document, DOCUMENT | {"text": ""}, False),
        ("document", Document, DOCUMENT | {"extra": 1}, False),
        ("patient", Patient, {"mrn": "1", "tenant": "north", "room": None}, True),
        ("patient", Patient, {"mrn": "1"}, False),
        ("dataset", DatasetInfo, {"name": "demo", "banner": "Synthetic"}, True),
        ("dataset", DatasetInfo, {"name": ""}, False),
        ("recorded-answer", RecordedAnswer, ANSWER, True),
        ("recorded-answer", RecordedAnswer, ANSWER | {"repetition": -1}, False),
        ("recorded-answer", RecordedAnswer, ANSWER | {"repetition": True}, False),
        ("recorded-answer", RecordedAnswer, ANSWER | {"outcome": "refused"}, False),
        ("recorded-answer", RecordedAnswer, ANSWER | {"citations": [{"target": "a"}]}, True),
        ("recorded-answer", RecordedAnswer, ANSWER | {"citations": ["a"]}, False),
        ("recorded-answer", RecordedAnswer, ANSWER | {"defect": DEFECT}, True),
        ("recorded-answer", RecordedAnswer, ANSWER | {"defect": DEFECT | {"gate": None, "rubric": "r"}}, True),
        ("recorded-answer", RecordedAnswer, ANSWER | {"defect": DEFECT | {"rubric": "r"}}, False),
        ("recorded-answer", RecordedAnswer, ANSWER | {"defect": DEFECT | {"gate": None}}, False),
        (
            "recorded-answer",
            RecordedAnswer,
            ANSWER | {"context": [{"document_id": "a", "document_version": "1"}]},
            False,
        ),
    ],
)
def test_schema_and_record_agree(by_schema: BySchema, name: str, record: type[Record], row: Row, right: bool) -> None:
    """Rows that one accepts the other accepts too."""
    assert by_schema(name, row) == accepted(record, row) == right


@pytest.mark.parametrize(
    ("fields", "right"),
    [
        ({}, True),
        ({"evidence": [LABEL, LABEL | {"quote": None, "chunk_id": "c"}]}, True),
        ({"evidence": [LABEL | {"chunk_id": "c"}]}, False),
        ({"evidence": [LABEL | {"quote": None}]}, False),
        ({"evidence": [LABEL | {"grade": 3}]}, False),
        ({"evidence": [LABEL | {"required": True}]}, True),
        ({"evidence": [LABEL | {"required": True, "grade": 0}]}, False),
        ({"evidence": [LABEL | {"required": False, "grade": 0}]}, True),
        ({"scope": {}}, False),
        ({"role": "training"}, False),
        ({"must_have": "one"}, False),
        ({"output_schema": {"type": "object"}}, True),
        ({"disclaimer_required": "yes"}, False),
    ],
)
def test_case_schema_and_record_agree(by_schema: BySchema, case: Callable[..., Row], fields: Row, right: bool) -> None:
    """The rules across fields are in the schema too."""
    row = case(**fields)
    assert by_schema("case", row) == accepted(Case, row) == right


def test_front_matter_is_a_document_without_its_text(by_schema: BySchema) -> None:
    """The text stands below the front matter."""
    front = {key: value for key, value in DOCUMENT.items() if key != "text"}
    assert by_schema("front-matter", front)
    assert not by_schema("front-matter", DOCUMENT)


def test_the_schemas_are_written_by_a_command(tmp_path: Path) -> None:
    """The command writes one file for each schema, and wants a folder."""
    main([str(tmp_path)])
    assert {path.name for path in tmp_path.iterdir()} == {f"{name}.schema.json" for name in schemas()}
    with pytest.raises(UsageError, match="give one folder that exists"):
        main([])
