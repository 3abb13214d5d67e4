"""Rates with their intervals, against scipy's own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.statistics.oracle import stats

from primum.errors import UsageError
from primum.statistics import proportion, trials_for_zero_failures, zero_failures


@given(st.integers(1, 400), st.data(), st.sampled_from([0.8, 0.9, 0.95, 0.99]))
def test_both_intervals_agree_with_scipy(n: int, data: st.DataObject, confidence: float) -> None:
    """Wilson and the exact one."""
    successes = data.draw(st.integers(0, n))
    got = proportion(successes, n, confidence=confidence)
    for ours, method in ((got.wilson, "wilson"), (got.clopper_pearson, "exact")):
        theirs = stats.binomtest(successes, n).proportion_ci(confidence, method)
        assert ours is not None
        assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


def test_the_ends_are_exact_when_nothing_or_everything_succeeds() -> None:
    """0 and 1, without rounding noise."""
    none, every = proportion(0, 20), proportion(20, 20)
    for interval in (none.wilson, none.clopper_pearson):
        assert interval is not None
        assert interval.low == 0
    for interval in (every.wilson, every.clopper_pearson):
        assert interval is not None
        assert interval.high == 1


def test_nothing_counted_is_none_with_a_reason() -> None:
    """Not 0, and not NaN."""
    got = proportion(0, 0)
    assert (got.estimate, got.wilson, got.clopper_pearson) == (None, None, None)
    assert got.reason


@pytest.mark.parametrize(("successes", "n"), [(-1, 5), (6, 5), (0, -1)])
def test_impossible_counts_are_refused(successes: int, n: int) -> None:
    """With our own error."""
    with pytest.raises(UsageError):
        proportion(successes, n)


@pytest.mark.parametrize("confidence", [0.0, 1.0, 95.0, float("nan")])
def test_a_confidence_lies_between_0_and_1(confidence: float) -> None:
    """95 is a common slip for 0.95."""
    with pytest.raises(UsageError):
        proportion(1, 2, confidence=confidence)


@given(st.integers(1, 5000), st.sampled_from([0.9, 0.95, 0.99]))
def test_the_bound_for_zero_failures_is_the_exact_one(n: int, confidence: float) -> None:
    """At the bound, seeing no failure has the chance 1 - confidence."""
    assert (1 - zero_failures(n, confidence=confidence).upper) ** n == pytest.approx(1 - confidence, rel=1e-9)


@given(st.sampled_from([0.5, 0.3, 0.1, 0.05, 0.01, 0.001, 1e-5]), st.sampled_from([0.5, 0.75, 0.9, 0.95]))
def test_the_needed_trials_are_the_fewest_that_do(rate: float, confidence: float) -> None:
    """One fewer is not enough."""
    n = trials_for_zero_failures(rate, confidence=confidence)
    assert zero_failures(n, confidence=confidence).upper <= rate * (1 + 1e-9)
    assert n == 1 or zero_failures(n - 1, confidence=confidence).upper > rate


def test_no_trial_bounds_nothing() -> None:
    """Zero failures in zero cases must not look like evidence."""
    with pytest.raises(UsageError):
        zero_failures(0)
