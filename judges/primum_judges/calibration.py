"""A judge against the labels of people: how far they agree beyond chance, and what a rate is worth once corrected."""

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Final

from primum.records import Rate, Record, Status, Verdict
from primum.records.disagreement import Label
from primum.records.interval import Interval
from primum.statistics.agreement import Agreement, Table, rater_agreement
from primum.statistics.calibration import (
    Confusion,
    CorrectedRate,
    JudgeErrors,
    PredictionPowered,
    corrected_rate,
    judge_errors,
    prediction_powered_mean,
)
from primum.statistics.krippendorff import Alpha, Level, krippendorff_alpha
from primum_judges.panel import votes_of

LEAST_LABELS: Final = 30
"""Labels of each class without which no rate is corrected."""
RESAMPLES: Final = 1000
_VALUES: Final = {Status.PASS: 0.0, Status.FAIL: 1.0}


class Calibration(Record):
    """One judge by one rubric against people; positive means that the answer fails."""

    judge: str
    rubric: str
    labelled: int
    """Observations with a vote of the judge and a majority of people."""
    left_out: int
    """Labelled observations on which people are even, or the judge has no vote."""
    confusion: Confusion
    errors: JudgeErrors | None
    """None when nothing is labelled; so are the next two."""
    agreement: Agreement | None
    """Of pass and fail."""
    graded: Agreement | None
    """Of graded scores, by the grades that occur; None when people or judge gave no more than two."""
    alpha: Alpha
    """Of the judge and each person, by pass and fail."""
    people: Alpha
    """Of people with each other: no judge can be held to more."""
    kappa_interval: Interval | None
    """By families; None when there are fewer than two, or when it is mostly undefined."""
    ac1_interval: Interval | None
    raw: Rate
    """Observations that the judge fails, of all that it judged in the run."""
    corrected: CorrectedRate | None
    """By Rogan and Gladen; None when refused."""
    powered: PredictionPowered | None
    """Prediction-powered; None when refused."""
    refused: str | None
    """Why no rate was corrected."""


def calibrate(
    verdicts: Iterable[Verdict], labels: Iterable[Label], families: Mapping[str, str], *, seed: int = 0
) -> tuple[Calibration, ...]:
    """Each judge and rubric that people labelled, in the order of their names.

    Args:
        verdicts: Of one run; a judge's vote is the majority of its repetitions.
        labels: Of people; the majority of raters counts for one observation.
        families: The family of each observation; intervals are by families.
        seed: Of the resamples.
    """
    by_judge: dict[tuple[str, str], dict[str, list[Verdict]]] = defaultdict(lambda: defaultdict(list))
    for verdict in verdicts:
        by_judge[verdict.judge, verdict.rubric][verdict.observation_id].append(verdict)
    by_rubric: dict[str, dict[str, list[Label]]] = defaultdict(lambda: defaultdict(list))
    for label in labels:
        by_rubric[label.rubric][label.observation_id].append(label)
    return tuple(
        _calibration(judge, rubric, said, by_rubric[rubric], families, seed)
        for (judge, rubric), said in sorted(by_judge.items())
        if rubric in by_rubric
    )


def _calibration(
    judge: str,
    rubric: str,
    said: Mapping[str, Sequence[Verdict]],
    labels: Mapping[str, Sequence[Label]],
    families: Mapping[str, str],
    seed: int,
) -> Calibration:
    votes = {
        id_: _VALUES[vote.status] for id_, found in said.items() for vote in votes_of(found) if vote.status in _VALUES
    }
    people = {id_: majority for id_, found in labels.items() if (majority := _majority(found)) is not None}
    both = sorted(set(votes) & set(people))
    pairs = [(people[id_], votes[id_]) for id_ in both]
    confusion = _confusion(pairs)
    table = _table(pairs)
    by_family: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for id_, pair in zip(both, pairs, strict=True):
        by_family[families[id_]].append(pair)
    kappa_interval, ac1_interval = _intervals([_table(members) for members in by_family.values()], seed)
    errors = judge_errors(confusion) if both else None
    raw = Rate(numerator=sum(vote == 1 for vote in votes.values()), denominator=len(votes))
    refused = _refusal(confusion, errors)
    others = [vote for id_, vote in votes.items() if id_ not in people]
    ratings = [_by_rater(found) for found in labels.values()]
    raters = sorted({rater for unit in ratings for rater in unit})
    return Calibration(
        judge=judge,
        rubric=rubric,
        labelled=len(both),
        left_out=len(labels) - len(both),
        confusion=confusion,
        errors=errors,
        agreement=rater_agreement(table) if both else None,
        graded=_graded(said, labels),
        alpha=krippendorff_alpha(
            [[votes.get(id_), *(_by_rater(found).get(r) for r in raters)] for id_, found in labels.items()],
            Level.NOMINAL,
        ),
        people=krippendorff_alpha([[unit.get(rater) for rater in raters] for unit in ratings], Level.NOMINAL),
        kappa_interval=kappa_interval,
        ac1_interval=ac1_interval,
        raw=raw,
        corrected=None if refused else corrected_rate(confusion, raw),
        powered=None
        if refused or not others
        else prediction_powered_mean([p for p, _ in pairs], [v for _, v in pairs], others),
        refused=refused,
    )


def _refusal(confusion: Confusion, errors: JudgeErrors | None) -> str | None:
    fewest = min(confusion.positives, confusion.negatives)
    if fewest < LEAST_LABELS:
        return f"{fewest} labels of the rarer class; at least {LEAST_LABELS} of each are needed"
    if errors is None or errors.balanced_accuracy is None or errors.balanced_accuracy <= 0.5:
        return "the judge is no better than chance, so its rate says nothing"
    return None


def _majority(labels: Sequence[Label]) -> float | None:
    failing = sum(label.status is Status.FAIL for label in labels)
    return None if 2 * failing == len(labels) else float(2 * failing > len(labels))


def _by_rater(labels: Sequence[Label]) -> dict[str, float]:
    return {label.rater: _VALUES[label.status] for label in labels}


def _confusion(pairs: Sequence[tuple[float, float]]) -> Confusion:
    counts = Counter(pairs)
    return Confusion(
        true_positive=counts[1.0, 1.0],
        false_negative=counts[1.0, 0.0],
        false_positive=counts[0.0, 1.0],
        true_negative=counts[0.0, 0.0],
    )


def _table(pairs: Sequence[tuple[float, float]], grades: Sequence[float] = (0.0, 1.0)) -> Table:
    """People in rows, the judge in columns."""
    counts = Counter(pairs)
    return [[counts[row, column] for column in grades] for row in grades]


def _graded(said: Mapping[str, Sequence[Verdict]], labels: Mapping[str, Sequence[Label]]) -> Agreement | None:
    """Agreement on grades: each side's mean, at the nearest of the grades that occur."""
    judged = {id_: [v.score for v in found if v.score is not None] for id_, found in said.items()}
    rated = {id_: [label.score for label in found if label.score is not None] for id_, found in labels.items()}
    both = [id_ for id_ in rated if rated[id_] and judged.get(id_)]
    grades = sorted({grade for id_ in both for grade in (*rated[id_], *judged[id_])})
    if len(grades) < 3:
        return None

    def nearest(values: Sequence[float]) -> float:
        return min(grades, key=lambda grade: abs(grade - fmean(values)))

    return rater_agreement(_table([(nearest(rated[id_]), nearest(judged[id_])) for id_ in both], grades))


def _intervals(families: Sequence[Table], seed: int) -> tuple[Interval | None, Interval | None]:
    """Percentile intervals of kappa and AC1 over resamples of whole families, each given by its table."""
    if len(families) < 2:
        return None, None
    draw = random.Random(seed)  # noqa: S311 - resamples, not secrets
    resampled = [rater_agreement(_sum(draw.choices(families, k=len(families)))) for _ in range(RESAMPLES)]
    return _percentiles([one.kappa.value for one in resampled]), _percentiles([one.ac1.value for one in resampled])


def _sum(tables: Sequence[Table]) -> Table:
    return [[sum(table[row][column] for table in tables) for column in (0, 1)] for row in (0, 1)]


def _percentiles(values: Sequence[float | None]) -> Interval | None:
    """The middle 95%; None when most resamples leave the coefficient undefined."""
    known = sorted(value for value in values if value is not None)
    if 2 * len(known) < len(values):
        return None
    low, high = known[int(0.025 * len(known))], known[min(int(0.975 * len(known)), len(known) - 1)]
    return Interval(low=low, high=high, confidence=0.95, method="family bootstrap, percentiles")
