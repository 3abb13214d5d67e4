"""A measure prints its full definition and is read back from it."""

import pytest

from primum.errors import RankingError
from primum.metrics import NDCG, AveragePrecision, Gain, Precision, default_measures, parse_measure

PRINTED = [
    "P@3",
    "Recall@5",
    "Hit@1",
    "RR@10",
    "nDCG(gain=exp)@5",
    "nDCG(gain=linear)@5",
    "AP",
    "AP@100",
    "Rprec",
    "judged@10",
    "evidence_complete@5",
    "forbidden@10",
]


@pytest.mark.parametrize("text", PRINTED)
def test_what_is_printed_is_read_back(text: str) -> None:
    """The text is the definition."""
    assert str(parse_measure(text)) == text
    assert parse_measure(str(parse_measure(text))) == parse_measure(text)


def test_what_the_text_leaves_out_is_printed() -> None:
    """A reader of a report need not know the defaults."""
    assert str(parse_measure(" nDCG@5 ")) == "nDCG(gain=exp)@5"
    assert parse_measure("nDCG( gain = linear )@5") == NDCG(5, Gain.LINEAR)


def test_measures_are_equal_when_their_definitions_are() -> None:
    """They can be keys."""
    assert {Precision(3): 1}[Precision(3)] == 1
    assert Precision(3) != Precision(5)
    assert NDCG(5) != NDCG(5, Gain.LINEAR)
    assert AveragePrecision() != AveragePrecision(5)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "unknown_measure"),
        ("ndcg@5", "unknown_measure"),
        ("P@5 extra", "bad_k"),
        ("P", "bad_k"),
        ("P@", "bad_k"),
        ("P@0", "bad_k"),
        ("P@-1", "bad_k"),
        ("P@2.5", "bad_k"),
        ("P@\u0665", "bad_k"),
        ("P@" + "9" * 5000, "bad_k"),
        ("Rprec@5", "bad_k"),
        ("P(gain=exp)@5", "bad_option"),
        ("nDCG(gain=log)@5", "bad_option"),
        ("nDCG(gain)@5", "bad_option"),
        ("nDCG()@5", "bad_option"),
        ("nDCG(gain=exp,gain=exp)@5", "bad_option"),
    ],
)
def test_anything_else_is_refused(text: str, code: str) -> None:
    """With a code that says what is wrong."""
    with pytest.raises(RankingError) as caught:
        parse_measure(text)
    assert caught.value.code == code


@pytest.mark.parametrize("k", [0, -1, 2.5, "3", True, None])
def test_a_cutoff_is_a_whole_number_from_one_up(k: int) -> None:
    """Also when a measure is made in code."""
    for make in (Precision, NDCG):
        with pytest.raises(RankingError) as caught:
            make(k)
        assert caught.value.code == "bad_k"


def test_a_gain_given_as_text_is_checked_too() -> None:
    """Configuration hands on texts."""
    assert str(NDCG(5, Gain("linear"))) == "nDCG(gain=linear)@5"
    with pytest.raises(RankingError) as caught:
        NDCG(5, "log")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]  # the mistake under test
    assert caught.value.code == "bad_option"


def test_the_default_measures_cover_each_cutoff() -> None:
    """Several k from one retrieval at the largest."""
    texts = [str(measure) for measure in default_measures()]
    assert len(set(texts)) == len(texts) == 8 * 4
    assert {"P@1", "nDCG(gain=exp)@10", "forbidden@3"} <= set(texts)
