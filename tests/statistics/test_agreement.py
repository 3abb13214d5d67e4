"""Agreement of raters."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from primum.errors import UsageError
from primum.statistics import Level, krippendorff_alpha, rater_agreement

tables = (
    st.integers(2, 4)
    .flatmap(
        lambda size: st.lists(st.lists(st.integers(0, 20), min_size=size, max_size=size), min_size=size, max_size=size)
    )
    .filter(lambda table: sum(map(sum, table)) > 1)
)


def test_the_textbook_kappa() -> None:
    """50 items, 35 agreed, kappa 0.40 (Cohen's own example)."""
    got = rater_agreement([[20, 5], [10, 15]])
    assert str(got.agreed) == "35/50"
    assert got.kappa.value == pytest.approx(0.4)


def test_kappa_misleads_when_one_category_is_rare() -> None:
    """118 of 125 agreed, and kappa is below 0; AC1 says what happened."""
    got = rater_agreement([[118, 5], [2, 0]])
    assert got.kappa.value is not None
    assert got.kappa.value < 0
    assert got.ac1.value == pytest.approx(0.94, abs=0.005)


def test_the_published_alphas() -> None:
    """4 raters and 12 units with gaps (Krippendorff 2011): 0.743, 0.815 and 0.849."""
    gap = None
    units: list[list[int | None]] = [
        [1, 1, gap, 1],
        [2, 2, 3, 2],
        [3, 3, 3, 3],
        [3, 3, 3, 3],
        [2, 2, 2, 2],
        [1, 2, 3, 4],
        [4, 4, 4, 4],
        [1, 1, 2, 1],
        [2, 2, 2, 2],
        [gap, 5, 5, 5],
        [gap, gap, 1, 1],
        [gap, 3, gap, gap],
    ]
    for level, alpha in zip(Level, (0.743, 0.815, 0.849), strict=True):
        got = krippendorff_alpha(units, level)
        assert got.value == pytest.approx(alpha, abs=5e-4)
        assert (got.units, got.ratings) == (11, 40)


@given(tables)
def test_raters_can_be_swapped(table: list[list[int]]) -> None:
    """Agreement has no direction."""
    swapped = [list(column) for column in zip(*table, strict=True)]
    here, there = rater_agreement(table), rater_agreement(swapped)
    assert here.ac1.value == pytest.approx(there.ac1.value)
    assert here.brennan_prediger.value == pytest.approx(there.brennan_prediger.value)
    if here.kappa.value is not None:
        assert here.kappa.value == pytest.approx(there.kappa.value)


@given(tables)
def test_full_agreement_is_1_and_no_coefficient_exceeds_it(table: list[list[int]]) -> None:
    """Kappa is undefined, not 1, when everybody always said the same."""
    got = rater_agreement(table)
    values = [got.kappa, got.linear_kappa, got.quadratic_kappa, got.ac1, got.brennan_prediger]
    assert all(value.value is None or value.value <= 1 + 1e-12 for value in values)
    assert all((value.value is None) <= (value.reason is not None) for value in values)
    diagonal = [[count if i == j else 0 for j, count in enumerate(row)] for i, row in enumerate(table)]
    assume(sum(map(sum, diagonal)))
    full = rater_agreement(diagonal)
    assert full.ac1.value == pytest.approx(1)
    used = sum(diagonal[i][i] > 0 for i in range(len(diagonal)))
    assert full.kappa.value == (pytest.approx(1) if used > 1 else None)


@given(st.lists(st.lists(st.integers(0, 9), min_size=2, max_size=2), min_size=2, max_size=2))
def test_weights_change_nothing_with_two_categories(table: list[list[int]]) -> None:
    """There is only one way to differ."""
    assume(sum(map(sum, table)))
    got = rater_agreement(table)
    assert got.linear_kappa.value == got.quadratic_kappa.value
    if got.kappa.value is not None:
        assert got.linear_kappa.value == pytest.approx(got.kappa.value)


@given(st.lists(st.lists(st.none() | st.integers(1, 4), min_size=3, max_size=3), min_size=1, max_size=8))
def test_alpha_depends_neither_on_the_order_of_units_nor_of_raters(units: list[list[int | None]]) -> None:
    """And for the interval level, neither on origin nor unit of the scale."""
    for level in Level:
        value = krippendorff_alpha(units, level).value
        other = krippendorff_alpha([list(reversed(unit)) for unit in reversed(units)], level).value
        assert other == (None if value is None else pytest.approx(value))
    moved = [[None if rating is None else 10 * rating - 3 for rating in unit] for unit in units]
    value = krippendorff_alpha(units, Level.INTERVAL).value
    assert krippendorff_alpha(moved, Level.INTERVAL).value == (None if value is None else pytest.approx(value))


def test_alpha_without_disagreement_or_pairs_is_none_with_a_reason() -> None:
    """0/0 is not 1."""
    for units in ([[1, 1], [1, 1]], [[1, None], [None, 2]], []):
        got = krippendorff_alpha(units, Level.NOMINAL)
        assert got.value is None
        assert got.reason


@pytest.mark.parametrize("table", [[], [[1]], [[1, 2], [3]], [[1, -1], [0, 2]], [[0, 0], [0, 0]]])
def test_what_is_no_table_of_counts_is_refused(table: list[list[int]]) -> None:
    """Square, from 0 up, and with an item."""
    with pytest.raises(UsageError):
        rater_agreement(table)
