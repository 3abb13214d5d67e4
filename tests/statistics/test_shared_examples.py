"""The developer's cases and worked examples, which lie beside the repository."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared" / "bench"
pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not SHARED.is_dir(), reason="../shared/bench is not there; the worked examples lie in it"),
]


def bench(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs a benchmark as its user does."""
    command = [sys.executable, str(ROOT / "bench" / script), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def test_every_worked_example_matches() -> None:
    """All statistics, by the definitions in the files' notes."""
    done = bench("stats.py", str(SHARED / "stats"))
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_retrieval_case_matches() -> None:
    """All values, errors, misses and gate comparisons."""
    done = bench("retrieval.py", *map(str, sorted((SHARED / "retrieval").glob("*.jsonl"))))
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_wrong_expectation_is_noticed(tmp_path: Path) -> None:
    """A check that cannot fail checks nothing."""
    example = json.loads((SHARED / "stats" / "b02_zero_failures.json").read_text(encoding="utf-8"))
    example["expected"]["n_required"][0]["n"] += 1
    (tmp_path / "b02.json").write_text(json.dumps(example), encoding="utf-8")
    done = bench("stats.py", str(tmp_path))
    assert (done.returncode, "n_required[0].n" in done.stdout) == (1, True)
    row = {"kind": "gate", "id": "g", "current": "0.5", "baseline": "0.6", "tolerance": "0.03"}
    cases = tmp_path / "cases.jsonl"
    cases.write_text(json.dumps(row | {"expect": {"result": "pass"}}), encoding="utf-8")
    assert bench("retrieval.py", str(cases)).returncode == 1
