"""What may import what, beyond the layers that import-linter checks."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = [ROOT / "suite" / "primum", ROOT / "judges" / "primum_judges", ROOT / "safety" / "primum_safety"]

HEAVY = (
    "alembic",
    "instructor",
    "jinja2",
    "jsonschema",
    "litellm",
    "llama_cpp",
    "numpy",
    "onnxruntime",
    "openai",
    "qdrant_client",
    "rich",
    "scipy",
    "sqlalchemy",
    "tokenizers",
)


def imports(path: Path) -> Iterator[str]:
    """Top-level names of everything that a file imports, wherever in the file it does."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.split(".")[0]


@pytest.mark.parametrize("client", ["litellm", "instructor", "openai", "qdrant_client", "ruamel"])
def test_a_client_is_imported_by_one_module_at_most(client: str) -> None:
    """Foreign exceptions and types cannot spread when one module alone knows the library."""
    importers = [path for source in SOURCES for path in source.rglob("*.py") if client in imports(path)]
    assert len(importers) <= 1, [str(path.relative_to(ROOT)) for path in importers]


@pytest.mark.parametrize("module", ["primum", "primum_judges", "primum_safety", "primum.cli"])
def test_importing_a_package_loads_nothing_heavy(module: str) -> None:
    """`import` costs little and starts nothing; heavy clients are loaded where they are used."""
    code = f"import sys, {module}; print(*sorted(set(sys.modules) & {set(HEAVY)!r}))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert loaded == []


def test_importing_the_judges_first_does_not_load_the_suite() -> None:
    """The judges stand alone: only records and what lies beneath them comes with them."""
    code = "import sys, primum_judges; print(*sorted(m for m in sys.modules if m.startswith('primum.')))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"primum.app", "primum.pipeline", "primum.cli", "primum.store", "primum.report"} & set(loaded)


def test_no_code_file_is_longer_than_400_lines() -> None:
    """One concept a file; longer ones have more than one."""
    long = {
        str(path.relative_to(ROOT)): lines
        for source in [*SOURCES, ROOT / "tests", ROOT / "bench"]
        for path in source.rglob("*.py")
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > 400
    }
    assert long == {}
