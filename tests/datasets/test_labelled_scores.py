"""Scores on labelled answers count what a gate misses and what it blocks without need, each with its denominator."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from primum.cli.datasets import datasets
from primum.datasets import LabelledExchange, labelled_exchanges, load_dataset
from primum.datasets.labelled_scores import score_gates
from primum.errors import UsageError
from primum.records import Finding, GateReport, GateResult, Outcome, Rate, Severity, Status

Row = dict[str, Any]
Write = Callable[[Path, list[Row]], Path]

GOOD: Row = {
    "case_id": "dose-a/plain",
    "text": "Adults take 5 mg of medicine A once daily [mono-a]. The prescriber decides.",
    "outcome": "answered",
}
BAD: Row = {
    "case_id": "dose-a/plain",
    "text": "Adults take 50 mg of medicine A once daily [mono-a]. The prescriber decides.",
    "outcome": "answered",
    "defect": {"kind": "tenfold", "gate": "dose", "severity": "critical", "quote": "50 mg", "replaces": "5 mg"},
}


def rate(numerator: int, denominator: int) -> Rate:
    return Rate(numerator=numerator, denominator=denominator)


def result(gate: str, status: Status) -> GateResult:
    objection = Finding(reason=f"{gate}.x", severity=Severity.CRITICAL, message="x")
    return GateResult(
        gate=gate,
        gate_version="1",
        status=status,
        findings=(objection,) if status is Status.FAIL else (),
        detail="" if status is Status.FAIL else "why",
    )


def report(dose: Status, citation: Status) -> GateReport:
    results = (result("citation", citation), result("dose", dose))
    return GateReport(observation_id="x", outcome=Outcome.ANSWERED, results=results)


@pytest.fixture
def labelled(folder: Path, write_jsonl: Write) -> tuple[LabelledExchange, ...]:
    write_jsonl(folder / "answers" / "labelled-a.jsonl", [GOOD, GOOD | {"repetition": 1}])
    write_jsonl(folder / "answers" / "labelled-b.jsonl", [BAD, BAD | {"repetition": 1}])
    return labelled_exchanges(load_dataset(folder))


def test_over_blocking_counts_only_answers_to_which_a_gate_applies(labelled: tuple[LabelledExchange, ...]) -> None:
    """A gate that applied once and failed once fails all that it judged."""
    good = labelled[:2]
    scores = score_gates(
        [
            (good[0], report(Status.NOT_APPLICABLE, Status.PASS)),
            (good[1], report(Status.FAIL, Status.PASS)),
        ]
    )
    assert scores.good_blocked == rate(1, 2)
    citation, dose = scores.gates
    assert (citation.gate, citation.over_blocked, citation.over_blocked_ids) == ("citation", rate(0, 2), ())
    assert (dose.over_blocked, dose.over_blocked_ids) == (rate(1, 1), ("labelled-a/dose-a/plain/1",))
    assert dose.caught == rate(0, 0)


def test_a_defect_is_caught_only_by_the_gate_that_must_object(labelled: tuple[LabelledExchange, ...]) -> None:
    """Another gate's objection blocks the answer and still counts as a miss of this one."""
    bad = labelled[2:]
    scores = score_gates(
        [
            (bad[0], report(Status.PASS, Status.FAIL)),
            (bad[1], report(Status.FAIL, Status.PASS)),
        ]
    )
    assert scores.bad_blocked == rate(2, 2)
    (defect,) = scores.defects
    assert (defect.gate, defect.kind, defect.caught) == ("dose", "tenfold", rate(1, 2))
    assert defect.missed == ("labelled-b/dose-a/plain/0",)
    assert {gate.gate: gate.caught for gate in scores.gates} == {"citation": rate(0, 0), "dose": rate(1, 2)}


def test_a_gate_that_raises_counts_as_an_objection(labelled: tuple[LabelledExchange, ...]) -> None:
    """It blocks, on good answers as on bad ones."""
    scores = score_gates([(one, report(Status.ERROR, Status.PASS)) for one in labelled])
    assert scores.good_blocked == scores.bad_blocked == rate(2, 2)


def test_a_defect_for_a_rubric_is_no_miss_of_a_gate(folder: Path, write_jsonl: Write) -> None:
    """No gate need see that an answer is incomplete."""
    row = BAD | {"defect": BAD["defect"] | {"gate": None, "rubric": "completeness"}}
    write_jsonl(folder / "answers" / "labelled-b.jsonl", [row])
    (one,) = labelled_exchanges(load_dataset(folder))
    scores = score_gates([(one, report(Status.PASS, Status.PASS))])
    assert (scores.bad_blocked, scores.defects) == (rate(0, 0), ())


def test_the_command_runs_the_real_gates(folder: Path, write_jsonl: Write) -> None:
    """A tenfold dose is caught and its good twin passes, with denominators."""
    write_jsonl(folder / "answers" / "labelled-a.jsonl", [GOOD])
    write_jsonl(folder / "answers" / "labelled-b.jsonl", [BAD])
    text = CliRunner().invoke(datasets, ["score", str(folder), "-v"], catch_exceptions=False).output
    assert "good answers with an objection: 0/1 (0%)\nbad answers with an objection:  1/1 (100%)\n" in text
    assert re.search(r"^dose +tenfold +1/1 \(100%\)$", text, re.MULTILINE)


def test_a_dataset_without_labelled_answers_cannot_be_scored(folder: Path) -> None:
    """The error says what to write."""
    with pytest.raises(UsageError, match=r"there are no answers/labelled-\*\.jsonl"):
        CliRunner().invoke(datasets, ["score", str(folder)], catch_exceptions=False)


def test_scores_print_as_json(labelled: tuple[LabelledExchange, ...]) -> None:
    """Machine-readable output keeps numerators and denominators."""
    scores = score_gates([(one, report(Status.FAIL, Status.PASS)) for one in labelled])
    assert json.loads(scores.model_dump_json())["bad_blocked"] == {"numerator": 2, "denominator": 2}
