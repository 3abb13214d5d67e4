"""Shape: the raw answer is one JSON value that is valid under the required schema."""

import json
from typing import Final, NoReturn

from pydantic import JsonValue

from primum.records import AnswerKey, Exchange, Finding, GateResult, KeyField
from primum_safety.result import concluded, finding, not_applicable

NOT_JSON: Final = "shape.not_json"
INVALID: Final = "shape.invalid"
BAD_SCHEMA: Final = "shape.bad_schema"


class ShapeGate:
    """Holds the raw answer against ``exchange.output_schema``; no schema, nothing to check."""

    id = "shape"
    version = "1"
    needs: frozenset[KeyField] = frozenset()

    def check(self, exchange: Exchange, key: AnswerKey) -> GateResult:  # noqa: ARG002 - the protocol's signature
        """Fails for text that is not one JSON value, or for one that the schema does not allow."""
        if exchange.answer is None:
            return not_applicable(self.id, self.version, "no answer")
        if exchange.output_schema is None:
            return not_applicable(self.id, self.version, "no output schema is required")
        try:
            value = strict_json(exchange.answer.text)
        except ValueError as error:
            message = f"the answer is not one JSON value: {error}"
            return concluded(self.id, self.version, [finding(NOT_JSON, message)])
        return concluded(self.id, self.version, _objections(value, exchange.output_schema))


def _objections(value: JsonValue, schema: dict[str, JsonValue]) -> list[Finding]:
    from jsonschema import SchemaError
    from jsonschema.validators import validator_for

    validator_class = validator_for(schema)
    try:
        validator_class.check_schema(schema)
    except SchemaError as error:
        place = "/".join(map(str, error.absolute_path)) or "top level"
        return [finding(BAD_SCHEMA, f"the required schema is itself not valid JSON Schema at {place}")]
    errors = sorted(validator_class(schema).iter_errors(value), key=lambda e: list(map(str, e.path)))
    # The validator's own message quotes the value, which may hold patient data: name place and rule only.
    return [finding(INVALID, f"the answer breaks the schema's rule {e.validator!r} at {e.json_path}") for e in errors]


def strict_json(text: str) -> JsonValue:
    """The JSON value that `text` is, but for outer whitespace.

    Raises:
        ValueError: `text` is not one JSON value, repeats a key, uses NaN or infinity, or is nested too deeply.
    """
    try:
        value: JsonValue = json.loads(text.strip(" \t\r\n"), parse_constant=_no_constant, object_pairs_hook=_unique)
    except json.JSONDecodeError as error:
        raise ValueError(f"{error.msg} at character {error.pos}") from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    return value


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _unique(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a key is repeated in an object")
    return value
