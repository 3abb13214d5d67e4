"""What holds for every ranking."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st
from tests.property.strategies import Scorable, cutoffs, measures, scorables

from primum.metrics import (
    NDCG,
    AveragePrecision,
    Gain,
    HitRate,
    Judgments,
    Measure,
    Precision,
    Recall,
    ReciprocalRank,
    RPrecision,
    Unjudged,
    parse_measure,
    score_ranking,
)


def of_quality(k: int) -> tuple[Measure, ...]:
    """The measures that only look at where relevant results stand."""
    return (
        Precision(k),
        Recall(k),
        HitRate(k),
        ReciprocalRank(k),
        NDCG(k),
        NDCG(k, Gain.LINEAR),
        AveragePrecision(k),
        AveragePrecision(),
        RPrecision(),
    )


@given(measures)
def test_every_measure_is_read_back_from_what_it_prints(measure: Measure) -> None:
    """The text is the full definition."""
    assert parse_measure(str(measure)) == measure


@given(scorables(), measures)
def test_every_value_lies_from_0_to_1(case: Scorable, measure: Measure) -> None:
    """Exactly, without slack for rounding; undefined is None."""
    value = score_ranking([measure], case.ranked, case.judgments())[measure]
    assert value is None or 0 <= value <= 1


@given(scorables(), cutoffs)
def test_the_best_order_of_all_judgments_has_an_ndcg_of_1(case: Scorable, k: int) -> None:
    """And nothing else can beat it."""
    best = sorted(case.grades, key=lambda chunk_id: -case.grades[chunk_id])
    for measure in (NDCG(k), NDCG(k, Gain.LINEAR)):
        assert score_ranking([measure], best, case.judgments())[measure] == 1


@given(scorables(), cutoffs, st.data())
def test_no_measure_falls_when_a_better_result_moves_up(case: Scorable, k: int, data: st.DataObject) -> None:
    """Swapping two results so that the higher grade comes first helps or changes nothing."""
    worse_first = [
        (upper, lower)
        for lower in range(len(case.ranked))
        for upper in range(lower)
        if case.grades.get(case.ranked[upper], 0) < case.grades.get(case.ranked[lower], 0)
    ]
    if not worse_first:
        return
    upper, lower = data.draw(st.sampled_from(worse_first))
    improved = list(case.ranked)
    improved[upper], improved[lower] = improved[lower], improved[upper]
    before = score_ranking(of_quality(k), case.ranked, case.judgments())
    after = score_ranking(of_quality(k), improved, case.judgments())
    assert all((after[measure] or 0) >= (before[measure] or 0) for measure in before)


@given(scorables(), cutoffs, st.randoms(use_true_random=False))
def test_the_order_of_the_judgments_changes_nothing(case: Scorable, k: int, random: Random) -> None:
    """To the last bit."""
    shuffled = list(case.grades.items())
    random.shuffle(shuffled)
    again = Scorable(case.ranked, dict(shuffled))
    assert score_ranking(of_quality(k), case.ranked, case.judgments()) == score_ranking(
        of_quality(k), again.ranked, again.judgments()
    )


@given(scorables(), cutoffs)
def test_results_past_k_change_nothing_at_k(case: Scorable, k: int) -> None:
    """One retrieval at the largest k serves all smaller ones."""
    at_k = (Precision(k), Recall(k), HitRate(k), ReciprocalRank(k), NDCG(k), AveragePrecision(k))
    assert score_ranking(at_k, case.ranked, case.judgments()) == score_ranking(at_k, case.ranked[:k], case.judgments())


@given(scorables(), cutoffs)
def test_condensing_is_leaving_out_what_is_unjudged(case: Scorable, k: int) -> None:
    """By hand or by declaration."""
    by_hand = [chunk_id for chunk_id in case.ranked if chunk_id in case.grades]
    assert score_ranking(of_quality(k), case.ranked, case.judgments(Unjudged.CONDENSED)) == score_ranking(
        of_quality(k), by_hand, case.judgments(Unjudged.ERROR)
    )


@given(scorables(), cutoffs)
def test_long_label_lists_score_like_short_ones(case: Scorable, k: int) -> None:
    """Many judged results are found through a table, few by search; the values are the same."""
    padding = {f"padding {number} {'x' * 9}": 0 for number in range(8)}
    ranked = (*case.ranked, *padding)
    few = Judgments(grades=case.grades, unjudged=Unjudged.IRRELEVANT)
    many = Judgments(grades={**case.grades, **padding}, unjudged=Unjudged.IRRELEVANT)
    assert score_ranking(of_quality(k), ranked, few) == score_ranking(of_quality(k), ranked, many)
