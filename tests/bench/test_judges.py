"""The benchmark of judges against people, on claims of our own."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared" / "data"
CLAIMS = (
    ("a", "Zyxol is given twice daily.", "supported"),
    ("a", "Zyxol is given with food.", "not_supported"),
    ("b", "Zyxol is given to horses.", "partially_supported"),
    ("c", "Zyxol is given twice daily", "supported"),
)


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the benchmark as its user does."""
    command = [sys.executable, str(ROOT / "bench" / "judges.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


def test_a_judge_is_measured_against_labels(tmp_path: Path) -> None:
    """Counts, chance-corrected agreement, and what an examination by these answers says."""
    (tmp_path / "wice_claims").mkdir()
    rows = [
        {
            "id": str(n),
            "claim_title": title,
            "claim": claim,
            "label": label,
            "evidence": ["Zyxol is given twice daily."],
        }
        for n, (title, claim, label) in enumerate(CLAIMS)
    ]
    text = "\n".join(json.dumps(row) for row in rows)
    (tmp_path / "wice_claims" / "claims.jsonl").write_text(text, encoding="utf-8")
    done = bench("wice_claims", "--judge", "lexical", "--folder", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "4 answers in 3 families, by lexical" in done.stdout
    assert "people fail: judge fails 2, passes 0" in done.stdout
    assert "people pass: judge fails 0, passes 2" in done.stdout
    assert "balanced accuracy 1.00" in done.stdout
    assert "0 requests" in done.stdout


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    """One line and exit code 2."""
    done = bench("kqa", "--judge", "lexical", "--folder", str(tmp_path))
    assert done.returncode == 2
    assert "physician_nli.jsonl: cannot be read" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.shared
@pytest.mark.parametrize("dataset", ["wice_claims", "expertqa_claims", "kqa", "mtrag_human_eval"])
def test_every_data_set_can_be_read(dataset: str) -> None:
    """A sample of each."""
    if not (SHARED / dataset).is_dir():
        pytest.skip(f"../shared/data/{dataset} is absent")
    done = bench(dataset, "--judge", "lexical", "--sample", "20")
    assert done.returncode == 0, done.stderr
    assert "20 answers in" in done.stdout
