"""The area under the ROC curve, against a second implementation."""

import math
import random
from typing import cast

import pytest
from sklearn.metrics import roc_auc_score  # type: ignore[import-untyped]  # it ships no types

from primum.errors import UsageError
from primum.statistics import discrimination


def test_the_area_is_that_of_scikit_learn() -> None:
    """With ties, on made-up scores."""
    draw = random.Random(7)  # noqa: S311 - made-up scores, not secrets
    for _ in range(20):
        passing = [draw.randrange(6) / 5 for _ in range(30)]
        failing = [draw.randrange(5) / 5 for _ in range(20)]
        found = discrimination(passing, failing)
        assert found.area is not None
        expected = cast("float", roc_auc_score([1] * 30 + [0] * 20, passing + failing))
        assert math.isclose(found.area, expected)
        assert found.interval is not None
        assert found.interval.low < found.area < found.interval.high


@pytest.mark.parametrize(
    ("passing", "failing", "area", "reason"),
    [
        ([], [0.5], None, "passing and of failing"),
        ([1.0], [0.0], 1.0, "one score"),
        ([1.0, 0.9], [0.1, 0.2], 1.0, "alike"),
        ([0.5, 0.5], [0.5, 0.5], 0.5, "alike"),
    ],
)
def test_what_has_no_error_says_why(
    passing: list[float], failing: list[float], area: float | None, reason: str
) -> None:
    """An interval of no width would claim too much."""
    found = discrimination(passing, failing)
    assert (found.area, found.interval) == (area, None)
    assert found.reason is not None
    assert reason in found.reason


def test_scores_are_finite() -> None:
    """NaN is no score."""
    with pytest.raises(UsageError, match="finite"):
        discrimination([math.nan], [0.0])
