"""The page about the gates and the code say the same."""

import re
from pathlib import Path

import pytest

from primum_safety import default_gates

ROOT = Path(__file__).parents[2]
CODE = re.compile(r'^[A-Z_]+: Final = "([a-z_]+\.[a-z_]+)"$', re.MULTILINE)
ROW = re.compile(r"^\| `([a-z_]+\.[a-z_]+)` \|", re.MULTILINE)


def test_every_reason_code_is_explained_and_every_explained_code_exists() -> None:
    """Codes are constants of the gates' modules; the page has a row for each and no other."""
    gates = ROOT / "safety" / "primum_safety" / "gates"
    in_code = [code for path in sorted(gates.glob("*.py")) for code in CODE.findall(path.read_text(encoding="utf-8"))]
    in_page = ROW.findall((ROOT / "docs" / "gates.md").read_text(encoding="utf-8"))
    assert sorted(in_code) == sorted(in_page)
    assert len(set(in_code)) == len(in_code)


def test_every_gate_has_its_section() -> None:
    """The page's headings name the gates."""
    page = (ROOT / "docs" / "gates.md").read_text(encoding="utf-8")
    for gate in default_gates():
        assert f"\n## {gate.id}\n" in page


def test_the_example_on_the_page_runs_and_prints_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    """The code block is executed as it stands."""
    page = (ROOT / "docs" / "gates.md").read_text(encoding="utf-8")
    code = page.split("```python\n")[1].split("```")[0]
    exec(compile(code, "gates.md", "exec"), {})  # noqa: S102 - the page's own example
    assert f"prints `{capsys.readouterr().out.strip()}`" in page
