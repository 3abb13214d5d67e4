"""JSON Schemas (draft 2020-12) of the files of a dataset, made from the records that read them.

``python -m primum.datasets.schemas FOLDER`` writes them. They are for editors and other languages: reading a dataset
uses the records themselves, which also check what a schema cannot say.
"""

import copy
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from primum.datasets.answers import RecordedAnswer
from primum.datasets.exchanges import RecordedExchange
from primum.datasets.info import DatasetInfo
from primum.datasets.patient import Patient
from primum.datasets.qualification import JudgeTwin
from primum.datasets.roles import RoleEntry
from primum.errors import UsageError
from primum.records import Case, Document, Record

SCHEMA_VERSION: Final = 1
"""Raised when a file that was right becomes wrong."""

_RECORDS: Final[dict[str, type[Record]]] = {
    "case": Case,
    "dataset": DatasetInfo,
    "document": Document,
    "exchange": RecordedExchange,
    "front-matter": Document,
    "judge-twin": JudgeTwin,
    "patient": Patient,
    "recorded-answer": RecordedAnswer,
    "role": RoleEntry,
}
_EXACTLY_ONE: Final = {
    "EvidenceLabel": ("quote", "chunk_id"),
    "PassageRef": ("quote", "chunk_id"),
    "AnswerDefect": ("gate", "rubric"),
}
"""Pairs of fields of which a record has one: the records check it in code, which pydantic does not put in a schema."""


def schemas() -> dict[str, dict[str, Any]]:
    """The schema of each kind of record, by name."""
    return {name: _schema(name, record) for name, record in _RECORDS.items()}


def write_schemas(folder: Path) -> None:
    """Writes each schema as ``<name>.schema.json``."""
    for name, schema in schemas().items():
        (folder / f"{name}.schema.json").write_bytes(rendered(schema).encode())


def rendered(schema: dict[str, Any]) -> str:
    """The schema as it stands in a file."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def main(arguments: Sequence[str]) -> None:
    """Writes the schemas into the folder that is given."""
    if len(arguments) != 1 or not Path(arguments[0]).is_dir():
        raise UsageError("give one folder that exists: python -m primum.datasets.schemas FOLDER")
    write_schemas(Path(arguments[0]))


def _schema(name: str, record: type[Record]) -> dict[str, Any]:
    schema = copy.deepcopy(record.model_json_schema())
    for title, definition in [(schema["title"], schema), *schema.get("$defs", {}).items()]:
        _add_rules(title, definition)
    if name == "front-matter":
        del schema["properties"]["text"]
        schema["required"].remove("text")
        schema["title"] = "FrontMatter"
        schema["description"] = "The fields above the text of a Markdown document."
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:primum:schema:{name}:{SCHEMA_VERSION}",
        **schema,
    }


def _add_rules(title: str, definition: dict[str, Any]) -> None:
    if title in _EXACTLY_ONE:
        definition["oneOf"] = [
            {"required": [field], "properties": {field: {"type": "string"}}} for field in _EXACTLY_ONE[title]
        ]
    if title == "EvidenceLabel":
        definition["if"] = {"required": ["required"], "properties": {"required": {"const": True}}}
        definition["then"] = {"properties": {"grade": {"minimum": 1}}}


if __name__ == "__main__":
    main(sys.argv[1:])
