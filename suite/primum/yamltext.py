"""YAML as plain data with the position of each part; the one module that imports ruamel.yaml.

Only what JSON can hold is read: no tags, no dates, no NaN. Error messages never repeat values, since files can hold
what is said of patients.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# (ruamel.yaml does not type its nodes; what leaves this module is typed.)

import math
import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pydantic import JsonValue
from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, ScalarNode, SequenceNode

Location = tuple[int | str, ...]
"""Keys and indices from the top to a part."""

MOST_PARTS: Final = 100_000
"""More than any honest file has; aliases can multiply a small file into a huge one."""

_DEEPEST: Final = 50
_TAG: Final = "tag:yaml.org,2002:"
_INTEGER: Final = re.compile(r"[-+]?[0-9]+")


class YamlTextError(ValueError):
    """The text is not YAML that we read; `line` and `column` count from 1."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


@dataclass(frozen=True, kw_only=True)
class YamlText:
    """Plain data and where each part of it stands."""

    data: JsonValue
    positions: Mapping[Location, tuple[int, int]]

    def position(self, location: Sequence[int | str]) -> tuple[int, int]:
        """Line and column, from 1, of the deepest part of `location` that stands in the text."""
        for length in range(len(location), 0, -1):
            found = self.positions.get(tuple(location[:length]))
            if found is not None:
                return found
        return 1, 1


def parse_yaml(text: str) -> YamlText:
    """Reads one YAML document.

    Raises:
        YamlTextError: syntax errors, duplicate keys, keys that are not text, tags, values that JSON cannot hold.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # reused anchors and the like; what matters is refused below
            root: object = YAML(typ="rt", pure=True).compose(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        problem = str(error.problem or error.context).splitlines()[0]
        raise YamlTextError(f"not valid YAML: {problem}", line, column) from None
    except (YAMLError, ValueError) as error:
        raise YamlTextError(f"not valid YAML: {str(error).splitlines()[0]}", 1, 1) from None
    except Exception:  # noqa: BLE001 - ruamel's scanner raises various built-in errors on broken texts
        raise YamlTextError("not valid YAML; check the indentation and the quotes", 1, 1) from None
    reader = _Reader()
    return YamlText(data=None if root is None else reader.plain(root, ()), positions=reader.positions)


class _Reader:
    """Turns nodes into plain data and notes where they stand."""

    def __init__(self) -> None:
        self.positions: dict[Location, tuple[int, int]] = {}

    def plain(self, node: object, location: Location) -> JsonValue:
        if len(location) > _DEEPEST:
            raise YamlTextError(f"nested deeper than {_DEEPEST} levels", *_place(node))
        if len(self.positions) > MOST_PARTS:
            raise YamlTextError(f"more than {MOST_PARTS:,} parts; leave out aliases that repeat large parts", 1, 1)
        if isinstance(node, MappingNode):
            _refuse_tag(node, "map")
            return self._mapping(node, location)
        if isinstance(node, SequenceNode):
            _refuse_tag(node, "seq")
            items: list[JsonValue] = []
            for index, item in enumerate(node.value):
                self.positions[(*location, index)] = _place(item)
                items.append(self.plain(item, (*location, index)))
            return items
        return _scalar(node)

    def _mapping(self, node: MappingNode, location: Location) -> dict[str, JsonValue]:
        result: dict[str, JsonValue] = {}
        for key_node, value_node in node.value:
            key = _scalar(key_node) if isinstance(key_node, ScalarNode) else None
            if not isinstance(key, str):
                raise YamlTextError("a key here is not text; put it in quotes", *_place(key_node))
            if key in result:
                line, _ = self.positions[*location, key]
                raise YamlTextError(f"found duplicate key {key[:60]!r}, first on line {line}", *_place(key_node))
            self.positions[*location, key] = _place(key_node)
            result[key] = self.plain(value_node, (*location, key))
        return result


def _scalar(node: object) -> JsonValue:
    if not isinstance(node, ScalarNode):  # a kind of node that ruamel has and YAML for settings has not
        raise YamlTextError("this part is not read; write a mapping, a list or a value", *_place(node))
    value = str(node.value)
    kind = str(node.tag).removeprefix(_TAG)
    match kind:
        case "str":
            return value
        case "null":
            return None
        case "bool" if value.lower() in ("true", "false"):
            return value.lower() == "true"
        case "int":
            try:
                return int(value) if _INTEGER.fullmatch(value) else int(value.replace("_", ""), 0)
            except ValueError:  # also numbers of thousands of digits
                raise YamlTextError(
                    "this is not a whole number that we read; put it in quotes", *_place(node)
                ) from None
        case "float":
            return _number(node, value)
        case _:
            raise YamlTextError("a tag or a date is not expected here; put it in quotes", *_place(node))


def _number(node: ScalarNode, value: str) -> float:
    try:
        number = float(value.replace("_", ""))
    except ValueError:  # .nan and .inf, and what an explicit tag claims to be a number
        number = math.nan
    if not math.isfinite(number):
        raise YamlTextError("this is not a finite number; write one, or leave it out", *_place(node))
    return number


def _refuse_tag(node: MappingNode | SequenceNode, plain: str) -> None:
    if str(node.tag) != f"{_TAG}{plain}":
        raise YamlTextError("a tag is not expected here; leave it out", *_place(node))


def _place(node: object) -> tuple[int, int]:
    mark = getattr(node, "start_mark", None)
    return (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)
