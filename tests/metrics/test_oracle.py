"""trec_eval, as a second implementation."""

import math

import pytest
import pytrec_eval  # pyright: ignore[reportMissingTypeStubs] - it ships no types
from hypothesis import given
from tests.property.strategies import Scorable, cutoffs, scorables

from primum.metrics import parse_measure, score_ranking

# Ours to trec_eval's name; it cannot cut RR, so the list is cut instead, and it knows gains but not 2**grade - 1.
PAIRS = {
    "P@{k}": "P_{k}",
    "Recall@{k}": "recall_{k}",
    "Hit@{k}": "success_{k}",
    "nDCG(gain=linear)@{k}": "ndcg_cut_{k}",
    "AP@{k}": "map_cut_{k}",
    "AP": "map",
    "Rprec": "Rprec",
}


def trec(names: set[str], ranked: tuple[str, ...], gains: dict[str, int]) -> dict[str, float]:
    """trec_eval's values, with scores that fall with the rank; it skips empty rankings, which are misses."""
    if not ranked:
        return {}
    # Its C strings end at a NUL, so ids are replaced by numbers.
    number = {chunk_id: f"d{place}" for place, chunk_id in enumerate(sorted({*ranked, *gains}))}
    run = {number[chunk_id]: float(len(ranked) - place) for place, chunk_id in enumerate(ranked)}
    qrels = {number[chunk_id]: gain for chunk_id, gain in gains.items()}
    values: dict[str, dict[str, float]] = pytrec_eval.RelevanceEvaluator({"q": qrels}, names).evaluate({"q": run})
    return values["q"]


def trec_name(name: str) -> str:
    """`P_5` is asked for as `P.5`."""
    stem, _, cut = name.rpartition("_")
    return f"{stem}.{cut}" if cut.isdigit() else name


@given(scorables(), cutoffs)
def test_both_implementations_agree(case: Scorable, k: int) -> None:
    """On every measure that both have."""
    ours = {mine.format(k=k): other.format(k=k) for mine, other in PAIRS.items()}
    measures = {text: parse_measure(text) for text in ours}
    values = score_ranking(measures.values(), case.ranked, case.judgments())
    theirs = trec({trec_name(name) for name in ours.values()}, case.ranked, dict(case.grades))
    for text, name in ours.items():
        assert values[measures[text]] == pytest.approx(theirs.get(name, 0.0), abs=1e-9), text


@given(scorables(), cutoffs)
def test_exponential_gain_agrees_once_the_gains_are_given(case: Scorable, k: int) -> None:
    """Grades mapped to 2**grade - 1, and RR of the list cut at k."""
    ndcg, rr = parse_measure(f"nDCG(gain=exp)@{k}"), parse_measure(f"RR@{k}")
    values = score_ranking([ndcg, rr], case.ranked, case.judgments())
    gains = {chunk_id: 2**grade - 1 for chunk_id, grade in case.grades.items()}
    theirs = trec({f"ndcg_cut.{k}", "recip_rank"}, case.ranked[:k], gains)
    assert values[ndcg] == pytest.approx(theirs.get(f"ndcg_cut_{k}", 0.0), abs=1e-9)
    assert values[rr] == pytest.approx(theirs.get("recip_rank", 0.0), abs=1e-9)
    assert not any(math.isnan(value) for value in theirs.values())
