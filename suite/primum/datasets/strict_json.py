"""What a lenient JSON reader would let through."""

import json
import math
import re
from dataclasses import dataclass, field
from typing import Final

from primum.datasets.problems import shown

_ESCAPED_SURROGATE: Final = re.compile(
    r"(?<!\\)(?:\\\\)*"
    r"(?P<half>\\u[dD](?:[89abAB][0-9a-fA-F]{2}(?P<other>\\u[dD][c-fC-F][0-9a-fA-F]{2})?|[c-fC-F][0-9a-fA-F]{2}))"
)


@dataclass(frozen=True, kw_only=True)
class JsonMistake:
    """Why a text is not one plain JSON object."""

    column: int | None = None
    """From 1, where known."""
    message: str
    fix: str


def json_mistakes(text: str, *, unended: bool) -> list[JsonMistake]:
    """The mistakes in one line of JSON; none when it is an object that every JSON reader understands alike.

    Args:
        text: the line.
        unended: whether the file ends here without a line end, so that broken JSON is a sign of a lost rest.
    """
    found = _Hooks()
    try:
        value: object = json.loads(
            text, object_pairs_hook=found.pairs, parse_constant=found.constant, parse_float=found.number
        )
    except json.JSONDecodeError as error:
        # Where the text was cut, Python's reader stops in its last word or at the start of its last string.
        if unended and (error.msg.startswith("Unterminated") or len(text) - error.pos <= len("\\uXXXX")):
            message, fix = "the file ends in the middle of a record", "write the whole last line again"
        else:
            message, fix = f"not JSON: {error.msg}", "write one JSON object on one line"
        return [JsonMistake(column=error.colno, message=message, fix=fix)]
    except RecursionError:
        return [JsonMistake(message="objects or lists are nested too deeply", fix="make the record flatter")]
    except ValueError:  # Python's limit for the digits of a whole number
        return [JsonMistake(message="a number has too many digits", fix="write it as text")]
    if not isinstance(value, dict):
        found.add("the line is JSON, but not an object", "write one JSON object, in { }, on one line")
    return found.mistakes + _lone_surrogates(text)


def _lone_surrogates(text: str) -> list[JsonMistake]:
    return [
        JsonMistake(
            column=match.start("half") + 1,
            message="half a surrogate pair is not text",
            fix="write the character itself, or \\ufffd",
        )
        for match in _ESCAPED_SURROGATE.finditer(text)
        if match["other"] is None
    ]


@dataclass
class _Hooks:
    mistakes: list[JsonMistake] = field(default_factory=list[JsonMistake])

    def add(self, message: str, fix: str) -> None:
        self.mistakes.append(JsonMistake(message=message, fix=fix))

    def pairs(self, items: list[tuple[str, object]]) -> dict[str, object]:
        result: dict[str, object] = {}
        for key, value in items:
            if key in result:
                self.add(f"the key {shown(key)} is there twice in one object", "keep one of the two")
            result[key] = value
        return result

    def constant(self, name: str) -> None:
        self.add(f"{name} is not JSON", "write null or leave the field out")

    def number(self, digits: str) -> float:
        value = float(digits)
        if math.isinf(value):
            self.add("a number is too large", "write a number below 1e308")
        return value
