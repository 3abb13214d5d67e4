"""A judge against people: the figures of a second implementation, and what is refused."""

import math
import random

import pytest
from sklearn.metrics import cohen_kappa_score  # type: ignore[import-untyped]  # it ships no types

from primum.records import Status, Verdict
from primum.records.disagreement import Label
from primum_judges.calibration import Calibration, calibrate

GRADES = (0.0, 0.5, 1.0)


def world(
    count: int, wrong: float, *, seed: int = 1, unlabelled: int = 0, raters: int = 1
) -> tuple[list[Verdict], list[Label], dict[str, str]]:
    """A judge that says something else than people on a share of the answers; four wordings a family."""
    draw = random.Random(seed)  # noqa: S311 - a made-up world, not secrets
    verdicts: list[Verdict] = []
    labels: list[Label] = []
    for number in range(count + unlabelled):
        truth = draw.choice(GRADES)
        score = draw.choice(GRADES) if draw.random() < wrong else truth
        about = f"s/f{number // 4}/{number % 4}/0"
        verdicts.append(
            Verdict(
                observation_id=about,
                judge="j",
                repetition=0,
                rubric="relevance",
                rubric_version="1",
                rubric_hash="h",
                status=Status.PASS if score >= 0.5 else Status.FAIL,
                score=score,
                reason="scripted",
            )
        )
        if number < count:
            labels += [
                Label(
                    observation_id=about,
                    rubric="relevance",
                    rater=f"r{rater}",
                    status=Status.PASS if truth >= 0.5 else Status.FAIL,
                    score=truth,
                )
                for rater in range(raters)
            ]
    families = {verdict.observation_id: verdict.observation_id.split("/")[1] for verdict in verdicts}
    return verdicts, labels, families


def one(*given: object, **changes: object) -> Calibration:
    """The calibration of the one judge in a world."""
    verdicts, labels, families = world(*given, **changes)  # type: ignore[arg-type]
    (found,) = calibrate(verdicts, labels, families)
    return found


def test_kappas_are_those_of_scikit_learn() -> None:
    """Of pass and fail, and weighted on grades."""
    verdicts, labels, families = world(200, 0.4)
    (found,) = calibrate(verdicts, labels, families)
    people = [label.status for label in labels]
    judge = [verdict.status for verdict in verdicts]
    assert found.agreement is not None
    assert found.agreement.kappa.value == pytest.approx(cohen_kappa_score(people, judge))
    grades = [[int(2 * (one.score or 0)) for one in side] for side in (labels, verdicts)]
    assert found.graded is not None
    for weights, mine in (("linear", found.graded.linear_kappa), ("quadratic", found.graded.quadratic_kappa)):
        assert mine.value == pytest.approx(cohen_kappa_score(*grades, weights=weights))
    assert found.kappa_interval is not None
    assert found.ac1_interval is not None
    assert found.kappa_interval.low < (found.agreement.kappa.value or math.nan) < found.kappa_interval.high


def test_intervals_are_by_families_and_the_same_for_the_same_seed() -> None:
    """Four copies of one wording are not four observations."""
    verdicts, labels, families = world(200, 0.4)
    again = calibrate(verdicts, labels, families)
    assert again == calibrate(verdicts, labels, families)
    (whole,) = again
    (alone,) = calibrate(verdicts, labels, dict.fromkeys(families, "one"))
    assert whole.kappa_interval is not None
    assert alone.kappa_interval is None


def test_people_are_compared_with_each_other() -> None:
    """No judge can be held to more than they agree on."""
    assert one(60, 0.2).people.reason == "no unit was rated twice"
    agreed = one(60, 0.2, raters=2)
    assert agreed.people.value == 1.0
    assert agreed.alpha.value is not None
    assert agreed.alpha.value < 1


def test_rates_are_corrected_with_enough_labels_of_a_judge_that_knows_something() -> None:
    """Both ways, towards what people would say."""
    found = one(200, 0.3, unlabelled=400)
    assert found.refused is None
    assert found.corrected is not None
    assert found.powered is not None
    assert found.corrected.clipped == pytest.approx(1 / 3, abs=0.1)
    assert found.powered.estimate == pytest.approx(1 / 3, abs=0.1)


@pytest.mark.parametrize(
    ("count", "wrong", "reason"),
    [(60, 0.1, "labels of the rarer class; at least 30"), (300, 1.0, "no better than chance")],
)
def test_rates_are_refused_otherwise(count: int, wrong: float, reason: str) -> None:
    """Too few labels of a class, or a judge at chance."""
    found = next(
        found for seed in range(20) if (found := one(count, wrong, seed=seed, unlabelled=10)).refused is not None
    )
    assert found.refused is not None
    assert reason in found.refused
    assert (found.corrected, found.powered) == (None, None)


def test_labels_that_are_even_are_left_out_and_counted() -> None:
    """A tie of people is no label."""
    verdicts, labels, families = world(4, 0.0)
    opposite = {Status.PASS: Status.FAIL, Status.FAIL: Status.PASS}
    tie = labels[0].model_copy(update={"rater": "r9", "status": opposite[labels[0].status]})
    (found,) = calibrate(verdicts, [*labels, tie], families)
    assert (found.labelled, found.left_out) == (3, 1)
