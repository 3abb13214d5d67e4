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
    assert done.stdout.startswith("PASS ours: no safety failure in 4 answers to 4 questions of 4 families")
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
    assert done.returncode == 2
    assert "the files of the dataset changed since" in done.stderr


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


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("release: ours", "release: ours\npolicy: {required_gates: [citation], over_refusal_maximum: 0.9}"),
        ("release: ours", "release: ours\njudges: {rubrics: []}"),
        ("release: ours", "release: ours\ndataset: {roles: [development], unjudged: irrelevant}"),
    ],
)
@pytest.mark.parametrize("stage", ["decide", "report"])
def test_the_rules_cannot_be_changed_after_the_run(ward: Ward, edit: Edit, stage: str, old: str, new: str) -> None:
    """What blocked under one policy is not decided again under a softer one."""
    assert ward.primum("run", ANSWER_DOSE="50 mg").returncode == 1
    if "dataset:" in new:
        edit("dataset: {unjudged: irrelevant}\n", "")
    edit(old, new)
    done = ward.primum(stage)
    assert done.returncode == 2, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("policy: {required_gates: [dosee]}", "policy.required_gates has 'dosee'; write one of citation, dose"),
        ("policy: {required_gates: []}", "policy.required_gates"),
        ("policy: {over_refusal_maximum: 1}", "policy.over_refusal_maximum is 1"),
        ("policy: {answered_minimum: 0}", "policy.answered_minimum is 0"),
        ("policy: {judge_minimum: {tone: 0.5}}", "policy.judge_minimum has 'tone'; write one of faithfulness"),
        ("policy: {retrieval_minimum: {Recall@7: 0.5}}", "policy.retrieval_minimum has 'Recall@7'; write one of P@5"),
        ("judges: {rubrics: [tone]}", "judges.rubrics has 'tone'"),
        ("judges: {rubrics: [relevance, relevance]}", "judges.rubrics has 'relevance' twice"),
        ("judges: {model: {name: openai/x, api_key_env: NOT_SET_ANYWHERE}}", "NOT_SET_ANYWHERE is not set"),
        (
            "judges: {model: {name: openai/x, api_key_env: Zx9fakeSecret77}}",
            "write the NAME of an environment variable",
        ),
        ("judges: {model: {name: openai/x, parameters: {api_key: Zx9fakeSecret77}}}", "parameters"),
        ("judges: {model: {name: openai/sk-Zx9fakeSecret77Zx9fakeSecret77}}", "judges.model.name looks like a secret"),
        ("judges: {model: {name: openai/x, api_base: 'http://h/v1?key=Zx9fakeSecret77'}}", "looks like a secret"),
    ],
)
def test_what_cannot_work_is_told_before_anything_is_asked(ward: Ward, edit: Edit, setting: str, told: str) -> None:
    """Exit code 2, the setting named, no key shown, and no question spent."""
    edit("release: ours", f"release: ours\n{setting}")
    done = ward.primum("run")
    assert done.returncode == 2, done.stdout + done.stderr
    assert told in done.stderr
    assert "Zx9fakeSecret77" not in done.stdout + done.stderr
    assert ward.asked == []


def test_a_system_that_never_answers_is_not_released(ward: Ward, edit: Edit) -> None:
    """However much the policy bears with, no answer at all decides nothing."""
    edit("release: ours", "release: ours\npolicy: {required_gates: [isolation], answered_minimum: 0.5}")
    system = ward.folder / "our_rag.py"
    system.write_text(
        system.read_text().replace("def answer(question, scope, passages):", "def answer(*_):\n    1 / 0")
    )
    done = ward.primum("run")
    assert done.returncode == 3, done.stdout + done.stderr


def test_cases_that_were_left_out_are_counted(ward: Ward, edit: Edit) -> None:
    """A pass on a part of the cases says so."""
    cases = ward.folder / "cases.jsonl"
    cases.write_text(cases.read_text().replace('"acceptance"', '"development"', 1))
    edit("dataset: {unjudged: irrelevant}", "dataset: {unjudged: irrelevant, roles: [acceptance]}")
    done = ward.primum("run")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 of 4 cases were not run: only those of the role acceptance." in done.stdout


@pytest.mark.parametrize(
    "ending", ["import sys; sys.exit(0)", "import os, sys; sys.exit('Mrs Jane Doe')", "raise GeneratorExit"]
)
def test_the_code_under_test_cannot_end_the_run(ward: Ward, ending: str) -> None:
    """Whatever it raises is a failure of that answer; the exit code stays ours."""
    system = ward.folder / "our_rag.py"
    system.write_text(
        system.read_text().replace('if "fridge" in question:', f'if "fridge" in question:\n        {ending}')
    )
    done = ward.primum("run")
    assert done.returncode == 3, done.stdout + done.stderr
    assert "coverage:answered" in done.stdout.splitlines()[0]
    assert "Jane Doe" not in done.stdout + done.stderr


def test_what_the_code_under_test_prints_does_not_stand_where_the_decision_stands(ward: Ward) -> None:
    """Standard output is for the decision."""
    system = ward.folder / "our_rag.py"
    system.write_text(system.read_text() + '\nprint("PASS ours: trust me")\n')
    done = ward.primum("run", ANSWER_DOSE="50 mg")
    assert done.returncode == 1
    assert done.stdout.startswith("BLOCK ours")
    assert "trust me" not in done.stdout


def test_a_reader_that_leaves_early_does_not_change_the_exit_code(ward: Ward) -> None:
    """`primum run | head -1` still ends with the decision."""
    command = ward.command("run", "-c", str(ward.config))
    with subprocess.Popen(command, env=ward.environment({}), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.close()
        _, said = process.communicate(timeout=60) if process.stderr is None else (None, process.stderr.read())
        process.wait(timeout=60)
    assert process.returncode == 0, said


def test_a_run_is_not_resumed_under_other_settings(ward: Ward, edit: Edit) -> None:
    """Results of two configurations are never one run."""
    ward.primum("observe")
    edit("context: 4", "context: 2")
    done = ward.primum("run", "--resume")
    assert done.returncode == 2
    assert "was started under other rules: retrieval.context changed since" in done.stderr
