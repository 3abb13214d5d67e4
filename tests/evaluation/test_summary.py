"""What a summary says of rankings, worked by hand."""

from typing import Any

import pytest

from primum.errors import UsageError
from primum.evaluation import summarise
from primum.records import Consequence, DecisionKind
from primum.records.retrieval_summary import ForbiddenKind, RetrievalSummary

PATIENT = (ForbiddenKind.OTHER_PATIENT,)
DRAFT = (ForbiddenKind.UNPUBLISHED,)


def means(summary: RetrievalSummary, measure: str) -> float | None:
    return next(result.mean for result in summary.overall if result.measure == measure)


def test_families_weigh_the_same(make_ranked: Any, make_evaluated: Any) -> None:
    """Two wordings that hit and one need that misses: 1/2, not 2/3."""
    cases = [
        make_ranked("f/1", ["a"], {"a": 2}),
        make_ranked("f/2", ["a"], {"a": 2}),
        make_ranked("g/1", ["x"], {"a": 2}),
    ]
    summary = summarise(make_evaluated(), cases)
    assert means(summary, "Hit@1") == 0.5
    hit = summary.overall[[r.measure for r in summary.overall].index("Hit@1")]
    assert (hit.families, hit.cases, hit.undefined) == (2, 3, 0)
    assert hit.interval is not None
    assert (hit.interval.low, hit.interval.high) == (0, 1)
    assert [group.name for group in summary.by_family] == ["f", "g"]
    assert all(result.interval is None for group in summary.by_family for result in group.measures)


def test_forbidden_slots_cases_and_documents_are_counted_apart(make_ranked: Any, make_evaluated: Any) -> None:
    """Three slots in two cases, of two documents; one of them blocks although every measure is perfect."""
    cases = [
        make_ranked("f/1", ["a", "n1", "n2"], {"a": 2}, forbidden={"n1": PATIENT, "n2": DRAFT}),
        make_ranked("g/1", ["a", "m1"], {"a": 2}, forbidden={"m1": PATIENT}),
        make_ranked("h/1", ["a"], {"a": 2}),
    ]
    summary = summarise(make_evaluated(), cases)
    found = summary.forbidden
    assert (str(found.slots), str(found.cases), found.documents) == ("3/6", "2/3", 2)
    assert found.kinds == {ForbiddenKind.OTHER_PATIENT: 2, ForbiddenKind.UNPUBLISHED: 1}
    assert [(slot.case_id, slot.rank) for slot in found.found] == [("f/1", 2), ("f/1", 3), ("g/1", 2)]
    assert means(summary, "nDCG(gain=exp)@3") == 1
    assert (summary.decision.kind, summary.decision.exit_code) == (DecisionKind.BLOCK, 1)
    assert summary.decision.reasons[0].observations == ("f/1", "g/1")


def test_misses_come_worst_first_with_what_came_instead(make_ranked: Any, make_evaluated: Any) -> None:
    """A failure, then nothing found (critical before routine), then found too late; a hit is no miss."""
    cases = [
        make_ranked("late/1", ["x", "a"], {"a": 2}),
        make_ranked("none/1", ["x"], {"a": 2}),
        make_ranked("grave/1", ["x"], {"a": 2}, consequence=Consequence.CRITICAL),
        make_ranked("failed/1", None, {"a": 2}),
        make_ranked("hit/1", ["a"], {"a": 2}),
        make_ranked("part/1", ["a", "x"], {"a": 2, "b": 1}, required=frozenset({"a", "b"})),
        make_ranked("unsupported/1", ["x"], {}),
    ]
    summary = summarise(make_evaluated(), cases)
    ids = [miss.case_id for miss in summary.misses]
    assert ids == ["failed/1", "grave/1", "none/1", "late/1", "part/1"]
    assert str(summary.missed) == "5/6"
    late = summary.misses[3]
    assert [(chunk.chunk_id, chunk.rank) for chunk in late.expected] == [("a", 2)]
    assert [(chunk.chunk_id, chunk.text) for chunk in late.instead] == [("x", "text of x")]
    assert summary.misses[0].failure is not None


def test_what_must_not_be_shown_is_not_shown_in_a_miss(make_ranked: Any, make_evaluated: Any) -> None:
    """Its place is, its words are not."""
    cases = [make_ranked("f/1", ["n", "a"], {"a": 2}, forbidden={"n": PATIENT})]
    instead = summarise(make_evaluated(), cases).misses[0].instead[0]
    assert (instead.chunk_id, instead.text, instead.title, instead.forbidden) == ("n", "", "", PATIENT)


def test_ties_are_counted_where_they_can_be_seen(make_ranked: Any, make_evaluated: Any) -> None:
    """At k=1 one of two cases has a tie of two; at k=3 no ranking is long enough; without scores nothing is seen."""
    cases = [
        make_ranked("f/1", ["a", "b", "c"], {"a": 2}, scores=[0.5, 0.5, 0.1]),
        make_ranked("g/1", ["a", "b"], {"a": 2}, scores=[0.5, 0.4]),
        make_ranked("h/1", ["a", "b"], {"a": 2}),
    ]
    one, three = summarise(make_evaluated(), cases).ties
    assert (one.k, str(one.cases), one.slots) == (1, "1/2", 2)
    assert (three.k, str(three.cases), three.slots) == (3, "0/0", 0)


def test_a_failure_is_counted_and_is_no_zero(make_ranked: Any, make_evaluated: Any) -> None:
    """The mean rests on what was retrieved; too little of it is inconclusive."""
    cases = [make_ranked("f/1", ["a"], {"a": 2}), make_ranked("g/1", None, {"a": 2})]
    summary = summarise(make_evaluated(), cases)
    assert (str(summary.retrieved), str(summary.scored), means(summary, "Hit@1")) == ("1/2", "1/2", 1)
    assert summary.decision.kind is DecisionKind.INCONCLUSIVE
    tolerant = summarise(make_evaluated(retrieved_minimum=0.5), cases)
    assert tolerant.decision.kind is DecisionKind.PASS


@pytest.mark.parametrize(
    ("minimums", "kind"),
    [
        ({}, DecisionKind.PASS),
        ({"Hit@1": 0.5}, DecisionKind.PASS),
        ({"Hit@1": 0.51}, DecisionKind.BLOCK),
        ({"evidence_complete@1": 0.5}, DecisionKind.INCONCLUSIVE),
        ({"AP": 0.5}, DecisionKind.INCONCLUSIVE),
    ],
)
def test_a_minimum_blocks_and_a_missing_value_is_no_pass(
    make_ranked: Any, make_evaluated: Any, minimums: dict[str, float], kind: DecisionKind
) -> None:
    """No case requires a chunk, so evidence_complete has no value; AP was not measured."""
    cases = [make_ranked("f/1", ["a"], {"a": 2}), make_ranked("g/1", ["x"], {"a": 2})]
    assert summarise(make_evaluated(minimums=minimums), cases).decision.kind is kind


def test_nothing_measured_is_no_pass(make_ranked: Any, make_evaluated: Any) -> None:
    """Only unsupported questions, or no case at all."""
    summary = summarise(make_evaluated(), [make_ranked("u/1", ["x"], {})])
    assert (summary.decision.kind, str(summary.unsupported)) == (DecisionKind.INCONCLUSIVE, "1/1")
    with pytest.raises(UsageError, match="no case to evaluate"):
        summarise(make_evaluated(), [])


def test_evidence_is_followed_to_the_context(make_ranked: Any, make_evaluated: Any) -> None:
    """One chunk in the context, one lost in selection, one never retrieved."""
    grades = {"a": 2, "b": 1, "c": 1}
    fate = summarise(make_evaluated(), [make_ranked("f/1", ["a", "b"], grades, context=frozenset({"a"}))]).fate
    assert fate is not None
    assert (str(fate.in_context), str(fate.lost_in_selection), str(fate.not_retrieved)) == ("1/3", "1/3", "1/3")
