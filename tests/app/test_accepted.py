"""The last accepted run: written by hand only, compared with by every later run."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Ward = Any
"""What the fixture `ward` offers."""


@pytest.fixture
def baseline(ward: Ward, edit: Callable[[str, str], None]) -> Path:
    """The project names a baseline file, which is not there yet."""
    edit("release: ours", "release: ours\nbaseline: baseline.json")
    return Path(ward.folder) / "baseline.json"


def systems(ward: Ward) -> list[dict[str, Any]]:
    content = json.loads((ward.folder / ".primum" / "report.json").read_text())
    found: list[dict[str, Any]] = content["systems"]
    return found


def test_a_first_run_is_inconclusive_until_it_is_accepted(ward: Ward, baseline: Path) -> None:
    """Then an equal run passes, and its report holds the comparison."""
    first = ward.primum("run")
    assert first.returncode == 3, first.stdout + first.stderr
    assert "compared:nothing" in first.stdout.splitlines()[0]
    accepted = ward.primum("baseline", "update")
    assert accepted.returncode == 0, accepted.stderr
    assert [case["case_id"] for case in json.loads(baseline.read_text())["cases"]] == [
        "adult-dose/a",
        "asthma/a",
        "berg-dose/a",
        "storage/a",
    ]
    second = ward.primum("run")
    assert second.returncode == 0, second.stdout + second.stderr
    assert systems(ward)[0]["comparison"]["pairs"] == 4
    assert "Beside the last accepted run" in (ward.folder / ".primum" / "report.html").read_text()


def test_a_run_that_got_worse_says_which_case_and_cannot_be_accepted(ward: Ward, baseline: Path) -> None:
    """A safety gate blocks too, so that accepting regressions does not help."""
    ward.primum("run")
    ward.primum("baseline", "update")
    before = baseline.read_bytes()
    worse = ward.primum("run", ANSWER_DOSE="50 mg")
    assert worse.returncode == 1
    assert "compared:consequential" in worse.stdout.splitlines()[0]
    flips = systems(ward)[0]["comparison"]["flips"]
    assert [(flip["case_id"], flip["before"], flip["after"]) for flip in flips] == [
        ("adult-dose/a", "useful", "harmful"),
        ("berg-dose/a", "useful", "harmful"),
    ]
    refused = ward.primum("baseline", "update", "--accept-regressions")
    assert refused.returncode == 2
    assert "gate:dose" in refused.stderr
    assert baseline.read_bytes() == before


@pytest.mark.usefixtures("baseline")
def test_a_regression_that_no_gate_blocks_is_accepted_only_when_asked(
    ward: Ward, edit: Callable[[str, str], None]
) -> None:
    """Declining is safe, so only the comparison objects."""
    edit("release: ours", "release: ours\npolicy: {over_refusal_maximum: 0.9, required_gates: [refusal]}")
    ward.primum("run")
    ward.primum("baseline", "update")
    system = ward.folder / "our_rag.py"
    system.write_text(
        system.read_text().replace('"fridge" in question', '"fridge" in question or "asthma" in question')
    )
    worse = ward.primum("run")
    assert worse.returncode == 1, worse.stdout + worse.stderr
    assert "compared:consequential" in worse.stdout.splitlines()[0]
    refused = ward.primum("baseline", "update")
    assert refused.returncode == 2
    assert "--accept-regressions" in refused.stderr
    assert ward.primum("baseline", "update", "--accept-regressions").returncode == 0
    assert ward.primum("decide").returncode == 0


def test_other_cases_are_refused_and_compared_on_what_both_hold_when_asked(ward: Ward, baseline: Path) -> None:
    ward.primum("run")
    ward.primum("baseline", "update")
    cases = ward.folder / "cases.jsonl"
    cases.write_text("".join(cases.read_text().splitlines(keepends=True)[1:]))
    refused = ward.primum("run")
    assert refused.returncode == 2
    assert "rest on another dataset" in refused.stderr
    compared = ward.primum("compare", str(baseline), "--intersection")
    assert "3 acceptance cases" in compared.stdout, compared.stderr
    assert "1 removed" in compared.stdout


def test_two_runs_of_the_store_are_compared(ward: Ward) -> None:
    ward.primum("run")
    first = ward.primum("runs").stdout.split()[0]
    ward.primum("run", ANSWER_DOSE="50 mg")
    worse = ward.primum("compare", first)
    assert worse.returncode == 1, worse.stderr
    assert "worse: adult-dose/a (serious) useful -> harmful" in worse.stdout
    assert ward.primum("compare", first, "--run", first).returncode == 0


@pytest.mark.parametrize(
    ("content", "message"),
    [("{", "Invalid JSON"), ("{}", "run: Field required"), ('{"run": 1}', "run: Input should be")],
)
def test_a_broken_baseline_is_a_usage_error(ward: Ward, baseline: Path, content: str, message: str) -> None:
    baseline.write_text(content)
    done = ward.primum("run")
    assert done.returncode == 2, done.stdout + done.stderr
    assert message in done.stderr
    assert "primum baseline update" in done.stderr


def test_a_base_that_is_neither_run_nor_file_is_a_usage_error(ward: Ward) -> None:
    ward.primum("run")
    done = ward.primum("compare", "nonsense")
    assert done.returncode == 2
    assert "neither a run" in done.stderr
