"""Families weigh equally, however many wordings and runs they have."""

import pytest

from primum.errors import RankingError
from primum.metrics import CaseScores, Measure, MeasureMean, aggregate_families, parse_measure

HIT = parse_measure("Hit@5")


def run(
    family: str, variant: str, value: float | None, *, repetition: int = 0, kind: str = "plain", measure: Measure = HIT
) -> CaseScores:
    """One scored ranking."""
    return CaseScores(family=family, variant=variant, kind=kind, repetition=repetition, values={measure: value})


def test_a_family_with_many_wordings_counts_once() -> None:
    """Three wordings that work do not outvote one family that does not."""
    table = aggregate_families([*(run("many", str(i), 1.0) for i in range(3)), run("one", "0", 0.0)])
    assert table.overall == (MeasureMean(measure="Hit@5", value=0.5, families=2, rankings=4, undefined=0),)
    assert table.by_family["many"][0].value == 1.0


def test_repetitions_are_averaged_inside_their_wording() -> None:
    """Two runs of one wording weigh as much as one run of another."""
    runs = [run("f", "a", 1.0), run("f", "b", 0.0), run("f", "b", 0.0, repetition=1)]
    assert aggregate_families(runs).overall[0].value == 0.5


def test_kinds_are_averaged_over_their_own_cases() -> None:
    """A family may hold cases of several kinds."""
    table = aggregate_families([run("f", "a", 1.0, kind="table"), run("f", "b", 0.0), run("g", "a", 0.0)])
    assert {kind: means[0].value for kind, means in table.by_kind.items()} == {"plain": 0.0, "table": 1.0}


def test_undefined_values_are_counted_and_in_no_mean() -> None:
    """Missing is not 0; a mean over nothing is None."""
    table = aggregate_families([run("f", "a", None), run("g", "a", 1.0)])
    assert table.overall[0] == MeasureMean(measure="Hit@5", value=1.0, families=1, rankings=1, undefined=1)
    assert table.by_family["f"][0].value is None


def test_weights_are_explicit() -> None:
    """Each family has one, or none has."""
    runs = [run("f", "a", 1.0), run("g", "a", 0.0)]
    assert aggregate_families(runs, weights={"f": 3, "g": 1}).overall[0].value == 0.75
    for weights in ({"f": 1.0}, {"f": 1.0, "g": 0.0}, {"f": 1.0, "g": float("nan")}):
        with pytest.raises(RankingError) as caught:
            aggregate_families(runs, weights=weights)
        assert caught.value.code == "bad_weight"


def test_what_cannot_be_averaged_is_refused() -> None:
    """Nothing at all, a ranking given twice, and rankings scored with different measures."""
    other = run("g", "a", 1.0, measure=parse_measure("P@5"))
    for runs, code in [
        ([], "empty_dataset"),
        ([run("f", "a", 1.0), run("f", "a", 1.0)], "repeated_case"),
        ([run("f", "a", 1.0), other], "mixed_measures"),
    ]:
        with pytest.raises(RankingError) as caught:
            aggregate_families(runs)
        assert caught.value.code == code


def test_the_order_of_the_runs_changes_nothing() -> None:
    """Equal inputs give equal tables."""
    runs = [run("f", "a", 0.1), run("f", "b", 0.7), run("g", "a", 0.3)]
    assert aggregate_families(runs) == aggregate_families(reversed(runs))
