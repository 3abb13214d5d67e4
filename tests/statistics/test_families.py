"""Means and bootstraps over families."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.strategies import outcomes
from tests.statistics.oracle import stats

from primum.errors import UsageError
from primum.statistics import exact_family_bootstrap, family_bootstrap, family_mean

Runs = dict[str, list[list[int]]]


def test_a_family_with_many_runs_counts_once() -> None:
    """The pooled mean and the mean over families differ, and both are shown."""
    got = family_mean({"many": [[1, 1], [1, 1], [1, 1]], "one": [[0]]})
    assert (got.mean, got.pooled_mean, got.runs, got.families) == (0.5, 6 / 7, 7, 2)
    assert got.few_families


@given(outcomes(min_families=2))
def test_the_interval_is_a_t_interval_over_family_means(runs: Runs) -> None:
    """As scipy makes it from the family means alone."""
    got = family_mean(runs)
    means = list(got.by_family.values())
    assert got.interval is not None
    assert got.standard_error == pytest.approx(float(stats.sem(means)), abs=1e-12)
    half = float(stats.t.ppf(0.975, len(means) - 1)) * float(stats.sem(means))
    assert (got.interval.low, got.interval.high) == pytest.approx((got.mean - half, got.mean + half), abs=1e-9)


@given(outcomes())
def test_the_order_of_the_families_changes_nothing(runs: Runs) -> None:
    """To the last bit."""
    backwards = dict(reversed(runs.items()))
    assert family_mean(runs).mean == family_mean(backwards).mean
    by_family = family_mean(runs).by_family
    assert family_bootstrap(by_family, seed=1, resamples=200) == family_bootstrap(
        {family: by_family[family] for family in backwards}, seed=1, resamples=200
    )


def test_one_family_has_no_error_and_says_why() -> None:
    """Undefined is None, not 0."""
    got = family_mean({"only": [[1, 0]]})
    assert (got.mean, got.standard_error, got.interval, got.cluster_robust_error) == (0.5, None, None, None)
    assert got.reason
    for bootstrap in (exact_family_bootstrap({"only": 0.5}), family_bootstrap({"only": 0.5}, seed=1)):
        assert (bootstrap.standard_error, bootstrap.interval) == (None, None)
        assert bootstrap.reason


@pytest.mark.parametrize("runs", [{}, {"f": []}, {"f": [[1], []]}])
def test_missing_runs_are_refused(runs: Runs) -> None:
    """A run that failed is an outcome of 0; a run that is missing is no outcome at all."""
    with pytest.raises(UsageError):
        family_mean(runs)


@given(st.lists(st.integers(0, 8), min_size=2, max_size=5))
def test_the_exact_bootstrap_is_a_full_enumeration(eighths: list[int]) -> None:
    """Every ordered resample, counted one by one."""
    values = [value / 8 for value in eighths]
    got = exact_family_bootstrap({f"f{number}": value for number, value in enumerate(values)})
    resampled = sorted(sum(draw) / len(draw) for draw in itertools.product(values, repeat=len(values)))
    count = len(resampled)
    assert got.interval is not None
    assert got.resamples == count
    assert got.interval.low == resampled[math.ceil(count / 40) - 1]
    assert got.interval.high == resampled[math.ceil(count * 39 / 40) - 1]
    mean = sum(resampled) / count
    assert got.standard_error == pytest.approx(math.sqrt(sum((x - mean) ** 2 for x in resampled) / count), abs=1e-9)


def test_a_seeded_bootstrap_repeats_itself_and_comes_close_to_the_exact_one() -> None:
    """The same seed gives the same bytes; another seed gives other draws."""
    means = {f"f{number}": value for number, value in enumerate([0.1, 0.4, 0.4, 0.7, 0.9, 1.0, 0.2])}
    exact, drawn = exact_family_bootstrap(means), family_bootstrap(means, seed=7)
    assert drawn == family_bootstrap(means, seed=7)
    assert drawn.model_dump_json() != family_bootstrap(means, seed=8).model_dump_json()
    assert exact.interval is not None
    assert drawn.interval is not None
    assert exact.standard_error is not None
    assert drawn.interval.low == pytest.approx(exact.interval.low, abs=0.03)
    assert drawn.interval.high == pytest.approx(exact.interval.high, abs=0.03)
    assert drawn.standard_error == pytest.approx(exact.standard_error, abs=0.005)


def test_too_many_families_are_drawn_and_not_enumerated() -> None:
    """The error says what to use."""
    with pytest.raises(UsageError, match="family_bootstrap"):
        exact_family_bootstrap({f"f{number}": 0.5 for number in range(11)})
