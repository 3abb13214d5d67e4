"""Figures that were worked out by hand."""

import pytest

from primum.metrics import Judgments, Unjudged, parse_measure, score_ranking


def score(text: str, ranked: list[str], grades: dict[str, int]) -> float | None:
    """One measure of one ranking; chunks without a grade are not relevant."""
    measure = parse_measure(text)
    return score_ranking([measure], ranked, Judgments(grades=grades, unjudged=Unjudged.IRRELEVANT))[measure]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("P@3", 2 / 3),
        ("Recall@3", 1),
        ("RR@3", 1 / 2),
        ("Hit@1", 0),
        ("Hit@3", 1),
        ("nDCG(gain=exp)@3", 0.6590),
        ("nDCG(gain=linear)@3", 0.6697),
        ("AP", (1 / 2 + 2 / 3) / 2),
        ("AP@2", (1 / 2) / 2),
        ("Rprec", 1 / 2),
    ],
)
def test_an_irrelevant_result_before_two_relevant_ones(text: str, expected: float) -> None:
    """C, A, B with the grades 0, 2, 1."""
    assert score(text, ["C", "A", "B"], {"A": 2, "B": 1, "C": 0}) == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize(("text", "expected"), [("RR@3", 1 / 2), ("P@3", 2 / 3), ("Recall@3", 1), ("nDCG@3", 0.6934)])
def test_a_miss_before_two_full_answers(text: str, expected: float) -> None:
    """Grades 0, 2, 2 in ranking order."""
    assert score(text, ["C", "A", "B"], {"A": 2, "B": 2, "C": 0}) == pytest.approx(expected, abs=5e-5)


def test_a_short_list_is_not_rewarded() -> None:
    """One relevant result, returned alone, has a precision of 1/3 at 3."""
    assert score("P@3", ["A"], {"A": 2}) == pytest.approx(1 / 3)


def test_the_ideal_counts_relevant_chunks_that_were_not_returned() -> None:
    """1 of 5 relevant chunks, returned first, has an nDCG of 0.339 at 5."""
    assert score("nDCG@5", ["A"], dict.fromkeys("ABCDE", 1)) == pytest.approx(0.339, abs=5e-4)
