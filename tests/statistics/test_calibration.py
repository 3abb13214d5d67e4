"""How far a judge can be trusted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primum.errors import UsageError
from primum.records import Rate
from primum.statistics import (
    Confusion,
    brier_score,
    corrected_rate,
    expected_calibration_error,
    judge_errors,
    prediction_powered_mean,
)


def confusion(tp: int, fn: int, fp: int, tn: int) -> Confusion:
    """Counts in the usual order."""
    return Confusion(true_positive=tp, false_negative=fn, false_positive=fp, true_negative=tn)


@given(st.integers(1, 50), st.integers(0, 20), st.integers(0, 20), st.integers(1, 50))
def test_correcting_the_examined_answers_themselves_gives_the_human_rate(tp: int, fn: int, fp: int, tn: int) -> None:
    """On its own confusion matrix, the correction undoes exactly what the judge got wrong."""
    cells = confusion(tp, fn, fp, tn)
    got = corrected_rate(cells, Rate(numerator=tp + fp, denominator=tp + fn + fp + tn))
    if got.estimate is None:
        assert tp * tn <= fn * fp
        return
    assert got.estimate == pytest.approx((tp + fn) / (tp + fn + fp + tn))


@pytest.mark.parametrize("cells", [(1, 1, 1, 1), (0, 5, 5, 0), (0, 0, 3, 4), (3, 4, 0, 0)])
def test_a_judge_that_knows_nothing_corrects_nothing(cells: tuple[int, int, int, int]) -> None:
    """No better than a coin, or never examined on one of the two sides: None with a reason."""
    got = corrected_rate(confusion(*cells), Rate(numerator=1, denominator=2))
    assert (got.estimate, got.clipped, got.standard_error) == (None, None, None)
    assert got.reason


def test_a_corrected_rate_may_leave_0_to_1_and_is_clipped_beside_it() -> None:
    """A good judge that never cries wolf in the field, but did in the examination."""
    got = corrected_rate(confusion(9, 1, 2, 8), Rate(numerator=0, denominator=100))
    assert got.estimate is not None
    assert got.estimate < 0
    assert got.clipped == 0


def test_an_unexamined_side_has_no_rate() -> None:
    """Sensitivity of a judge that never saw a bad answer is None, not 1."""
    got = judge_errors(confusion(0, 0, 1, 9))
    assert (got.sensitivity.estimate, got.balanced_accuracy) == (None, None)
    assert str(got.specificity.rate) == "9/10"


def test_scores_of_probabilities() -> None:
    """Worked by hand."""
    assert brier_score([1.0, 0.5, 0.0], [1, 1, 0]) == pytest.approx(0.25 / 3)
    assert expected_calibration_error([1.0, 1.0, 0.5, 0.5], [1, 0, 1, 1]) == pytest.approx(0.5)


@given(st.lists(st.tuples(st.integers(0, 10), st.integers(0, 1)), min_size=1))
def test_a_tenth_belongs_to_the_bin_that_it_opens(pairs: list[tuple[int, int]]) -> None:
    """0.3 is in [0.3, 0.4) although its binary neighbour is below 0.3; 1 is in the last bin."""
    bins: dict[int, list[tuple[float, int]]] = {}
    for tenths, label in pairs:
        bins.setdefault(min(tenths, 9), []).append((tenths / 10, label))
    by_hand = sum(abs(sum(p - label for p, label in members)) for members in bins.values()) / len(pairs)
    got = expected_calibration_error([tenths / 10 for tenths, _ in pairs], [label for _, label in pairs])
    assert got == pytest.approx(by_hand, abs=1e-12)


def test_people_move_the_judges_mean() -> None:
    """A judge that is right on every examined answer is left as it is; one that is always wrong is turned round."""
    right = prediction_powered_mean([1, 0, 1], [1, 0, 1], [1, 1, 0, 0])
    assert (right.estimate, right.judge_mean) == (0.5, 0.5)
    wrong = prediction_powered_mean([0, 0], [1, 1], [1, 1, 1, 0])
    assert wrong.estimate == pytest.approx(-0.25)


def test_what_cannot_be_scored_is_refused() -> None:
    """Nothing, different lengths, no probability, no label."""
    for probabilities, labels in (([], []), ([0.5], []), ([1.5], [1]), ([0.5], [2])):
        with pytest.raises(UsageError):
            brier_score(probabilities, labels)
    for human, judge, unseen in (([], [], [1]), ([1], [1], []), ([1], [1, 0], [1])):
        with pytest.raises(UsageError):
            prediction_powered_mean(human, judge, unseen)
    with pytest.raises(UsageError):
        judge_errors(confusion(-1, 0, 0, 0))
