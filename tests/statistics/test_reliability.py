"""pass@k and pass^k."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primum.errors import UsageError
from primum.records import Rate
from primum.statistics import pass_k, pass_k_by_family


@given(st.integers(1, 7), st.data())
def test_both_are_shares_of_all_subsets_of_answers(n: int, data: st.DataObject) -> None:
    """Counted one by one."""
    successes, k = data.draw(st.integers(0, n)), data.draw(st.integers(1, n))
    answers = [True] * successes + [False] * (n - successes)
    subsets = list(itertools.combinations(answers, k))
    got = pass_k(successes, n, k)
    assert got.at_least_one == pytest.approx(sum(map(any, subsets)) / len(subsets))
    assert got.every == pytest.approx(sum(map(all, subsets)) / len(subsets))


def test_more_answers_than_were_given_is_undefined() -> None:
    """None with a reason; a mean over the other families would be about something else."""
    got = pass_k_by_family({"short": Rate(numerator=2, denominator=2), "long": Rate(numerator=4, denominator=4)}, 4)
    assert (got.by_family["short"].every, got.mean.every, got.by_family["long"].every) == (None, None, 1.0)
    assert "short" in (got.mean.reason or "")


def test_impossible_requests_are_refused() -> None:
    """No family, no k, more successes than answers."""
    for attempt in (lambda: pass_k_by_family({}, 1), lambda: pass_k(1, 2, 0), lambda: pass_k(3, 2, 1)):
        with pytest.raises(UsageError):
            attempt()
