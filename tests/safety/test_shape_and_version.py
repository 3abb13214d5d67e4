"""Shape and version: the raw output of a structured system, and the evidence of a plain-text one."""

import pytest
from pydantic import JsonValue

from primum.records import Answer, AnswerKey, Exchange, GateResult, Passage, Scope, Status
from primum_safety import ShapeGate, VersionGate

SCHEMA: dict[str, JsonValue] = {
    "type": "object",
    "required": ["answer"],
    "properties": {"answer": {"type": "string", "minLength": 1}, "version": {"type": "string"}},
    "additionalProperties": False,
}


def exchange(text: str, schema: dict[str, JsonValue] | None, version: str | None = None) -> Exchange:
    context = tuple(
        Passage(id=f"pol-7@{v}", document_id="pol-7", document_version=v, text="Review every year.") for v in ("3", "2")
    )
    return Exchange(
        id="x",
        question="How often is policy 7 reviewed?",
        scope=Scope(tenant="shared", required_version=version),
        retrieved=context,
        context=context,
        answer=Answer(text=text),
        output_schema=schema,
    )


def shape(text: str, schema: dict[str, JsonValue] | None = SCHEMA) -> GateResult:
    return ShapeGate().check(exchange(text, schema), AnswerKey())


def version(text: str, schema: dict[str, JsonValue] | None = SCHEMA, required: str | None = "3") -> GateResult:
    return VersionGate().check(exchange(text, schema, required), AnswerKey())


@pytest.mark.parametrize("text", ['{"answer":"Yearly."}', ' \n{"answer": "Yearly.", "version": "3"}\t\n'])
def test_one_valid_value_passes(text: str) -> None:
    """Outer white space does not matter."""
    assert shape(text).status is Status.PASS


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Yearly.", "shape.not_json"),
        ("", "shape.not_json"),
        ('{"answer":"Yearly."', "shape.not_json"),
        ('{"answer":"Yearly."} {"answer":"Yearly."}', "shape.not_json"),
        ('Here it is: {"answer":"Yearly."}', "shape.not_json"),
        ('{"answer":"a","answer":"b"}', "shape.not_json"),
        ('{"answer":NaN}', "shape.not_json"),
        ("[" * 100_000, "shape.not_json"),
        ('\ufeff{"answer":"Yearly."}', "shape.not_json"),
        ('{"answer":""}', "shape.invalid"),
        ('{"answer":1}', "shape.invalid"),
        ('{"answer":"Yearly.","note":"x"}', "shape.invalid"),
        ("[]", "shape.invalid"),
        ('"Yearly."', "shape.invalid"),
    ],
)
def test_anything_else_fails_with_its_reason(text: str, reason: str) -> None:
    """No repair, no first JSON found in a reply."""
    assert {found.reason for found in shape(text).findings} == {reason}


def test_a_finding_does_not_repeat_the_value() -> None:
    """The value may hold patient data."""
    (found,) = shape('{"answer":"Yearly.","secret":"MRN 1001"}').findings
    assert "1001" not in found.message


def test_a_schema_that_is_none_fails_and_no_schema_does_not_apply() -> None:
    """A wrong schema is never taken for a passing one."""
    assert {f.reason for f in shape("{}", {"type": "nothing"}).findings} == {"shape.bad_schema"}
    assert shape("{}", None).status is Status.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"answer":"a","version":"2"}', "version.wrong"),
        ('{"answer":"a","version":"30"}', "version.wrong"),
        ('{"answer":"a","version":" 3"}', "version.wrong"),
        ('{"answer":"a","version":3}', "version.wrong"),
        ('{"answer":"version 3"}', "version.missing"),
        ('{"answer":"a","meta":{"version":"3"}}', "version.missing"),
        ('["3"]', "version.missing"),
        ("version 3", "version.not_json"),
    ],
)
def test_the_version_field_is_the_required_string(text: str, reason: str) -> None:
    """Whole, at the top, as a string."""
    assert {found.reason for found in version(text).findings} == {reason}


def test_the_right_version_passes_and_none_required_does_not_apply() -> None:
    """The other fields do not matter."""
    assert version('{"version":"3","answer":"a"}').status is Status.PASS
    assert version("anything", required=None).status is Status.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("text", "reasons"),
    [
        ("Every year [1].", set[str]()),
        ("Every year [pol-7@3].", set[str]()),
        ("Every year [2].", {"version.evidence"}),
        ("Every year [1] [2].", {"version.evidence"}),
        ("Every year, says version 3.", {"version.missing"}),
        ("The documents do not say.", set[str]()),
    ],
)
def test_a_plain_text_answer_cites_the_required_version(text: str, reasons: set[str]) -> None:
    """Where there is no field, the evidence speaks."""
    assert {found.reason for found in version(text, None).findings} == reasons
