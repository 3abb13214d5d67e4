"""Numbers stand with what they rest on and never round a miss away."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primum.records.base import Rate
from primum.report.numbers import counted, percent, rate, score


@pytest.mark.parametrize(
    ("numerator", "denominator", "shown"),
    [
        (3, 40, "3/40 (7.5%)"),
        (0, 40, "0/40 (0%)"),
        (40, 40, "40/40 (100%)"),
        (1, 100_000, "1/100000 (0.1%)"),
        (99_999, 100_000, "99999/100000 (99.9%)"),
        (0, 0, "0/0"),
    ],
)
def test_a_rate_shows_numerator_and_denominator(numerator: int, denominator: int, shown: str) -> None:
    """Also at the ends, and when nothing was counted."""
    assert rate(Rate(numerator=numerator, denominator=denominator)) == shown


@given(st.integers(1, 10**6), st.data())
def test_only_exact_shares_are_called_0_or_100_percent(denominator: int, data: st.DataObject) -> None:
    """One failure in a million is not 0%."""
    numerator = data.draw(st.integers(0, denominator))
    shown = percent(Rate(numerator=numerator, denominator=denominator))
    assert (shown == "0%") == (numerator == 0)
    assert (shown == "100%") == (numerator == denominator)


@given(st.floats(0, 1))
def test_only_exact_scores_are_called_0_or_1(value: float) -> None:
    """A mean just below 1 is not shown as 1."""
    assert (score(value) == "1.000") == (value == 1)
    assert (score(value) == "0.000") == (value == 0)


def test_a_missing_score_is_words_not_a_number() -> None:
    """None never turns into 0."""
    assert score(None) == "no value"
    assert counted(1, "family", "families") == "1 family"
    assert counted(1_200, "case") == "1,200 cases"
