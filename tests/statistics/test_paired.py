"""Comparisons of two systems on the same cases."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.strategies import outcomes
from tests.statistics.oracle import stats

from primum.errors import UsageError
from primum.statistics import NonInferiority, PairedOutcome, paired_family_difference, paired_flips

Runs = dict[str, list[list[int]]]


def pairs(rows: list[tuple[str, bool, bool]]) -> list[PairedOutcome]:
    """Cases numbered in order, as (family, base, candidate)."""
    return [
        PairedOutcome(case_id=f"case-{number}", family=family, base=base, candidate=candidate)
        for number, (family, base, candidate) in enumerate(rows)
    ]


@given(st.lists(st.tuples(st.sampled_from("ab"), st.booleans(), st.booleans()), max_size=40))
def test_the_p_values_are_those_of_a_fair_coin(rows: list[tuple[str, bool, bool]]) -> None:
    """As scipy tosses it."""
    got = paired_flips(pairs(rows))
    flipped = len(got.regressed) + len(got.fixed)
    if not flipped:
        assert (got.two_sided_p, got.regression_p) == (1, 1)
        return
    toss = stats.binomtest(len(got.regressed), flipped)
    assert got.two_sided_p == pytest.approx(float(toss.pvalue), abs=1e-12)
    one_sided = stats.binomtest(len(got.regressed), flipped, alternative="greater")
    assert got.regression_p == pytest.approx(float(one_sided.pvalue), abs=1e-12)


def test_a_better_total_does_not_hide_a_family_that_fell() -> None:
    """8 fixed in one family and 5 lost in another; p says nothing, the table does."""
    rows = [("routine", False, True)] * 8 + [("routine", True, True)] * 90 + [("routine", False, False)] * 2
    rows += [("migration", True, False)] * 5 + [("migration", True, True)] * 4 + [("migration", False, False)]
    got = paired_flips(pairs(rows))
    assert (str(got.base), str(got.candidate)) == ("99/110", "102/110")
    family = got.by_family["migration"]
    assert (str(family.base), str(family.candidate), family.regressed, family.fixed) == ("9/10", "4/10", 5, 0)
    assert got.two_sided_p > 0.5
    assert len(got.regressed) == 5


def test_no_pair_is_none_with_a_reason() -> None:
    """There is no difference between nothing and nothing."""
    got = paired_flips([])
    assert (got.difference, got.standard_error, got.interval) == (None, None, None)
    assert got.reason


def test_a_case_is_paired_once() -> None:
    """Twice the same case would count its flip twice."""
    with pytest.raises(UsageError, match="case-0"):
        paired_flips(pairs([("a", True, False)]) * 2)


@given(outcomes(), st.data())
def test_the_sign_flip_test_counts_every_pattern(base: Runs, data: st.DataObject) -> None:
    """As a loop over all sign patterns does, in sixths so that ties are ties."""
    flip = {family: data.draw(st.booleans()) for family in base}
    candidate = {
        family: [[1 - run if flip[family] else run for run in variant] for variant in variants]
        for family, variants in base.items()
    }
    got = paired_family_difference(base, candidate, margin=0.03)
    # Family means are whole multiples of 1/36 here: up to 3 variants of up to 3 runs.
    steps = [round(difference * 36) for difference in got.differences.values()]
    totals = [
        sum(sign * step for sign, step in zip(signs, steps, strict=True))
        for signs in itertools.product((1, -1), repeat=len(steps))
    ]
    assert got.two_sided_p == sum(abs(total) >= abs(sum(steps)) for total in totals) / len(totals)
    assert got.worse_p == sum(total <= sum(steps) for total in totals) / len(totals)


def system(*shares: int) -> Runs:
    """One family for each number of acceptable answers out of four."""
    return {f"family-{number}": [[1] * good + [0] * (4 - good)] for number, good in enumerate(shares)}


def test_the_decision_follows_the_one_sided_bounds() -> None:
    """Non-inferior, regressed, or too little to tell."""
    good = system(*[4, 4, 3, 4, 4, 4, 4, 3] * 3)
    bad = system(*[2, 1, 1, 2, 2, 1, 2, 1] * 3)
    assert paired_family_difference(good, good, margin=0.03).decision is NonInferiority.NON_INFERIOR
    assert paired_family_difference(good, bad, margin=0.03).decision is NonInferiority.REGRESSED
    unclear = paired_family_difference(system(4, 2, 3), system(2, 4, 3), margin=0.03)
    assert unclear.decision is NonInferiority.INCONCLUSIVE


def test_one_family_decides_nothing() -> None:
    """However clear it looks."""
    got = paired_family_difference(system(4), system(0), margin=0.03)
    assert got.decision is NonInferiority.INCONCLUSIVE
    assert (got.mean, got.standard_error, got.lower, got.upper) == (-1.0, None, None, None)
    assert got.reason


def test_the_worst_family_is_named() -> None:
    """With its difference."""
    got = paired_family_difference(system(4, 4, 4), system(4, 1, 3), margin=0.03)
    assert (got.worst_family, got.differences[got.worst_family]) == ("family-1", -0.75)


@pytest.mark.parametrize("margin", [-0.01, float("nan"), float("inf")])
def test_a_margin_is_a_number_from_0_up(margin: float) -> None:
    """An infinite margin would accept anything."""
    with pytest.raises(UsageError):
        paired_family_difference(system(1), system(1), margin=margin)


def test_different_families_are_refused() -> None:
    """Nothing is silently left out; the message names them."""
    with pytest.raises(UsageError, match="family-1"):
        paired_family_difference(system(1, 1), system(1), margin=0.03)


def test_many_families_with_common_denominators_are_still_counted_exactly() -> None:
    """200 families make 2**200 patterns, but few sums."""
    base = system(*[2] * 200)
    candidate = system(*[3, 1] * 100)
    assert paired_family_difference(base, candidate, margin=0.03).two_sided_p == 1.0
