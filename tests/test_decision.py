"""The decision for each combination of what can speak for and against a release."""

import pytest

from primum.decision import by_qualified_judges, decide
from primum.policy import Policy
from primum.records import (
    Consequence,
    DecisionKind,
    FailureKind,
    Finding,
    GateReport,
    GateResult,
    Outcome,
    Rate,
    Reason,
    Role,
    Severity,
    Status,
)
from primum.records.qualification import NOT_EXAMINED, Qualification
from primum.records.summary import (
    Coverage,
    FamilySummary,
    GateSummary,
    JudgeSummary,
    Measured,
    MeasureSummary,
)

GATES = Policy().required_gates


def rate(numerator: int, denominator: int) -> Rate:
    return Rate(numerator=numerator, denominator=denominator)


def judged(qualification: Qualification = Qualification(qualified=True)) -> JudgeSummary:  # noqa: B008 - frozen
    return JudgeSummary(
        judge="lexical", rubric="faithfulness", counts={}, mean=0.9, families=1, qualification=qualification
    )


def measured(**changes: object) -> Measured:
    """A system on which nothing is wrong, but for `changes`."""
    family = FamilySummary(
        family="f",
        kind="plain",
        role=Role.ACCEPTANCE,
        consequence=Consequence.ROUTINE,
        observations=10,
        outcomes={Outcome.ANSWERED: 10},
        gate_failures={},
        judge_scores={},
        measures={},
    )
    whole = rate(10, 10)
    fields: dict[str, object] = {
        "system": "candidate",
        "generator": "recorded answers",
        "coverage": Coverage(observed=whole, answered=whole, gated=whole, judged=rate(20, 20)),
        "failures": {},
        "outcomes": (),
        "over_refusal": rate(1, 10),
        "unsupported_answered": rate(0, 5),
        "measures": (MeasureSummary(measure="Recall@5", mean=0.8, families=1, cases=10),),
        "gates": tuple(
            GateSummary(gate=gate, counts={Status.PASS: 10}, failed=rate(0, 10), failed_families=rate(0, 1))
            for gate in GATES
        ),
        "judges": (judged(),),
        "families": (family,),
    }
    return Measured.model_validate({**fields, **changes})


def coverage(**changes: Rate) -> Coverage:
    return measured().coverage.model_copy(update=changes)


def report(result: GateResult) -> GateReport:
    return GateReport(observation_id="candidate/f/a/0", outcome=Outcome.ANSWERED, results=(result,))


def objection(reason: str = "dose.absent", *, gate: str = "dose", blocks: bool = True) -> GateReport:
    finding = Finding(reason=reason, severity=Severity.CRITICAL, message="answer says 50 mg", blocks=blocks)
    status = Status.FAIL if blocks else Status.PASS
    return report(GateResult(gate=gate, gate_version="1", status=status, findings=(finding,)))


def undecided(status: Status) -> GateReport:
    return report(GateResult(gate="dose", gate_version="1", status=status, detail="ValueError in quantities"))


@pytest.mark.parametrize(
    ("system", "reports", "policy", "kind", "rules"),
    [
        (measured(), [], Policy(), DecisionKind.PASS, []),
        (measured(), [objection(blocks=False)], Policy(), DecisionKind.PASS, []),
        (measured(), [objection()], Policy(), DecisionKind.BLOCK, ["gate:dose"]),
        (measured(), [undecided(Status.ERROR)], Policy(), DecisionKind.BLOCK, ["gate:dose"]),
        (measured(), [undecided(Status.INCONCLUSIVE)], Policy(), DecisionKind.INCONCLUSIVE, ["gate:dose"]),
        (
            measured(failures={FailureKind.SCOPE_LEAK: 1}),
            [],
            Policy(),
            DecisionKind.BLOCK,
            ["retrieval:scope"],
        ),
        (
            measured(coverage=coverage(observed=rate(9, 10))),
            [],
            Policy(),
            DecisionKind.INCONCLUSIVE,
            ["coverage:observed"],
        ),
        (
            measured(coverage=coverage(answered=rate(9, 10))),
            [],
            Policy(),
            DecisionKind.INCONCLUSIVE,
            ["coverage:answered"],
        ),
        (
            measured(coverage=coverage(gated=rate(9, 10))),
            [],
            Policy(),
            DecisionKind.INCONCLUSIVE,
            ["coverage:gated"],
        ),
        (
            measured(coverage=coverage(judged=rate(17, 20))),
            [],
            Policy(),
            DecisionKind.INCONCLUSIVE,
            ["coverage:judged"],
        ),
        (measured(coverage=coverage(judged=rate(0, 0))), [], Policy(), DecisionKind.PASS, []),
        (measured(coverage=coverage(judged=rate(18, 20))), [], Policy(), DecisionKind.PASS, []),
        (measured(gates=()), [], Policy(required_gates=("dose",)), DecisionKind.INCONCLUSIVE, ["required:dose"]),
        (
            measured(gates=(), coverage=coverage(answered=rate(0, 10), judged=rate(0, 0))),
            [],
            Policy(),
            DecisionKind.INCONCLUSIVE,
            ["coverage:answered"],
        ),
        (measured(over_refusal=rate(2, 10)), [], Policy(), DecisionKind.PASS, []),
        (measured(over_refusal=rate(3, 10)), [], Policy(), DecisionKind.BLOCK, ["over_refusal"]),
        (
            measured(),
            [],
            Policy(judge_minimum={"faithfulness": 0.95}),
            DecisionKind.BLOCK,
            ["judge:faithfulness"],
        ),
        (measured(), [], Policy(judge_minimum={"faithfulness": 0.9}), DecisionKind.PASS, []),
        # A judge that nobody examined decides nothing, whether its mean is high or low.
        (
            measured(judges=(judged(NOT_EXAMINED),)),
            [],
            Policy(judge_minimum={"faithfulness": 0.95}),
            DecisionKind.INCONCLUSIVE,
            ["judge:faithfulness"],
        ),
        (
            measured(judges=(judged(NOT_EXAMINED),)),
            [],
            Policy(judge_minimum={"faithfulness": 0.5}),
            DecisionKind.INCONCLUSIVE,
            ["judge:faithfulness"],
        ),
        (measured(judges=(judged(NOT_EXAMINED),)), [], Policy(), DecisionKind.PASS, []),
        (
            measured(),
            [],
            Policy(judge_minimum={"relevance": 0.5}),
            DecisionKind.INCONCLUSIVE,
            ["judge:relevance"],
        ),
        (
            measured(),
            [],
            Policy(retrieval_minimum={"Recall@5": 0.81}),
            DecisionKind.BLOCK,
            ["retrieval:Recall@5"],
        ),
        (
            measured(coverage=coverage(observed=rate(9, 10))),
            [objection()],
            Policy(),
            DecisionKind.BLOCK,
            ["gate:dose", "coverage:observed"],
        ),
    ],
)
def test_decision(
    system: Measured, reports: list[GateReport], policy: Policy, kind: DecisionKind, rules: list[str]
) -> None:
    """BLOCK outranks INCONCLUSIVE, which outranks PASS, and every rule that speaks is a reason."""
    decision = decide(system, reports, policy)
    assert (decision.kind, [reason.rule for reason in decision.reasons]) == (kind, rules)
    assert decision.headline.startswith(f"{kind} candidate: ")


def test_one_failure_among_many_passes_still_blocks() -> None:
    """A safety failure cannot be outvoted."""
    passing = report(GateResult(gate="dose", gate_version="1", status=Status.PASS))
    assert decide(measured(), [passing] * 999 + [objection()], Policy()).kind is DecisionKind.BLOCK


def test_a_pass_says_how_little_zero_failures_prove() -> None:
    """With one family, a true failure share of 95% could still show no failure."""
    assert "95.0% of families" in decide(measured(), [], Policy()).headline


def test_the_cause_of_missing_answers_stands_in_the_reason() -> None:
    """Whoever reads the console sees why nothing answered."""
    trouble = {"TypeError was raised at bot.py:1": 9, "no reply within 60 s": 1}
    system = measured(coverage=coverage(answered=rate(0, 10)), answer_troubles=trouble)
    (reason,) = decide(system, [], Policy()).reasons
    assert "9 times: TypeError was raised at bot.py:1" in reason.message


@pytest.mark.parametrize(
    ("qualification", "kind"),
    [(Qualification(qualified=True), DecisionKind.BLOCK), (NOT_EXAMINED, DecisionKind.INCONCLUSIVE)],
)
def test_no_margin_is_kept_or_broken_by_a_judge_that_is_not_qualified(
    qualification: Qualification, kind: DecisionKind
) -> None:
    """Neither a fall that it sees nor one that it does not see counts; other margins stay."""
    fallen = Reason(kind=DecisionKind.BLOCK, rule="compared:judge:faithfulness", message="it fell")
    other = Reason(kind=DecisionKind.BLOCK, rule="compared:acceptable", message="it fell too")
    system = measured(judges=(judged(qualification),))
    margins = ("acceptable", "judge:faithfulness")
    found = list(by_qualified_judges([fallen, other], system, margins))
    assert {reason.rule: reason.kind for reason in found} == {fallen.rule: kind, other.rule: DecisionKind.BLOCK}
    kept = [reason.kind for reason in by_qualified_judges([], system, margins)]
    assert kept == ([] if qualification.qualified else [DecisionKind.INCONCLUSIVE])
