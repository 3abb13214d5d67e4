"""A retrieval evaluation as JSON, with a published schema; equal evaluations give equal bytes, pure ASCII."""

import json
from importlib.resources import files
from typing import Any, Final

from primum.records.retrieval_summary import RetrievalSummary

FORMAT: Final = "primum.retrieval/1"


def render_retrieval_json(summary: RetrievalSummary) -> str:
    """The summary as indented JSON with keys in the order of the records."""
    return json.dumps({"format": FORMAT, **summary.content()}, indent=1, allow_nan=False) + "\n"


def make_retrieval_schema() -> dict[str, Any]:
    """The JSON Schema of what `render_retrieval_json` writes, made from the records."""
    schema = RetrievalSummary.model_json_schema(mode="serialization")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **schema,
        "title": "Retrieval evaluated by Primum",
        "properties": {"format": {"const": FORMAT}, **schema["properties"]},
        "required": ["format", *schema["required"]],
        "additionalProperties": False,
    }


def published_retrieval_schema() -> dict[str, Any]:
    """The schema as it is shipped with this version."""
    text = (files("primum.report") / "schemas" / "retrieval.schema.json").read_text("utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


if __name__ == "__main__":
    print(json.dumps(make_retrieval_schema(), indent=2))  # noqa: T201 - prints the file that is shipped
