"""Aggregation: families first, every rate with its denominator, nothing missing counted as 0."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primum.aggregate import Result, family_mean, measure_system
from primum.metrics import Measure, parse_measure
from primum.records import (
    Answer,
    Answerability,
    Case,
    Consequence,
    Exchange,
    Failure,
    FailureKind,
    Finding,
    GateReport,
    GateResult,
    Observation,
    Outcome,
    Rate,
    Role,
    Scope,
    Severity,
    Status,
    Timing,
    Verdict,
)
from primum.records.summary import Measured

RECALL = parse_measure("Recall@5")


def case(family: str, variant: str = "a", answerability: Answerability = Answerability.ANSWERABLE) -> Case:
    return Case(
        family=family,
        variant=variant,
        question="What is the starting dose?",
        kind="dose",
        role=Role.ACCEPTANCE,
        scope=Scope(tenant="north"),
        audience="prescriber",
        consequence=Consequence.SERIOUS,
        answerability=answerability,
        expected_behaviour="States it.",
    )


def result(
    of: Case,
    outcome: Outcome = Outcome.ANSWERED,
    *,
    repetition: int = 0,
    gate: Status = Status.PASS,
    gates: Mapping[str, Status] | None = None,
    score: float | None = None,
    measures: Mapping[Measure, float | None] | None = None,
) -> Result:
    failure = Failure(stage="generate", kind=FailureKind.TIMEOUT, message="no reply within 60 s")
    failed = outcome is Outcome.FAILED
    observation = Observation(
        system="candidate",
        case_id=of.id,
        repetition=repetition,
        case_digest=of.digest(),
        config_digest="0",
        ranking=None,
        exchange=Exchange(
            id=f"candidate/{of.id}/{repetition}",
            question=of.question,
            scope=of.scope,
            answer=None if failed else Answer(text="5 mg"),
        ),
        failure=failure if failed else None,
        timing=Timing(started_at="2026-01-01T00:00:00+00:00"),
    )
    verdict = Verdict(
        observation_id=observation.id,
        judge="lexical",
        repetition=0,
        rubric="faithfulness",
        rubric_version="1",
        rubric_hash="0",
        status=Status.INCONCLUSIVE if score is None else Status.PASS,
        score=score,
        reason="because",
    )
    statuses = {"dose": gate, **(gates or {})}
    finding = Finding(reason="refusal.unsupported_answer", severity=Severity.CRITICAL, message="the answer claims it")
    gate_results = tuple(
        GateResult(
            gate=name,
            gate_version="1",
            status=status,
            findings=(finding,) if status is Status.FAIL else (),
            detail="ValueError in quantities",
        )
        for name, status in statuses.items()
    )
    return Result(
        case=of,
        observation=observation,
        gates=GateReport(observation_id=observation.id, outcome=outcome, results=gate_results),
        verdicts=(verdict,),
        measures=measures or {},
    )


def measure(results: Sequence[Result], *, planned: int = 10, verdicts_each: int = 1) -> Measured:
    return measure_system(
        "candidate",
        "recorded",
        results,
        planned=planned,
        verdicts_each=verdicts_each,
        expected_gates=frozenset({"dose"}),
    )


def test_a_family_with_many_variants_counts_once() -> None:
    """Nine easy wordings of one need do not outweigh another need."""
    easy = [result(case("easy", f"v{i}"), measures={RECALL: 1.0}) for i in range(9)]
    hard = result(case("hard"), measures={RECALL: 0.0})
    (recall,) = measure([*easy, hard]).measures
    assert (recall.mean, recall.families, recall.cases) == (0.5, 2, 10)


def test_repetitions_are_averaged_inside_their_variant() -> None:
    """A variant that was repeated more often does not weigh more."""
    scores = [(case("f", "a"), 1.0), (case("f", "a"), 1.0), (case("f", "a"), 1.0), (case("f", "b"), 0.0)]
    assert family_mean(scores) == 0.5


def test_no_value_is_no_mean() -> None:
    """A judge that reached nothing has no mean, and its verdicts count against coverage."""
    measured = measure([result(case("f"))], planned=1)
    (judge,) = measured.judges
    assert (judge.mean, judge.families) == (None, 0)
    assert measured.coverage.judged == Rate(numerator=0, denominator=1)


def test_a_verdict_that_was_never_reached_lowers_coverage() -> None:
    """Judges that did not run are not judges that had nothing to say."""
    measured = measure([result(case("f"), score=1.0)], verdicts_each=2)
    assert measured.coverage.judged == Rate(numerator=1, denominator=2)


def test_what_is_missing_stays_in_the_denominator() -> None:
    """Planned but not observed, observed but failed: both lower the coverage."""
    results = [result(case("f", "a")), result(case("f", "b"), Outcome.FAILED)]
    measured = measure(results, planned=4)
    assert measured.coverage.observed == Rate(numerator=2, denominator=4)
    assert measured.coverage.answered == Rate(numerator=1, denominator=4)
    assert measured.failures == {FailureKind.TIMEOUT: 1}


def test_a_gate_that_broke_counts_as_failed_and_lowers_coverage() -> None:
    """An error is no pass and no result."""
    results = [result(case("f", "a")), result(case("g"), gate=Status.ERROR)]
    measured = measure(results, planned=2)
    (gate,) = measured.gates
    assert gate.failed == Rate(numerator=1, denominator=2)
    assert gate.failed_families == Rate(numerator=1, denominator=2)
    assert measured.coverage.gated == Rate(numerator=1, denominator=2)


def test_a_report_without_a_gate_does_not_count_as_gated() -> None:
    """A report that was written before a gate was added, or by somebody else, proves nothing about that gate."""
    whole = result(case("f"))
    empty = GateReport(observation_id=whole.observation.id, outcome=Outcome.ANSWERED, results=())
    measured = measure([replace(whole, gates=empty)])
    assert measured.coverage.gated == Rate(numerator=0, denominator=1)


def test_refusals_and_unsupported_answers_have_their_own_denominators() -> None:
    """Over-refusal rests on questions that can be answered, unsupported answers on those that cannot."""
    unanswerable = Answerability.UNANSWERABLE
    results = [
        result(case("f"), gates={"over_refusal": Status.PASS}),
        result(case("g"), Outcome.ABSTAINED, gates={"over_refusal": Status.FAIL}),
        result(case("h"), Outcome.FAILED, gates={"over_refusal": Status.NOT_APPLICABLE}),
        result(case("p", answerability=Answerability.PARTIAL), gates={"refusal": Status.FAIL}),
        result(case("u", answerability=unanswerable), gates={"refusal": Status.FAIL}),
        result(case("v", answerability=unanswerable), Outcome.ABSTAINED, gates={"refusal": Status.PASS}),
    ]
    measured = measure(results)
    assert measured.over_refusal == Rate(numerator=1, denominator=2)
    assert measured.unsupported_answered == Rate(numerator=1, denominator=2)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xy"), st.floats(0, 1)), min_size=1))
def test_a_mean_of_families_lies_between_its_values(values: list[tuple[str, str, float]]) -> None:
    """Whatever the grouping, a mean is a mean."""
    mean = family_mean((case(family, variant), value) for family, variant, value in values)
    numbers = [value for _, _, value in values]
    assert mean == pytest.approx(min(max(mean or 0.0, min(numbers)), max(numbers)))
