"""Plain JSON text to a record, with every mistake named and a suggestion for misspelt names."""

import difflib
from collections.abc import Callable, Iterable
from typing import Any, TypeVar, get_args

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from primum.datasets.problems import Problems, shown
from primum.records import Record

R = TypeVar("R", bound=Record)
Location = tuple[int | str, ...]

_QUOTES = "put the value in quotes"
_TYPES = {
    "string_type": ("text", _QUOTES),
    "int_type": ("a whole number", "write it without quotes and without a decimal point"),
    "int_from_float": ("a whole number", "write it without a decimal point"),
    "bool_type": ("true or false", "write true or false without quotes"),
    "tuple_type": ("a list", "put it in [ ]"),
    "dict_type": ("an object", "put it in { }"),
    "mapping_type": ("an object", "put it in { }"),
    "model_type": ("an object", "put it in { }"),
}


def validate_json(
    text: str | bytes, record: type[R], problems: Problems, place: Callable[[Location], str], *, without: str = ""
) -> R | None:
    """The record in `text`, checked strictly (no text for a number, no number for text); None when it has mistakes.

    Args:
        text: a JSON object.
        record: the type that it should be.
        problems: takes the mistakes.
        place: gives the place of a field.
        without: a field that is filled in by the caller, not by the person who wrote the file.
    """
    try:
        return record.model_validate_json(text, strict=True)
    except ValidationError as error:
        for detail in error.errors(include_url=False):
            message, fix = _explained(detail, record, without)
            problems.error(place(detail["loc"]), message, fix)
        return None


def field_path(location: Location) -> str:
    """A field as people write it: ``evidence[2].quote``."""
    path = ""
    for part in location:
        if isinstance(part, int):
            path += f"[{part}]"
        else:
            name = part if part.isidentifier() and part.isascii() and len(part) <= 40 else shown(part)
            path += f".{name}" if path else name
    return path


def suggestion(name: str, known: Iterable[str]) -> str:
    """What to write instead of a name that is not known."""
    names = sorted(known)
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    return f"did you mean {close[0]!r}?" if close else f"it is one of: {', '.join(names)}"


def _explained(detail: ErrorDetails, record: type[Record], without: str) -> tuple[str, str]:
    location, kind = detail["loc"], detail["type"]
    name = field_path(location)
    if kind == "missing":
        return f"the field {name} is missing", "add it"
    if kind == "extra_forbidden":
        known = _fields(record, location[:-1]) - {without}
        return f"the field {name} is not known", suggestion(str(location[-1]), known) if known else "leave it out"
    if kind == "enum":
        choices = [choice.strip(" '") for choice in detail.get("ctx", {})["expected"].replace(" or ", ", ").split(",")]
        return f"{name} has a value that is not allowed", suggestion(str(detail["input"]), choices)
    if kind in _TYPES:
        wanted, fix = _TYPES[kind]
        return f"{name} is not {wanted}", fix
    if kind == "value_error":
        reason = detail["msg"].removeprefix("Value error, ")
        return f"{name}: {reason}" if name else reason, "change the record"
    return f"{name}: {detail['msg'][:1].lower()}{detail['msg'][1:]}" if name else detail["msg"], "change the value"


def _fields(record: type[Record], location: Location) -> set[str]:
    """The fields that the record at `location` inside `record` may have; empty when that is no record."""
    here: type[Record] | None = record
    for part in location:
        if isinstance(part, str):
            info = here.model_fields.get(part) if here else None
            here = _record_in(info.annotation) if info else None
    return set(here.model_fields) if here else set()


def _record_in(annotation: Any) -> type[Record] | None:
    if isinstance(annotation, type) and issubclass(annotation, Record):
        return annotation
    return next((found for part in get_args(annotation) if (found := _record_in(part))), None)
