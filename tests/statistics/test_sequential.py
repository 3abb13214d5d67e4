"""Stopping early."""

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primum.errors import UsageError
from primum.statistics import MajorityDecision, SprtDecision, curtailed_majority, sprt, sprt_plan


@given(st.lists(st.booleans(), max_size=60))
def test_the_ratio_is_that_of_the_two_rates(failures: list[bool]) -> None:
    """It stops at the first crossing and not later."""
    plan = sprt_plan(0.02, 0.2)
    got = sprt(plan, failures)
    ratios = list(itertools.accumulate(plan.per_failure if failure else plan.per_success for failure in failures))
    crossed = [n for n, ratio in enumerate(ratios, start=1) if ratio >= plan.upper or ratio <= plan.lower]
    assert got.stopped_at == (crossed[0] if crossed else None)
    assert (got.decision is SprtDecision.CONTINUE) == (not crossed)


def test_the_error_rates_are_kept() -> None:
    """Of 2,000 acceptable systems at most about 5% are rejected; of as many bad ones at most about 10% are accepted."""
    plan = sprt_plan(0.02, 0.2, alpha=0.05, beta=0.1)
    dice = random.Random(20261130)  # noqa: S311 - a simulation, not a secret
    for rate, wrong, limit in ((0.02, SprtDecision.REJECT, 0.065), (0.2, SprtDecision.ACCEPT, 0.12)):
        results = [sprt(plan, (dice.random() < rate for _ in range(5000))).decision for _ in range(2000)]
        assert results.count(wrong) / len(results) < limit
        assert SprtDecision.CONTINUE not in results


@given(st.lists(st.booleans(), min_size=5, max_size=5))
def test_a_curtailed_vote_ends_as_the_whole_vote_would(failures: list[bool]) -> None:
    """It only stops when the rest cannot change it."""
    got = curtailed_majority(failures, 5)
    assert got.decision is (MajorityDecision.FAIL if sum(failures) > 2 else MajorityDecision.PASS)
    assert got.stopped_at is not None
    assert max(sum(failures[: got.stopped_at]), got.stopped_at - sum(failures[: got.stopped_at])) == 3


def test_too_few_votes_decide_nothing() -> None:
    """Two of five is no majority."""
    got = curtailed_majority([False, False], 5)
    assert (got.decision, got.stopped_at) == (MajorityDecision.UNDECIDED, None)


def test_plans_that_make_no_sense_are_refused() -> None:
    """Rates out of order, errors too large, a vote that can be tied."""
    for attempt in (
        lambda: sprt_plan(0.2, 0.02),
        lambda: sprt_plan(0.0, 0.2),
        lambda: sprt_plan(0.02, 0.2, alpha=0.6, beta=0.5),
        lambda: curtailed_majority([], 4),
        lambda: curtailed_majority([], 0),
    ):
        with pytest.raises(UsageError):
            attempt()
