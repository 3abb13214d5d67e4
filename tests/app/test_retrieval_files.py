"""Files scored without a project."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from primum.cli import main

RUN = "q1 Q0 a 1 3 x\nq1 Q0 b 2 2 x\nq2 Q0 c 1 1 x\n"
QRELS = "q1 0 b 2\nq1 0 z -1\nq2 0 c 1\nq3 0 d 1\n"


@pytest.fixture
def primum(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> tuple[int, str]:
        with pytest.raises(SystemExit) as ended:
            main(["retrieval", *arguments])
        said = capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return ended.value.code, said.out + said.err

    return run


def write(**files: str) -> None:
    for name, text in files.items():
        Path(f"{name}.txt").write_text(text)


def means() -> dict[str, float]:
    report = json.loads(Path("out/retrieval.json").read_text())
    return {result["measure"]: result["mean"] for result in report["overall"]}


def test_a_trec_run_is_scored_by_its_ranks(primum: Any) -> None:
    """q1 hits at 2, q2 at 1, and q3, which is not in the run, is a miss; nothing is claimed of what is forbidden."""
    write(run=RUN, qrels=QRELS)
    code, said = primum("--run", "run.txt", "--qrels", "qrels.txt", "--cutoffs", "1,3", "-o", "out")
    assert code == 0
    assert "PASS retrieval: 3/3 cases with a ranking" in said
    assert "nothing was looked for that must not be shown" in said
    assert "nothing forbidden" not in said
    assert "MISS q3" in said
    found = means()
    assert found["Hit@1"] == pytest.approx(1 / 3)
    assert found["Hit@3"] == pytest.approx(2 / 3)
    assert found["RR@3"] == pytest.approx(0.5)
    assert not any(name.startswith("forbidden") for name in found)


def test_a_golden_set_is_scored_with_recorded_rankings(primum: Any) -> None:
    """A tie at the cutoff is told."""
    write(golden='{"id":"q1","query":"what?","relevant":["b"]}\n')
    hits = [{"chunk_id": "a", "score": 0.5}, {"chunk_id": "b", "score": 0.5}]
    write(rankings=json.dumps({"case_id": "q1", "hits": hits}) + "\n")
    code, said = primum("--golden", "golden.txt", "--rankings", "rankings.txt", "--cutoffs", "1,2", "-o", "out")
    assert code == 0
    assert "at 1: 1/1 cases" in said
    assert (means()["Hit@1"], means()["Hit@2"]) == (0, 1)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--run", "run.txt"], "give --run with --qrels"),
        (["--run", "run.txt", "--golden", "golden.txt"], "give --run with --qrels"),
        (["--run", "run.txt", "--qrels", "none.txt"], "none.txt: cannot be read"),
        (["--run", "more.txt", "--qrels", "qrels.txt"], "1 queries have no judgments, such as q9"),
        (["--golden", "golden.txt", "--rankings", "other.txt"], "no ranking for 1 queries, such as q1"),
        (["--run", "run.txt", "--qrels", "qrels.txt", "--cutoffs", "0"], "whole numbers from 1"),
        (["--run", "run.txt", "--qrels", "qrels.txt", "--baseline", "none.json"], "none.json: cannot be read"),
    ],
)
def test_what_cannot_be_scored_is_an_error(primum: Any, arguments: Sequence[str], told: str) -> None:
    """With exit code 2 and what to do."""
    write(run=RUN, qrels=QRELS, more=RUN + "q9 Q0 a 1 1 x\n", other='{"case_id":"q2","hits":[]}\n')
    write(golden='{"id":"q1","query":"what?","relevant":["b"]}\n')
    code, said = primum(*arguments)
    assert code == 2
    assert told in said


def test_files_have_a_baseline_too(primum: Any) -> None:
    """Made, held, fallen, and replaced only when that is meant."""
    write(run=RUN, qrels=QRELS)
    arguments = ["--run", "run.txt", "--qrels", "qrels.txt", "--baseline", "accepted.json"]
    assert primum(*arguments, "--update-baseline")[0] == 0
    assert primum(*arguments)[0] == 0
    write(run=RUN.replace("q2 Q0 c", "q2 Q0 x"))
    assert primum(*arguments)[0] == 1
    code, said = primum(*arguments, "--update-baseline")
    assert (code, "--accept-regressions" in said) == (2, True)
    assert primum(*arguments, "--update-baseline", "--accept-regressions")[0] == 0
    assert primum(*arguments)[0] == 0
