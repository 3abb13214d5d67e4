"""The JSON Schema of the JSON report, made from the records.

``python -m primum.report.schema`` prints it; a test checks that the shipped file is what it prints.
"""

import json
import sys
from importlib.resources import files
from typing import Any

from pydantic.json_schema import models_json_schema

from primum.records.summary import RunReport
from primum.report.json_report import FORMAT, LEFT_OUT, TIMED


def make_schema() -> dict[str, Any]:
    """The JSON Schema of what `render_json` writes, made from the records."""
    _, schema = models_json_schema([(RunReport, "serialization")], ref_template="#/$defs/{model}")
    definitions: dict[str, Any] = schema["$defs"]
    for taken in (TIMED, LEFT_OUT):
        for record, names in taken.items():
            definition = definitions[record]
            for name in names:
                del definition["properties"][name]
            definition["required"] = [name for name in definition["required"] if name not in names]
    definitions = {name: definition for name, definition in definitions.items() if name not in {"Timing", "Person"}}
    report = definitions.pop("RunReport")
    pointers = {
        "type": "object",
        "description": "What differs between two equal runs: JSON Pointers into this document, each with its value.",
        "propertyNames": {"pattern": "^/"},
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Report of a Primum run",
        "description": report["description"],
        "type": "object",
        "properties": {"format": {"const": FORMAT}, **report["properties"], "timing": pointers},
        "required": ["format", *report["required"], "timing"],
        "additionalProperties": False,
        "$defs": definitions,
    }


def published_schema() -> dict[str, Any]:
    """The schema as it is shipped with this version."""
    text = (files("primum.report") / "schemas" / "report.schema.json").read_text("utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


def schema_text() -> str:
    """What the shipped schema file should hold."""
    return json.dumps(make_schema(), indent=2) + "\n"


if __name__ == "__main__":
    sys.stdout.write(schema_text())
