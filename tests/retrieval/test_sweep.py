"""The threshold sweep, by hand-made rankings and against its definition."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primum.errors import UsageError
from primum.records import Hit, Ranking
from primum.retrieval.sweep import SweepCase, sweep


def case(case_id: str, scores: dict[str, float | None], *relevant: str) -> SweepCase:
    hits = tuple(Hit(chunk_id=chunk_id, score=score) for chunk_id, score in scores.items())
    family = case_id.partition("/")[0]
    return SweepCase(case_id=case_id, family=family, ranking=Ranking(hits=hits), relevant=frozenset(relevant))


CASES = (
    case("f1/a", {"x": 0.9, "y": 0.5}, "x", "y"),
    case("f1/b", {"x": 0.7}, "x", "y"),
    case("f2/a", {"z": 0.6, "w": 0.4}, "z"),
    case("u1/a", {"x": 0.55}),
    case("u2/a", {"x": 0.3, "y": 0.2}),
    case("u3/a", {}),
)


def test_the_rows_are_those_of_the_worked_example() -> None:
    """Families first: at 0.58 family f1 has (1/2 + 1/2)/2 and f2 has 1."""
    low, middle, high = sweep(CASES, [0.0, 0.58, 0.95]).rows
    assert low.recall == pytest.approx((0.75 + 1) / 2)
    assert (str(low.relevant), str(low.answerable), str(low.accepted)) == ("4/5", "3/3", "2/3")
    assert middle.recall == pytest.approx((0.5 + 1) / 2)
    assert (str(middle.relevant), str(middle.answerable), str(middle.accepted)) == ("3/5", "3/3", "0/3")
    assert (high.recall, str(high.answerable), str(high.accepted)) == (0, "0/3", "0/3")


def test_the_two_breaking_scores_are_exact() -> None:
    """They come from the scores, not from the rows; here no threshold does both."""
    found = sweep(CASES)
    assert (found.recall_holds_to, found.accepts_to) == (0.5, 0.55)
    assert not found.separable
    assert sweep(CASES[:3]).separable
    assert sweep([*CASES[:3], CASES[4]]).separable


def test_a_passage_on_the_threshold_is_returned() -> None:
    """As Qdrant's own threshold has it."""
    at, above = sweep(CASES, [0.55, 0.550001]).rows
    assert (str(at.accepted), str(above.accepted)) == ("1/3", "0/3")


def test_without_supported_questions_there_is_no_recall() -> None:
    """None, not 0."""
    row = sweep(CASES[3:], [0.0]).rows[0]
    assert (row.recall, row.relevant.value, str(row.accepted)) == (None, None, "2/3")


def test_what_cannot_be_swept_is_refused() -> None:
    """No scores, or nothing at all."""
    with pytest.raises(UsageError, match="gave no scores for case f1/a"):
        sweep([case("f1/a", {"x": None}, "x")])
    with pytest.raises(UsageError, match="nothing to sweep"):
        sweep([CASES[5]])


SCORES = st.dictionaries(st.sampled_from("vwxyz"), st.floats(-1, 1), max_size=5)
RELEVANT = st.frozensets(st.sampled_from("vwxyz"), max_size=3)


@given(st.lists(st.tuples(st.sampled_from(["f", "g", "h"]), SCORES, RELEVANT), min_size=1, max_size=8))
def test_a_higher_threshold_never_finds_or_accepts_more(
    made: list[tuple[str, dict[str, float], frozenset[str]]],
) -> None:
    """Recall and acceptance fall; the breaking scores are where they first and last change."""
    cases = [case(f"{family}/{n}", dict(scores), *relevant) for n, (family, scores, relevant) in enumerate(made)]
    if not any(each.ranking.hits for each in cases):
        return
    found = sweep(cases)
    recalls = [row.recall for row in found.rows if row.recall is not None]
    assert recalls == sorted(recalls, reverse=True)
    accepted = [row.accepted.numerator for row in found.rows]
    assert accepted == sorted(accepted, reverse=True)
    for row in found.rows:
        if found.recall_holds_to is not None and row.threshold <= found.recall_holds_to:
            assert row.relevant == found.rows[0].relevant
        assert (row.accepted.numerator > 0) == (found.accepts_to is not None and row.threshold <= found.accepts_to)
