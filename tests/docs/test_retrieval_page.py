"""What docs/retrieval.md shows works."""

import ast
import re
from pathlib import Path

import click
import pytest

from primum.cli.commands import primum
from primum.config import load_settings
from primum.yamltext import parse_yaml

PAGE = (Path(__file__).parents[2] / "docs" / "retrieval.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", PAGE, re.DOTALL)
REST = "version: 1\nname: w\nindex: {memory: true}\nsystems: {b: {generator: {kind: extractive}}}\nrelease: b\n"


@pytest.mark.parametrize("text", [text for kind, text in BLOCKS if kind == "yaml"])
def test_every_yaml_example_is_read(tmp_path: Path, text: str) -> None:
    """Settings as settings, the workflow as YAML."""
    if not text.startswith("retrieval:"):
        assert parse_yaml(text).data
        return
    path = tmp_path / "primum.yaml"
    path.write_text(REST + text)
    assert load_settings(path).retrieval.kind == "callable"


def test_the_function_is_called_as_it_is_shown() -> None:
    """With question, scope and limit."""
    shown = next(text for kind, text in BLOCKS if kind == "python")
    function = ast.parse(shown).body[0]
    assert isinstance(function, ast.FunctionDef)
    assert [argument.arg for argument in function.args.args] == ["question", "scope", "limit"]


def test_every_option_that_is_shown_is_there() -> None:
    """Of `primum retrieval` and `primum baseline update`."""
    group = primum.commands["baseline"]
    assert isinstance(group, click.Group)
    known = {
        option
        for command in (primum.commands["retrieval"], group.commands["update"])
        for parameter in command.params
        for option in parameter.opts
    }
    assert set(re.findall(r"--[a-z-]+[a-z]", PAGE)) <= known
