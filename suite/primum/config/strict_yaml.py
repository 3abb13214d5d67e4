"""Reads a YAML file into a record and says of each mistake where it is and what to write instead."""

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, TypeVar, get_args

from pydantic import BaseModel, ValidationError

from primum.errors import ConfigError, at
from primum.yamltext import Location, YamlText, YamlTextError, parse_yaml

Model = TypeVar("Model", bound=BaseModel)

_EXAMPLES: Final = {
    "index": ", such as index: {memory: true}",
    "systems": ", such as systems: {ours: {generator: {kind: extractive}}}",
}


def read_yaml(
    path: Path, model: type[Model], *, missing: str, example: str = "version: 1", text: str | None = None
) -> Model:
    """The record in `path`.

    Args:
        path: The file, which mistakes are told by.
        model: What it holds.
        missing: What to do when there is no such file.
        example: A line that the file may hold.
        text: The content, when it does not come from the file as it lies there.

    Raises:
        ConfigError: with one line per mistake, each ``file:line:column: what is wrong and what to write``.
    """
    if text is None and path.exists() and not path.is_file():
        raise ConfigError(f"{path}: is not a file; {missing}")
    source = _parse(path, missing, example, lambda: path.read_text(encoding="utf-8") if text is None else text)
    try:
        return model.model_validate(source.data)
    except ValidationError as error:
        lines = [_explain(path, model, source, item) for item in error.errors()]
        raise ConfigError("\n".join(dict.fromkeys(lines))) from None


def _parse(path: Path, missing: str, example: str, read: Callable[[], str]) -> YamlText:
    try:
        source = parse_yaml(read())
    except FileNotFoundError:
        raise ConfigError(f"{path}: no such file; {missing}") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: byte {error.start} is not UTF-8; save the file as UTF-8") from None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
    except YamlTextError as error:
        raise ConfigError(f"{at(path, error.line, error.column)}: {error}") from None
    if not isinstance(source.data, dict):
        raise ConfigError(f"{at(path, 1)}: expected settings such as '{example}', found {_kind(source.data)}")
    return source


def _explain(path: Path, model: type[BaseModel], source: YamlText, error: Mapping[str, Any]) -> str:
    kind = str(error["type"])
    location = _as_written(source, tuple(error["loc"]), kind)
    dotted = ".".join(str(part) for part in location) or "the file"
    place = at(path, *source.position(location))
    if kind == "extra_forbidden":
        return f"{place}: unknown setting {dotted}; {_suggest(model, location)}"
    if kind == "missing":
        return f"{place}: {dotted} is missing; add it{_EXAMPLES.get(dotted, '')}"
    if kind in ("model_type", "model_attributes_type", "mapping_type", "dict_type"):
        inside = ", ".join(_fields_at(model, location))
        example = _EXAMPLES.get(dotted) or (f" of {inside}" if inside else "")
        return f"{place}: {dotted} is {_shown(error['input'])}; write a mapping{example}"
    if kind in ("tuple_type", "list_type"):
        return f"{place}: {dotted} is {_shown(error['input'])}; write a list, such as [one, two]"
    if kind == "too_short":
        return f"{place}: {dotted} is empty; write at least {error['ctx']['min_length']}"
    if kind in ("literal_error", "enum"):
        return f"{place}: {dotted} is {_shown(error['input'])}; write one of {error['ctx']['expected']}"
    if kind in ("union_tag_invalid", "union_tag_not_found"):
        tags = str(error.get("ctx", {}).get("expected_tags", "")) or "the kinds listed in the reference"
        return f"{place}: {dotted} needs 'kind:' to be one of {tags}"
    if location[-1:] == ("api_key_env",):  # what stands there may be the key itself
        return f"{place}: {dotted}: write the NAME of an environment variable that holds the key, never the key"
    message = str(error["msg"]).removeprefix("Value error, ")
    if kind == "value_error":
        return f"{place}: {dotted}: {message}"
    return f"{place}: {dotted} is {_shown(error['input'])}: {message[:1].lower()}{message[1:]}"


def _as_written(source: YamlText, location: Location, kind: str) -> Location:
    """The location without the names of union members, which pydantic adds and the file does not have."""
    written: Location = ()
    for index, part in enumerate(location):
        # A setting that is missing or left to its default stands nowhere; a section that contradicts itself does.
        last = index == len(location) - 1 and kind != "value_error"
        if part != "[key]" and (last or (*written, part) in source.positions):
            written = (*written, part)
    return written


def _suggest(model: type[BaseModel], location: Location) -> str:
    known = _fields_at(model, location[:-1])
    if location[-1] in known:
        return "it goes with another kind; leave it out"
    close = get_close_matches(str(location[-1]), known, n=1)
    if close:
        return f"did you mean {close[0]}?"
    return f"known here: {', '.join(known)}" if known else "remove it"


def _fields_at(model: type[BaseModel], location: Sequence[int | str]) -> list[str]:
    """Names of the settings that may stand at `location`, over all members of a union."""
    models = [model]
    for part in location:
        found: list[type[BaseModel]] = []
        for candidate in models:
            field = candidate.model_fields.get(str(part))
            if field is not None:
                found += _models_in(field.annotation)
        models = found or models  # a free key, such as the name of a system, has no field of its own
    return sorted({name for candidate in models for name in candidate.model_fields})


def _models_in(annotation: Any) -> list[type[BaseModel]]:
    parts = get_args(annotation)
    if not parts:
        return [annotation] if isinstance(annotation, type) and issubclass(annotation, BaseModel) else []
    return [model for part in parts for model in _models_in(part)]


def _shown(value: object) -> str:
    text = repr(value) if isinstance(value, str | int | float | bool) or value is None else _kind(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _kind(value: object) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, Mapping):
        return "a mapping"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "a list"
    return f"the value {value!r}"
