"""How many cases it takes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primum.errors import UsageError
from primum.statistics import (
    cases_for_difference,
    cases_with_repeats,
    clustered_runs,
    design_effect,
    detectable_difference,
    families_needed,
    largest_sd,
    mcnemar_pairs,
    unpaired_cases_per_arm,
)


@given(st.integers(2, 5000), st.floats(0.01, 1))
def test_the_three_forms_of_one_equation_agree(n: int, sd: float) -> None:
    """What n cases detect needs n cases, and the largest sd is the one that was put in."""
    delta = detectable_difference(n, sd)
    assert largest_sd(n, delta) == pytest.approx(sd)
    assert cases_for_difference(delta * (1 + 1e-9), sd) == n


def test_a_textbook_case() -> None:
    """Half a standard deviation at 5% and 80% takes 32 pairs by the normal approximation (31.4)."""
    assert cases_for_difference(0.5, 1.0) == 32


def test_two_rates_of_a_textbook_case() -> None:
    """60% against 40% takes 97 a group (Fleiss, without continuity correction)."""
    assert unpaired_cases_per_arm(0.6, 0.4) == unpaired_cases_per_arm(0.4, 0.6) == 97


def test_repeats_help_only_with_the_noise_inside_a_case() -> None:
    """However many there are, the differences between cases remain."""
    needed = [cases_with_repeats(0.03, between=0.02, within=0.08, repeats=repeats) for repeats in (1, 10, 10_000)]
    assert needed == sorted(needed, reverse=True)
    assert needed[-1] >= cases_for_difference(0.03, 0.02**0.5)


def test_correlated_runs_count_for_less() -> None:
    """With a correlation of 1 only families count; with 0 every run does."""
    assert (design_effect(6, 0), design_effect(6, 1), design_effect(6, 0.5)) == (1, 6, 3.5)
    runs = clustered_runs(0.03, 0.15, family_size=6, intra_family_correlation=1)
    assert families_needed(runs, 6) == cases_for_difference(0.03, 0.15)


def test_a_difference_cannot_exceed_the_flips() -> None:
    """3% better needs 3% of the cases to flip at least."""
    assert mcnemar_pairs(0.03, 0.03) < mcnemar_pairs(0.03, 0.09)
    with pytest.raises(UsageError):
        mcnemar_pairs(0.03, 0.02)


@pytest.mark.parametrize("delta", [0.0, -0.1, float("nan"), float("inf")])
def test_a_difference_to_see_is_above_0(delta: float) -> None:
    """No number of cases shows a difference of nothing."""
    with pytest.raises(UsageError):
        cases_for_difference(delta, 0.15)
