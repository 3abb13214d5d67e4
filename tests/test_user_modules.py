"""A module of the user's that cannot be imported is a mistake of the configuration, whatever it does."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from primum.errors import ConfigError
from primum.usercode import load_function


@pytest.fixture
def write(tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """Writes the user's module."""

    def module(source: str) -> Path:
        path = tmp_path / "my_own_code_4712.py"
        path.write_text(source)
        return path

    yield module
    sys.modules.pop("my_own_code_4712", None)
    sys.path[:] = [entry for entry in sys.path if entry != str(tmp_path)]
    sys.path_importer_cache.pop(str(tmp_path), None)


def load(path: Path, name: str = "answer") -> Callable[..., Any]:
    """The function of the user's module."""
    return load_function(f"{path.stem}:{name}", folder=path.parent, takes="a question")


@pytest.mark.parametrize(
    ("source", "kind", "line"),
    [
        ("\ndef answer(q) return None\n", "SyntaxError", 2),
        ("if True:\nx = 1\n", "IndentationError", 2),
        ("from os import nothing_there\n", "ImportError", 1),
        ("import no_such_package_4712\n", "ModuleNotFoundError", 1),
        ("\n\nimport json\njson.loads('Jane Doe')\n", "JSONDecodeError", 4),
        ("import os\nos.nothing_there()\n", "AttributeError", 2),
        ("raise ValueError('Jane Doe')\n", "ValueError", 1),
        ("import sys\nsys.exit(0)\n", "SystemExit", 2),
        ("raise GeneratorExit('Jane Doe')\n", "GeneratorExit", 1),
        ("raise StopIteration\n", "StopIteration", 1),
        ("class Odd(BaseException): ...\nraise Odd('Jane Doe')\n", "Odd", 2),
        ("from primum.errors import ConfigError\nraise ConfigError('Jane Doe')\n", "ConfigError", 2),
    ],
)
def test_a_module_that_cannot_be_imported_is_a_mistake_of_the_configuration(
    write: Callable[[str], Path], source: str, kind: str, line: int
) -> None:
    """The message names the module, the type and the place, and never the text."""
    path = write(source)
    with pytest.raises(ConfigError) as raised:
        load(path)
    assert f"{path.stem} cannot be imported: {kind} at {path}:{line}; " in str(raised.value)
    assert "Jane" not in str(raised.value)


@pytest.mark.parametrize("content", [b"x = '\0'\n", b"x = '\xff'\n"])
def test_a_module_that_is_no_source_is_a_mistake_of_the_configuration(
    write: Callable[[str], Path], content: bytes
) -> None:
    """Bytes that Python cannot read."""
    path = write("")
    path.write_bytes(content)
    with pytest.raises(ConfigError, match="cannot be imported"):
        load(path)


def test_a_module_that_answers_for_its_names_may_raise_anything(write: Callable[[str], Path]) -> None:
    """Attributes are the user's code too."""
    path = write("import sys\ndef __getattr__(name): sys.exit(0)\n")
    with pytest.raises(ConfigError, match="has no 'answer'"):
        load(path)
