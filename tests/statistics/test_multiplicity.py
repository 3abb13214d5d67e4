"""Adjusted p-values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.statistics.oracle import stats

from primum.errors import UsageError
from primum.statistics import benjamini_hochberg, bonferroni, holm

p_values = st.lists(st.integers(0, 1000).map(lambda thousandths: thousandths / 1000), min_size=1, max_size=12)


@given(p_values)
def test_benjamini_hochberg_agrees_with_scipy(values: list[float]) -> None:
    """In the order given."""
    theirs = [float(p) for p in stats.false_discovery_control(values)]
    assert list(benjamini_hochberg(values).p_values) == pytest.approx(theirs, abs=1e-12)


@given(p_values)
def test_holm_lies_between_the_raw_and_the_bonferroni_values(values: list[float]) -> None:
    """It is never weaker than Bonferroni, and never claims more than the test itself; BH claims at least as much."""
    adjusted = (method(values).p_values for method in (benjamini_hochberg, holm, bonferroni))
    stepped = zip(values, *adjusted, strict=True)
    assert all(raw <= bh <= step_down <= single <= 1 for raw, bh, step_down, single in stepped)


@given(p_values)
def test_holm_rejects_as_its_definition_says(values: list[float]) -> None:
    """From the smallest up, each against alpha over what is left, until the first that fails."""
    order = sorted(range(len(values)), key=values.__getitem__)
    rejected: set[int] = set()
    for step, place in enumerate(order):
        if round(values[place] * 1000) * (len(values) - step) > 50:
            break
        rejected.add(place)
    assert {place for place, yes in enumerate(holm(values).rejected) if yes} == rejected


def test_equality_rejects() -> None:
    """5 times 0.01 is 0.05, and in 3 times 0.1 binary floats would say 0.30000000000000004."""
    assert bonferroni([0.01] * 5).rejected == (True,) * 5
    assert bonferroni([0.1, 0.1, 0.1], alpha=0.3).rejected == (True, True, True)


@pytest.mark.parametrize("wrong", [-0.1, 1.1, float("nan")])
def test_what_is_no_p_value_is_refused(wrong: float) -> None:
    """They lie from 0 to 1."""
    with pytest.raises(UsageError):
        holm([0.5, wrong])


def test_nothing_to_adjust_is_nothing_adjusted() -> None:
    """An empty list is no error; there was simply no comparison."""
    assert holm([]).p_values == ()
