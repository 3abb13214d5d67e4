"""People's labels through the command line: the queue of disagreements, and the calibration."""

import json
import subprocess
from pathlib import Path
from typing import Protocol

import pytest


class Ward(Protocol):
    """What the fixture `ward` offers."""

    @property
    def folder(self) -> Path: ...
    @property
    def config(self) -> Path: ...
    def primum(self, *arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]": ...


def write(ward: Ward, *labels: dict[str, str]) -> str:
    """A file of labels."""
    path = ward.folder / "labels.jsonl"
    path.write_text("".join(json.dumps(label) + "\n" for label in labels), encoding="utf-8")
    return str(path)


def label(about: str, status: str, rater: str = "anna") -> dict[str, str]:
    """What one person says of one answer."""
    return {"observation_id": f"ours/{about}/a/0", "rubric": "faithfulness", "rater": rater, "status": status}


def test_the_queue_lists_and_keeps_what_is_in_doubt(ward: Ward) -> None:
    """The lexical judge passes an answer that a person fails."""
    ward.primum("run")
    done = ward.primum("disagreements", "--labels", write(ward, label("asthma", "fail"), label("adult-dose", "pass")))
    assert done.returncode == 0, done.stderr
    assert "lexical passes it, and 1 of 1 labels say the opposite" in done.stdout
    kept = json.loads((ward.folder / ".primum" / "disagreements.json").read_text(encoding="utf-8"))
    assert [one["observation_id"] for one in kept["disagreements"]] == ["ours/asthma/a/0"]
    assert kept["disagreements"][0]["severity"] == "serious"


def test_a_dose_that_gate_and_judge_see_differently_is_in_the_queue(ward: Ward) -> None:
    """Or both object, and there is nothing to ask."""
    ward.primum("run", ANSWER_DOSE="50 mg")
    done = ward.primum("disagreements")
    assert done.returncode == 0, done.stderr
    assert "0 disagreements" in done.stdout


def test_calibration_prints_the_confusion_and_refuses_to_correct(ward: Ward) -> None:
    """With three labels nothing is corrected, and the reason is said."""
    ward.primum("run")
    labels = write(ward, label("asthma", "fail"), label("adult-dose", "pass"), label("adult-dose", "pass", "ben"))
    done = ward.primum("calibrate", labels)
    assert done.returncode == 0, done.stderr
    assert "lexical on faithfulness: 2 labelled answers, 0 left out" in done.stdout
    assert "refused: 1 labels of the rarer class" in done.stdout


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ((label("nowhere", "pass"),), "the run has no such observation"),
        ((label("asthma", "pass"), label("asthma", "fail")), "the same label is at"),
        ((label("asthma", "maybe"),), "status"),
        (({**label("asthma", "pass"), "rubric": "tone"},), "no judge judged by a rubric that is labelled"),
    ],
)
def test_a_wrong_label_is_told_with_its_place(ward: Ward, labels: tuple[dict[str, str], ...], message: str) -> None:
    """And nothing is calibrated on half a file."""
    ward.primum("run")
    done = ward.primum("calibrate", write(ward, *labels))
    assert done.returncode == 2
    assert message in done.stderr
