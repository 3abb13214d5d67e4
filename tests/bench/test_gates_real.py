"""The benchmark on real text, on a guideline of our own and on the files that lie beside the repository."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared" / "data"
GUIDELINE = {
    "id": "guideline",
    "title": "Ear pain",
    "sections": [
        {
            "section": "Treatment",
            "text": "- Velorixan 5 mg/kg every 8 hours for 10 days\n- Sutrelim: 250 mg twice daily with food",
        }
    ],
}


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the benchmark as its user does."""
    command = [sys.executable, str(ROOT / "bench" / "gates_real.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def write(folder: Path, *rows: object) -> None:
    """Puts a guideline where the benchmark looks for one."""
    (folder / "nstg2022_guidelines").mkdir()
    lines = "\n".join(json.dumps(row) for row in rows)
    (folder / "nstg2022_guidelines" / "documents.jsonl").write_text(lines, encoding="utf-8")


def test_each_kind_of_fault_is_counted_with_its_interval(tmp_path: Path) -> None:
    """Two dose lines give two answers as they are, and a fault of each kind that applies."""
    write(tmp_path, GUIDELINE)
    done = bench(str(tmp_path))
    assert done.returncode == 0, done.stderr
    for row in (
        "good answers passed  dose line as it is                             2/2 [0.158, 1.000]",
        "faults caught        another frequency                              2/2 [0.158, 1.000]",
        "faults caught        another number                                 2/2 [0.158, 1.000]",
        "faults caught        another unit                                   2/2 [0.158, 1.000]",
        "faults caught        dose of another line                           2/2 [0.158, 1.000]",
        "faults caught        per kg lost                                    1/1 [0.025, 1.000]",
    ):
        assert row in done.stdout, done.stdout
    assert "fda_labels: not in" in done.stdout


def test_what_is_missed_is_counted_and_listed_by_id_only(tmp_path: Path) -> None:
    """A summary that is labelled as wrong, and only repeats its source, is a fault that no gate can see."""
    (tmp_path / "summedits_numeric").mkdir()
    row = {
        "id": "s1",
        "label": "inconsistent",
        "flags": {"numeric_edit": True},
        "context": "Sales rose 5%.",
        "answer": "Sales rose 5%.",
    }
    (tmp_path / "summedits_numeric" / "summaries.jsonl").write_text(json.dumps(row), encoding="utf-8")
    done = bench(str(tmp_path), "--only", "summedits_numeric", "--list", "misses")
    assert "number changed                                 0/1 [0.000, 0.975]" in done.stdout
    assert "    missed s1" in done.stdout
    assert "Sales" not in done.stdout


@pytest.mark.parametrize(("row", "said"), [("{", "not JSON"), ("[1]", "not a JSON object")])
def test_a_line_that_is_no_row_is_told_with_its_place(tmp_path: Path, row: str, said: str) -> None:
    """Exit code 2, file and line."""
    (tmp_path / "medec_ms").mkdir()
    (tmp_path / "medec_ms" / "texts.jsonl").write_text(row, encoding="utf-8")
    done = bench(str(tmp_path), "--only", "medec_ms")
    assert (done.returncode, said in done.stderr, "texts.jsonl:1" in done.stderr) == (2, True, True), done.stderr


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.is_dir(), reason="../shared/data is not there; the real texts lie in it")
def test_every_real_set_is_read() -> None:
    """Every data set gives answers of both sorts."""
    done = bench(str(SHARED))
    assert done.returncode == 0, done.stderr
    for name in ("summedits_numeric", "nstg2022_guidelines", "fda_labels", "medec_ms"):
        part = done.stdout.partition(f"\n{name} (")[2].partition("\n\n")[0]
        assert "faults caught" in part, done.stdout
        assert "good answers passed" in part, done.stdout
