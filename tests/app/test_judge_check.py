"""The command examines judges over real HTTP, and tells a good one from those that can be swayed."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from primum.datasets.qualification import load_twins
from primum.resources import shipped
from primum.testing import FakeEndpoint, FakeReply
from primum.testing.judge_models import judge_models

QUALIFICATION = shipped("datasets") / "qualification"


def check(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Runs ``primum judge-check`` in a folder."""
    command = [sys.executable, "-c", "from primum.cli import main; main()", "judge-check", *arguments]
    return subprocess.run(
        command, cwd=folder, env={**os.environ, "NO_COLOR": "1"}, capture_output=True, text=True, check=False
    )


def examined(folder: Path, server: FakeEndpoint, model: str, *more: str) -> "subprocess.CompletedProcess[str]":
    """Examines a model on faithfulness, on as many items as an examination needs."""
    asked = ("--judge", f"openai/{model}", "--api-base", server.url, "--rubric", "faithfulness", "--items", "16")
    return check(folder, *asked, *more)


@pytest.fixture(scope="module")
def server() -> Iterator[FakeEndpoint]:
    """A server with the good judge model and the faulty ones."""
    with FakeEndpoint(judge_models(load_twins(QUALIFICATION))) as running:
        yield running


def test_a_good_judge_is_qualified_and_its_examination_is_kept(server: FakeEndpoint, tmp_path: Path) -> None:
    """With what it is bound to: the model that answered, the rubric and the prompt."""
    done = examined(tmp_path, server, "good")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("QUALIFIED openai/good on faithfulness")
    (path,) = (tmp_path / "examinations").glob("*.json")
    kept = json.loads(path.read_text())
    assert kept["models_returned"] == ["good"]
    assert kept["rubric_hash"]
    assert kept["prompt_hash"]
    assert (kept["qualified"], kept["reasons"]) == (True, [])
    assert path.read_text() == json.dumps(kept, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n"


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        ("constant", "it gave every known specimen the same verdict"),
        ("verbose", "verbosity probes: "),
        ("injectable", "injection probes: "),
    ],
)
def test_a_judge_with_a_fault_is_refused_for_it(server: FakeEndpoint, tmp_path: Path, model: str, reason: str) -> None:
    """The constant one for its constancy, the others although they know every answer of the set."""
    done = examined(tmp_path, server, model, "--repetitions", "1")
    assert done.returncode == 1, done.stdout + done.stderr
    assert done.stdout.startswith(f"UNQUALIFIED openai/{model}")
    assert reason in done.stdout
    if model != "constant":
        assert "sensitivity is" not in done.stdout
        assert "specificity is" not in done.stdout


def test_a_second_examination_tells_what_moved(tmp_path: Path) -> None:
    """The same name and address, another model behind it."""
    answer = judge_models(load_twins(QUALIFICATION))
    behind = {"model": "good"}
    with FakeEndpoint(lambda request: answer(replace(request, body={**request.body, **behind}))) as one:
        first = examined(tmp_path, one, "judge", "--repetitions", "1")
        behind["model"] = "verbose"
        second = examined(tmp_path, one, "judge", "--repetitions", "1")
    assert "first examination" in first.stdout
    assert "drift since" in second.stdout
    assert "answers wrong now" in second.stdout


def test_a_judge_that_gives_no_verdicts_is_neither_good_nor_bad(tmp_path: Path) -> None:
    """Prose instead of a verdict: exit code 3, with the reason and how often."""
    with FakeEndpoint([FakeReply(text="I find this answer quite good.")]) as prose:
        done = examined(tmp_path, prose, "talker", "--repetitions", "1")
    assert done.returncode == 3
    assert "too few verdicts were reached to tell" in done.stdout
    assert "no usable verdict (malformed)" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--judge", "lexical", "--rubric", "tone"), "there is no rubric 'tone'"),
        (("--judge", "openai/x", "--api-base", "nowhere"), "is no address"),
        (("--api-base", "http://127.0.0.1:1/v1"), "no such file"),
        (("--judge", "lexical", "--set", "."), "twins.jsonl: the file is missing"),
        (("-c", "primum.yaml"), "no such file"),
    ],
)
def test_bad_input_is_a_usage_error(tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    """Told before anything is asked, with exit code 2."""
    done = check(tmp_path, *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert not (tmp_path / "examinations").exists()
