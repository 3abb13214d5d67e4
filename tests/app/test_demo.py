"""The demo ends as the README says it does."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def lines(text: str) -> list[str]:
    """Without the figures, which may differ in the last place on another processor."""
    return [re.sub(r"[\d.]+", "0", " ".join(line.split())) for line in text.splitlines()]


@pytest.mark.slow
def test_the_demo_ends_as_the_readme_shows(tmp_path: Path) -> None:
    """One system passes, the other is blocked for its three planted answers, and the lines are those shown."""
    pytest.importorskip("onnxruntime", reason="the demo's embedder needs: pip install 'primum[demo]'")
    done = subprocess.run(
        [sys.executable, "-c", "from primum.cli import main; main()", "demo"],
        cwd=tmp_path,
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "COLUMNS": "120", "NO_COLOR": "1"},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (shown,) = re.findall(r"<!-- demo:begin -->\n```text\n(.*?)```\n<!-- demo:end -->", README, re.DOTALL)
    assert lines(done.stdout)[: len(lines(shown))] == lines(shown)
    report = json.loads((tmp_path / "primum-demo" / "report.json").read_text(encoding="utf-8"))
    blocking = {(o["gate"], o["case"]["family"]) for o in report["objections"] if o["blocks"]}
    assert blocking == {
        ("dose", "norvacillin-child-weight"),
        ("isolation", "oduya-torvexaban"),
        ("refusal", "torvexaban-feeding-tube"),
    }
    assert (tmp_path / "primum-demo" / "report.html").stat().st_size > 100_000
