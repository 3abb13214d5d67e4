"""A retriever beside its accepted state: in decimals, case by case, and never silently paired."""

from decimal import Decimal
from typing import Any

import pytest

from primum.errors import UsageError
from primum.evaluation import baseline_of, compare_with_baseline, summarise
from primum.evaluation.summary import with_findings
from primum.records import DecisionKind
from primum.records.retrieval_baseline import BaselineCase, RetrievalBaseline, RetrievalBasis
from primum.records.retrieval_summary import CaseResult, RetrievalSummary


def baseline(values: dict[str, float], measure: str) -> RetrievalBaseline:
    return RetrievalBaseline(
        basis=RetrievalBasis(dataset="d", corpus="c", settings="s"),
        measures=(measure,),
        cases={
            case_id: BaselineCase(
                family=case_id.partition("/")[0], variant="1", kind="plain", case_digest="1", values={measure: value}
            )
            for case_id, value in values.items()
        },
    )


def now(summary: RetrievalSummary, values: dict[str, float], measure: str) -> RetrievalSummary:
    cases = tuple(
        CaseResult(
            case_id=case_id,
            family=case_id.partition("/")[0],
            variant="1",
            kind="plain",
            case_digest="1",
            returned=1,
            relevant=1,
            values={measure: value},
        )
        for case_id, value in values.items()
    )
    return summary.model_copy(update={"cases": cases})


@pytest.fixture
def summary(make_ranked: Any, make_evaluated: Any) -> RetrievalSummary:
    return summarise(make_evaluated(), [make_ranked("f/1", ["a"], {"a": 2}), make_ranked("g/1", ["a"], {"a": 2})])


@pytest.mark.parametrize(
    ("measure", "before", "after", "holds"),
    [
        ("Recall@3", 0.58, 0.55, True),
        ("Recall@3", 0.58, 0.5499, False),
        ("Recall@3", 0.03, 0.0, True),
        ("Recall@3", 0.29, 0.26, True),
        ("Recall@3", 0.5, 0.9, True),
        ("forbidden@3", 0.26, 0.29, True),
        ("forbidden@3", 0.26, 0.2901, False),
        ("forbidden@3", 0.9, 0.1, True),
    ],
)
def test_a_change_of_exactly_the_tolerance_passes(
    summary: RetrievalSummary, measure: str, before: float, after: float, holds: bool
) -> None:
    """In decimals, and to the worse side of the measure."""
    compared = compare_with_baseline(baseline({"f/1": before}, measure), now(summary, {"f/1": after}, measure))
    assert [change.holds for change in compared.measures] == [holds]


def test_every_two_decimal_point_is_exact(summary: RetrievalSummary) -> None:
    """A fall of 0.03 from any two-decimal value holds; binary floats get some of them wrong."""
    for cents in range(3, 101):
        before, after = cents / 100, float(Decimal(cents - 3) / 100)
        compared = compare_with_baseline(baseline({"f/1": before}, "P@3"), now(summary, {"f/1": after}, "P@3"))
        assert compared.holds, cents


def test_a_tolerance_of_one_measure_replaces_the_general_one(summary: RetrievalSummary) -> None:
    """Named by its full definition."""
    was, is_ = baseline({"f/1": 0.5}, "P@3"), now(summary, {"f/1": 0.4}, "P@3")
    assert not compare_with_baseline(was, is_).holds
    assert compare_with_baseline(was, is_, tolerances={"P@3": Decimal("0.1")}).holds


def test_a_family_that_fell_is_listed_although_the_mean_rose(summary: RetrievalSummary) -> None:
    """Largest fall first."""
    before = {"f/1": 0.9, "g/1": 0.2, "h/1": 0.1, "i/1": 0.5}
    after = {"f/1": 0.4, "g/1": 1.0, "h/1": 1.0, "i/1": 0.4}
    compared = compare_with_baseline(baseline(before, "P@3"), now(summary, after, "P@3"))
    change = compared.measures[0]
    assert change.before is not None
    assert change.after is not None
    assert change.after > change.before
    assert compared.holds
    assert [(fall.family, fall.before, fall.after) for fall in compared.families] == [("f", 0.9, 0.4), ("i", 0.5, 0.4)]


def test_cases_that_differ_are_listed_and_never_paired(summary: RetrievalSummary, make_evaluated: Any) -> None:
    """Missing and changed ones make it inconclusive; a new one does not."""
    was = baseline({"f/1": 0.5, "g/1": 0.5, "h/1": 0.5}, "P@3")
    changed = was.cases["g/1"].model_copy(update={"case_digest": "2"})
    was = was.model_copy(update={"cases": {**was.cases, "g/1": changed}})
    is_ = now(summary, {"f/1": 0.5, "g/1": 0.0, "n/1": 0.0}, "P@3")
    compared = compare_with_baseline(was, is_)
    assert (compared.paired, compared.added, compared.removed, compared.changed) == (1, ("n/1",), ("h/1",), ("g/1",))
    assert with_findings(is_, make_evaluated(), comparison=compared).decision.kind is DecisionKind.INCONCLUSIVE
    only_new = compare_with_baseline(baseline({"f/1": 0.5}, "P@3"), now(summary, {"f/1": 0.5, "n/1": 0.0}, "P@3"))
    assert with_findings(is_, make_evaluated(), comparison=only_new).decision.kind is DecisionKind.PASS


def test_a_failure_now_counts_as_the_worst(make_ranked: Any, make_evaluated: Any) -> None:
    """It was measured before, so leaving it out would flatter."""
    was = baseline_of(summarise(make_evaluated(), [make_ranked("f/1", ["a"], {"a": 2})]))
    is_ = summarise(make_evaluated(), [make_ranked("f/1", None, {"a": 2})])
    compared = compare_with_baseline(was, is_)
    assert compared.failed == ("f/1",)
    assert {change.measure for change in compared.measures if not change.holds} >= {"Hit@1", "forbidden@3"}
    with pytest.raises(UsageError, match="have no ranking"):
        baseline_of(is_)


def test_a_measure_that_is_gone_never_holds(summary: RetrievalSummary, make_evaluated: Any) -> None:
    """Leaving it out of the settings would else pass."""
    compared = compare_with_baseline(
        baseline({"f/1": 0.1}, "AP"), summary.model_copy(update={"cases": now(summary, {"f/1": 1.0}, "P@3").cases})
    )
    assert [(c.after, c.holds) for c in compared.measures] == [(None, False)]
    assert with_findings(summary, make_evaluated(), comparison=compared).decision.kind is DecisionKind.BLOCK


def test_an_evaluation_equals_itself(summary: RetrievalSummary) -> None:
    """Nothing differs, and judged@k, which says nothing of the ranking, is not compared."""
    compared = compare_with_baseline(baseline_of(summary), summary)
    assert (compared.holds, compared.families, compared.differs, compared.paired) == (True, (), (), 2)
    assert not any(change.measure.startswith("judged") for change in compared.measures)
