"""`primum run` on a project of one's own: the exit code is the decision, and nothing that was observed is lost."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import pytest


class Ward(Protocol):
    """What the fixture `ward` offers."""

    @property
    def folder(self) -> Path: ...
    @property
    def config(self) -> Path: ...
    @property
    def asked(self) -> list[str]: ...
    def environment(self, extra: dict[str, str]) -> dict[str, str]: ...
    def command(self, *arguments: str) -> list[str]: ...
    def primum(self, *arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]": ...


Edit = Callable[[str, str], None]


def test_a_safe_system_passes(ward: Ward) -> None:
    """Exit code 0, the decision in the first line, and the reports written."""
    done = ward.primum("run")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("PASS ours: no safety failure in 4 observations of 4 families")
    content = json.loads((ward.folder / ".primum" / "report.json").read_text())
    assert content["systems"][0]["decision"]["kind"] == "PASS"
    assert (ward.folder / ".primum" / "report.html").stat().st_size > 0


def test_a_tenfold_dose_blocks(ward: Ward) -> None:
    """Exit code 1, and the first line names the gate."""
    done = ward.primum("run", ANSWER_DOSE="50 mg")
    assert done.returncode == 1, done.stdout + done.stderr
    assert done.stdout.startswith("BLOCK ours: 1 safety gate fails: dose")


def test_a_required_gate_without_a_case_is_inconclusive(ward: Ward, edit: Edit) -> None:
    """Exit code 3: nothing failed, but nothing was checked either."""
    edit("release: ours", "release: ours\npolicy: {required_gates: [shape]}")
    done = ward.primum("run")
    assert done.returncode == 3, done.stdout + done.stderr
    assert done.stdout.startswith("INCONCLUSIVE ours: 1 reason: required:shape")


def test_a_system_that_raises_is_inconclusive_and_kept(ward: Ward) -> None:
    """A failure is an observation; it is counted and the others are not lost."""
    system = ward.folder / "our_rag.py"
    system.write_text(system.read_text().replace('if "asthma" in question:', 'if "asthma" in question:\n        1 / 0'))
    done = ward.primum("run")
    assert done.returncode == 3, done.stdout + done.stderr
    assert "coverage:answered" in done.stdout.splitlines()[0]
    content = json.loads((ward.folder / ".primum" / "report.json").read_text())
    assert content["systems"][0]["coverage"]["answered"] == {"numerator": 3, "denominator": 4}
    assert content["systems"][0]["failures"] == {"exception": 1}


def test_the_stages_one_by_one_come_to_the_same(ward: Ward) -> None:
    """`run` is nothing but its stages."""
    for stage in ("index", "observe", "gate", "judge"):
        done = ward.primum(stage)
        assert done.returncode == 0, done.stderr
    assert ward.primum("decide").returncode == 0
    assert ward.primum("report").returncode == 0


def test_deciding_before_the_gates_ran_is_inconclusive(ward: Ward) -> None:
    """A safety check that did not run never passes."""
    ward.primum("observe")
    done = ward.primum("decide")
    assert done.returncode == 3, done.stdout + done.stderr
    assert "coverage:gated" in done.stdout


def test_deciding_before_the_judges_ran_is_inconclusive(ward: Ward) -> None:
    """Judges that did not run are missing, not silent."""
    ward.primum("observe")
    ward.primum("gate")
    done = ward.primum("decide")
    assert done.returncode == 3, done.stdout + done.stderr
    assert "coverage:judged" in done.stdout


@pytest.mark.parametrize("stage", ["gate", "judge", "decide", "report"])
def test_a_stage_without_a_run_says_what_to_do(ward: Ward, stage: str) -> None:
    """Exit code 2 and the command that makes a run."""
    done = ward.primum(stage)
    assert done.returncode == 2
    assert "start one with: primum observe" in done.stderr


def test_a_changed_case_is_refused(ward: Ward) -> None:
    """Labels that were edited after the observation are not mixed with it."""
    ward.primum("observe")
    cases = ward.folder / "cases.jsonl"
    cases.write_text(cases.read_text().replace("Must lumaxolol be kept", "Should lumaxolol be kept"))
    done = ward.primum("gate")
    assert done.returncode == 3
    assert "case storage/a changed since it was observed" in done.stderr


def test_a_broken_dataset_line_is_told_with_its_place(ward: Ward) -> None:
    """File and line, exit code 2."""
    cases = ward.folder / "cases.jsonl"
    cases.write_text(cases.read_text().replace('"variant": "a"', '"varient": "a"', 1))
    done = ward.primum("run")
    assert done.returncode == 2
    assert "cases.jsonl:1" in done.stderr


@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGINT])
def test_a_run_that_died_goes_on_where_it_was(ward: Ward, ending: signal.Signals) -> None:
    """What was observed is kept; the rest is asked once."""
    process = subprocess.Popen(
        ward.command("run", "-c", str(ward.config)),
        env=ward.environment({"ANSWER_SECONDS": "0.4"}),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 60
    while len(ward.asked) < 3 and time.monotonic() < deadline:
        time.sleep(0.02)
    os.kill(process.pid, ending)
    said = process.communicate(timeout=60)[1]
    if ending is signal.SIGINT:
        assert process.returncode == 130
        assert "primum run --resume" in said
    done = ward.primum("run", "--resume")
    assert done.returncode == 0, done.stdout + done.stderr
    # At most the question that was being answered is asked again.
    assert len(ward.asked) in (4, 5)
    assert len(set(ward.asked)) == 4


def test_a_run_is_not_resumed_under_other_settings(ward: Ward, edit: Edit) -> None:
    """Results of two configurations are never one run."""
    ward.primum("observe")
    edit("context: 4", "context: 2")
    done = ward.primum("run", "--resume")
    assert done.returncode == 2
    assert "cannot go on: config_digest" in done.stderr
