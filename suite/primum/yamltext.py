"""YAML as plain data with the position of each part; the one module that imports ruamel.yaml."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# (ruamel.yaml does not type its nodes; what leaves this module is typed.)

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import MarkedYAMLError, YAMLError

Location = tuple[int | str, ...]
"""Keys and indices from the top to a part."""

MOST_PARTS = 100_000
"""More than any honest file has; aliases can multiply a small file into a huge one."""


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
        YamlTextError: syntax errors, duplicate keys, keys that are not text, values that JSON cannot hold.
    """
    try:
        tree: object = YAML(typ="rt").load(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        problem = str(error.problem or error.context).splitlines()[0]
        raise YamlTextError(f"not valid YAML: {problem}", line, column) from None
    except (YAMLError, ValueError, RecursionError) as error:
        raise YamlTextError(f"not valid YAML: {str(error).splitlines()[0]}", 1, 1) from None
    positions: dict[Location, tuple[int, int]] = {}
    return YamlText(data=_plain(tree, (), positions), positions=positions)


def _plain(node: object, location: Location, positions: dict[Location, tuple[int, int]]) -> JsonValue:
    if len(positions) > MOST_PARTS:
        raise YamlTextError(f"more than {MOST_PARTS:,} parts; leave out aliases that repeat large parts", 1, 1)
    if isinstance(node, CommentedMap):
        result: dict[str, JsonValue] = {}
        for key, value in node.items():
            line, column = node.lc.key(key) if key in (node.lc.data or {}) else (node.lc.line, node.lc.col)
            if not isinstance(key, str):
                raise YamlTextError(f"the key {key!r} is not text; put it in quotes", line + 1, column + 1)
            positions[(*location, key)] = (line + 1, column + 1)
            result[str(key)] = _plain(value, (*location, str(key)), positions)
        return result
    if isinstance(node, CommentedSeq):
        items: list[JsonValue] = []
        for index, value in enumerate(node):
            line, column = node.lc.item(index)
            positions[(*location, index)] = (line + 1, column + 1)
            items.append(_plain(value, (*location, index), positions))
        return items
    if node is None or isinstance(node, bool):
        return node
    for kind in (int, float, str):  # ruamel keeps how a scalar was written in subclasses of these
        if isinstance(node, kind):
            return kind(node)
    line, column = positions.get(location, (1, 1))
    raise YamlTextError(f"a {type(node).__name__} is not expected here; put it in quotes", line, column)
