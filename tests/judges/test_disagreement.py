"""What judges, gates and people say differently comes into one queue, worst first."""

import pytest

from primum.records import Finding, GateReport, GateResult, Outcome, Severity, Status, Verdict
from primum.records.case import Consequence
from primum.records.disagreement import Between, Label
from primum_judges.disagreement import disagreements

SCORES = {Status.PASS: 1.0, Status.FAIL: 0.0}
P, F, UNDECIDED = Status.PASS, Status.FAIL, Status.INCONCLUSIVE


def verdicts(*rounds: Status, judge: str = "a", about: str = "o", rubric: str = "faithfulness") -> list[Verdict]:
    """One judge's repetitions."""
    return [
        Verdict(
            observation_id=about,
            judge=judge,
            repetition=number,
            rubric=rubric,
            rubric_version="1",
            rubric_hash="h",
            status=status,
            score=SCORES.get(status),
            reason="scripted",
        )
        for number, status in enumerate(rounds)
    ]


def report(status: Status, gate: str = "dose") -> GateReport:
    """One gate on the observation."""
    finding = Finding(reason=f"{gate}.absent", severity=Severity.CRITICAL, message="not in the evidence")
    result = GateResult(gate=gate, gate_version="1", status=status, findings=(finding,) if status is F else ())
    return GateReport(observation_id="o", outcome=Outcome.ANSWERED, results=(result,))


def label(status: Status, rater: str = "r", source: Between = Between.PEOPLE) -> Label:
    """What one person says."""
    return Label.model_validate(
        {"observation_id": "o", "rubric": "faithfulness", "rater": rater, "status": status, "source": source}
    )


@pytest.mark.parametrize(
    ("said", "gate", "labels", "between", "margin"),
    [
        (verdicts(P) + verdicts(F, judge="b"), None, (), Between.JUDGES, 0.0),
        (verdicts(P) + verdicts(P, judge="b") + verdicts(F, judge="c"), None, (), Between.JUDGES, 1 / 3),
        (verdicts(P, P, F), None, (), Between.REPETITIONS, 1 / 3),
        (verdicts(P), report(F), (), Between.GATES, 0.0),
        (verdicts(F), report(P), (), Between.GATES, 0.0),
        (verdicts(P), None, (label(F), label(F, "s")), Between.PEOPLE, 1 / 3),
        (verdicts(F), None, (label(P, source=Between.REFERENCE),), Between.REFERENCE, 0.0),
    ],
)
def test_two_sides_are_a_disagreement(
    said: list[Verdict], gate: GateReport | None, labels: tuple[Label, ...], between: Between, margin: float
) -> None:
    """With who is on which side, and how far apart they are."""
    (found,) = disagreements(said, [gate] if gate else [], {"o": Consequence.SERIOUS}, labels)
    assert (found.between, found.severity) == (between, Severity.SERIOUS)
    assert found.margin == pytest.approx(margin)
    assert found.reason


@pytest.mark.parametrize(
    ("said", "gate", "labels"),
    [
        (verdicts(P) + verdicts(UNDECIDED, judge="b"), None, ()),  # a missing vote disagrees with nobody
        (verdicts(P, UNDECIDED), None, ()),
        (verdicts(P), report(P), ()),
        (verdicts(F, rubric="relevance"), report(P), ()),  # a dose says nothing about relevance
        (verdicts(F), report(F), (label(F),)),
        (verdicts(P), None, (label(P), label(F, "s"))),  # people are of two minds themselves
        (verdicts(P), report(F, "isolation"), ()),  # true claims about the wrong patient
    ],
)
def test_one_side_is_none(said: list[Verdict], gate: GateReport | None, labels: tuple[Label, ...]) -> None:
    """Nothing is made up where somebody said nothing."""
    assert disagreements(said, [gate] if gate else [], {"o": Consequence.SERIOUS}, labels) == ()


def test_the_worst_come_first() -> None:
    """By consequence of the case, then the most even."""
    said = [
        *verdicts(P, P, F, about="routine"),
        *verdicts(P, P, F, about="critical"),
        *verdicts(P, F, about="even"),
    ]
    consequences = {"routine": Consequence.ROUTINE, "critical": Consequence.CRITICAL, "even": Consequence.CRITICAL}
    found = disagreements(said, [], consequences)
    assert [one.observation_id for one in found] == ["even", "critical", "routine"]
