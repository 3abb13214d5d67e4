"""What is an input error, what is a miss, and what is undefined."""

import math

import pytest

from primum.errors import RankingError
from primum.metrics import Judgments, Unjudged, parse_measure, score_ranking, score_rankings, ties_at

LABELS = Judgments(grades={"A": 2, "B": 1, "C": 0, "D": 0})
P3 = parse_measure("P@3")


def code_of(ranked: list[str], judgments: Judgments = LABELS, scores: list[float | None] | None = None) -> str:
    """The code of the error that scoring raises."""
    with pytest.raises(RankingError) as caught:
        score_ranking([P3], ranked, judgments, scores=scores)
    return caught.value.code


@pytest.mark.parametrize("ranked", [["A", "A", "B"], ["C", "C", "A"], ["A", "B", "C", "D", "A"]])
def test_a_duplicate_anywhere_is_an_error(ranked: list[str]) -> None:
    """Also of a chunk that is not relevant, and also past k."""
    assert code_of(ranked) == "duplicate_id"


@pytest.mark.parametrize("unknown", ["X", "a", "A ", "e\u0301"])
def test_an_unjudged_result_is_an_error_in_a_fully_judged_dataset(unknown: str) -> None:
    """Ids are compared character by character: letter case, spaces and Unicode forms count."""
    assert code_of(["A", "B", "C", unknown], Judgments(grades={**LABELS.grades, "\u00e9": 1})) == "unjudged_result"


@pytest.mark.parametrize("bad", ["", None, 7])
def test_an_id_is_a_non_empty_text(bad: str) -> None:
    """Anything else is a broken adapter."""
    assert code_of([bad, "A"]) == "bad_id"


@pytest.mark.parametrize("ranked", ["AB", None, {"A": 1}])
def test_a_ranking_is_a_list(ranked: list[str]) -> None:
    """A text is not a list of one-letter ids, and no result at all is not an empty one."""
    assert code_of(ranked) == "bad_ranking"


@pytest.mark.parametrize("grade", [True, -1, 3, 1.0, "2", None])
def test_a_grade_outside_the_scale_is_an_error(grade: int) -> None:
    """Booleans and floats are no grades either."""
    with pytest.raises(RankingError) as caught:
        Judgments(grades={"A": grade})
    assert caught.value.code == "bad_grade"


def test_a_wider_scale_can_be_declared() -> None:
    """Public collections grade from 0 to 3 or more."""
    assert Judgments(grades={"A": 3}, highest_grade=3).grades["A"] == 3


@pytest.mark.parametrize("score", [math.nan, math.inf, -math.inf, True, None])
def test_a_score_that_is_no_finite_number_is_an_error(score: float | None) -> None:
    """One missing score among others is one too."""
    assert code_of(["A", "B"], scores=[0.5, score]) == "bad_score"


def test_scores_and_results_are_as_many() -> None:
    """A list of scores that does not fit the ranking is an error."""
    assert code_of(["A", "B"], scores=[0.5]) == "bad_score"


def test_a_case_without_relevant_labels_is_an_error() -> None:
    """It would divide by nothing, whatever was returned."""
    assert code_of([], Judgments(grades={})) == "no_relevant"
    assert code_of([], Judgments(grades={"A": 0})) == "no_relevant"


def test_an_unanswerable_case_can_still_be_checked_for_what_it_must_not_see() -> None:
    """forbidden@k and judged@k need no relevant label."""
    measures = [parse_measure("forbidden@3"), parse_measure("judged@3")]
    labels = Judgments(grades={"A": 0}, forbidden=frozenset({"Z"}))
    assert list(score_ranking(measures, ["A", "Z"], labels).values()) == [1.0, 1.0]


def test_an_empty_ranking_is_a_miss() -> None:
    """It scores 0; only judged@k, a share of nothing, is undefined."""
    measures = [parse_measure(text) for text in ("P@3", "Recall@3", "Hit@3", "RR@3", "nDCG@3", "AP", "Rprec")]
    assert set(score_ranking(measures, [], LABELS).values()) == {0.0}
    assert score_ranking([parse_measure("judged@3")], [], LABELS) == {parse_measure("judged@3"): None}


def test_score_order_never_changes_a_ranking() -> None:
    """Ties and rising scores keep the order that the retriever returned."""
    rr = parse_measure("RR@3")
    assert score_ranking([rr], ["C", "A"], LABELS, scores=[0.1, 0.9])[rr] == 1 / 2
    assert score_ranking([rr], ["A", "B", "C"], LABELS, scores=[0.5, 0.5, 0.5])[rr] == 1


def test_unjudged_results_can_be_condensed_away() -> None:
    """The other measures close the gap; judged@k still shows it."""
    labels = Judgments(grades=LABELS.grades, unjudged=Unjudged.CONDENSED, required=frozenset({"A"}))
    measures = [parse_measure(text) for text in ("RR@1", "evidence_complete@1", "judged@2")]
    assert list(score_ranking(measures, ["X", "A"], labels).values()) == [1.0, 1.0, 0.5]


def test_required_evidence_is_complete_only_when_all_of_it_is_there() -> None:
    """Recall can look fine while the one chunk that matters is missing; nothing required is undefined, not complete."""
    labels = Judgments(grades=LABELS.grades, required=frozenset({"A", "B"}))
    at = {k: parse_measure(f"evidence_complete@{k}") for k in (1, 2, 3)}
    assert list(score_ranking(at.values(), ["A", "C", "B"], labels).values()) == [0.0, 0.0, 1.0]
    assert score_ranking([at[3]], ["A", "B"], LABELS) == {at[3]: None}


def test_a_forbidden_result_is_counted_and_not_called_unjudged() -> None:
    """Another patient's chunk has no grade, yet the leak is what must be seen."""
    labels = Judgments(grades=LABELS.grades, forbidden=frozenset({"other"}))
    at = [parse_measure(text) for text in ("forbidden@1", "forbidden@2", "P@2", "judged@2", "RR@2")]
    assert list(score_ranking(at, ["A", "other"], labels).values()) == [0.0, 1.0, 0.5, 1.0, 1.0]
    assert list(score_ranking(at, ["other", "A"], labels).values()) == [1.0, 1.0, 0.5, 1.0, 0.5]


@pytest.mark.parametrize(("required", "forbidden", "code"), [("C", "Z", "bad_required"), ("A", "B", "bad_forbidden")])
def test_labels_that_contradict_themselves_are_errors(required: str, forbidden: str, code: str) -> None:
    """Required is relevant; forbidden never is."""
    with pytest.raises(RankingError) as caught:
        Judgments(grades=LABELS.grades, required=frozenset({required}), forbidden=frozenset({forbidden}))
    assert caught.value.code == code


def test_one_bad_ranking_refuses_the_whole_dataset() -> None:
    """A mean over the rest would look better than what happened; the message names the case."""
    labels = {"q1": LABELS, "q2": LABELS}
    with pytest.raises(RankingError, match=r"case 'q2': .*second time at rank 2") as caught:
        score_rankings([P3], labels, {"q1": ["A"], "q2": ["A", "A"]})
    assert caught.value.code == "duplicate_id"


@pytest.mark.parametrize(
    ("labels", "runs", "code"),
    [
        ({}, {}, "empty_dataset"),
        ({"q1": LABELS}, {}, "missing_run"),
        ({"q1": LABELS}, {"q1": [], "q2": []}, "unexpected_run"),
    ],
)
def test_cases_and_rankings_belong_together(
    labels: dict[str, Judgments], runs: dict[str, list[str]], code: str
) -> None:
    """Nothing is silently left out or paired."""
    with pytest.raises(RankingError) as caught:
        score_rankings([P3], labels, runs)
    assert caught.value.code == code


def test_ties_across_the_cutoff_are_counted() -> None:
    """Which of the tied results made the first k is arbitrary, so it is said how many there are."""
    ties = ties_at(["A", "B", "C", "D"], [0.9, 0.5, 0.5, 0.5], 2)
    assert ties is not None
    assert (ties.inside, ties.outside, ties.count, ties.score) == (1, 2, 3, 0.5)


@pytest.mark.parametrize("scores", [None, [None, None, None], [0.5, 0.5, 0.1]])
def test_no_tie_across_the_cutoff_is_none(scores: list[float | None] | None) -> None:
    """No scores, or a tie that lies wholly inside."""
    assert ties_at(["A", "B", "C"], scores, 2) is None
