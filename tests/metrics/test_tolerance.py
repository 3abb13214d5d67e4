"""Baselines are compared in decimals."""

from decimal import Decimal

import pytest

from primum.errors import UsageError
from primum.metrics import within_tolerance


def test_a_drop_of_just_the_tolerance_passes_at_every_two_decimal_point() -> None:
    """Binary floats get a tenth of these wrong."""
    wrong_in_floats = 0
    for tolerance in (2, 3, 5):
        for baseline in range(tolerance, 101):
            now, before, allowed = ((points / 100) for points in (baseline - tolerance, baseline, tolerance))
            assert within_tolerance(now, before, allowed)
            assert within_tolerance(f"{now:.2f}", f"{before:.2f}", f"{allowed:.2f}")
            assert not within_tolerance(Decimal(f"{now:.2f}") - Decimal("1e-9"), before, allowed)
            wrong_in_floats += not now >= before - allowed
    assert wrong_in_floats > 20


def test_a_mean_computed_in_floats_is_not_failed_for_its_noise() -> None:
    """The last binary digits of a mean are no result; the twelfth decimal is."""
    noisy = 11 * 0.05 - 1e-16
    assert noisy < 0.55
    assert within_tolerance(noisy, 0.58, 0.03)
    assert not within_tolerance(0.55 - 1e-11, 0.58, 0.03)


@pytest.mark.parametrize("missing", [None, float("nan"), "NaN", float("inf"), "Infinity"])
def test_what_was_not_computed_never_passes(missing: float | str | None) -> None:
    """Neither as the current value nor as the baseline."""
    assert not within_tolerance(missing, 0.1)
    assert not within_tolerance(0.9, missing)


def test_any_shortfall_fails_when_nothing_is_tolerated() -> None:
    """However small."""
    assert within_tolerance("0.61", "0.61", "0.00")
    assert not within_tolerance("0.6099999", "0.61", "0.00")


@pytest.mark.parametrize("tolerance", [-0.01, float("nan"), "Infinity", "three"])
def test_a_tolerance_is_a_number_from_zero_up(tolerance: float | str) -> None:
    """Anything else is a mistake in the configuration."""
    with pytest.raises(UsageError):
        within_tolerance(0.5, 0.5, tolerance)
