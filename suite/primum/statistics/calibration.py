"""How far a judge can be trusted: its errors against people, and rates corrected for them.

Positive means that the judge, or the person, says that the answer fails the rubric.
"""

import math
from collections.abc import Sequence
from fractions import Fraction

from primum.errors import UsageError
from primum.records.base import Rate, Record
from primum.records.interval import Interval
from primum.statistics.distributions import two_sided_z
from primum.statistics.families import mean_of, variance_of
from primum.statistics.proportions import Proportion, proportion


class Confusion(Record):
    """A judge against people."""

    true_positive: int
    false_negative: int
    false_positive: int
    true_negative: int

    @property
    def positives(self) -> int:
        """Answers that people say fail."""
        return self.true_positive + self.false_negative

    @property
    def negatives(self) -> int:
        """Answers that people say pass."""
        return self.false_positive + self.true_negative


class JudgeErrors(Record):
    """What a judge misses and what it cries wolf about."""

    sensitivity: Proportion
    specificity: Proportion
    accuracy: Rate
    balanced_accuracy: float | None
    """Mean of sensitivity and specificity; None when people called no answer good, or none bad."""


class CorrectedRate(Record):
    """The true share of positives behind a judge's share, by Rogan and Gladen 1978."""

    raw: Rate
    estimate: float | None
    """May leave [0, 1] by chance."""
    clipped: float | None
    """`estimate`, held within [0, 1]."""
    standard_error: float | None
    """Delta method, with the errors of sensitivity and specificity."""
    reason: str | None = None
    """Why there is no estimate."""


class PredictionPowered(Record):
    """A mean over many judged and few human labels (Angelopoulos et al. 2023, lambda = 1)."""

    estimate: float
    standard_error: float
    interval: Interval
    human_mean: float
    human_error: float
    judge_mean: float
    """Over the answers that only the judge saw."""


def judge_errors(confusion: Confusion, *, confidence: float = 0.95) -> JudgeErrors:
    """Sensitivity, specificity and accuracy with their intervals.

    Raises:
        UsageError: When a count is negative.
    """
    cells = (confusion.true_positive, confusion.false_negative, confusion.false_positive, confusion.true_negative)
    if min(cells) < 0:
        raise UsageError("a confusion matrix holds counts from 0 up")
    sensitivity = proportion(confusion.true_positive, confusion.positives, confidence=confidence)
    specificity = proportion(confusion.true_negative, confusion.negatives, confidence=confidence)
    balanced = None
    if sensitivity.estimate is not None and specificity.estimate is not None:
        balanced = (sensitivity.estimate + specificity.estimate) / 2
    return JudgeErrors(
        sensitivity=sensitivity,
        specificity=specificity,
        accuracy=Rate(numerator=confusion.true_positive + confusion.true_negative, denominator=sum(cells)),
        balanced_accuracy=balanced,
    )


def corrected_rate(confusion: Confusion, raw: Rate) -> CorrectedRate:
    """Corrects the judge's share of positives for the errors that it makes.

    Args:
        confusion: The judge against people, on answers that both saw.
        raw: Positives among all answers that the judge saw.
    """
    share = raw.value
    errors = judge_errors(confusion)
    sensitivity, specificity = errors.sensitivity.estimate, errors.specificity.estimate
    if share is None or sensitivity is None or specificity is None:
        return _uncorrected(raw, "the judge saw nothing, or people called no answer good, or none bad")
    informed = sensitivity + specificity - 1
    if informed <= 0:
        return _uncorrected(raw, "the judge is no better than chance, so its rate says nothing")
    estimate = (share + specificity - 1) / informed
    variance = (
        share * (1 - share) / raw.denominator
        + estimate**2 * sensitivity * (1 - sensitivity) / confusion.positives
        + (1 - estimate) ** 2 * specificity * (1 - specificity) / confusion.negatives
    )
    return CorrectedRate(
        raw=raw,
        estimate=estimate,
        clipped=min(max(estimate, 0.0), 1.0),
        standard_error=math.sqrt(variance) / informed,
    )


def brier_score(probabilities: Sequence[float], labels: Sequence[int]) -> float:
    """Mean squared distance between what was said and what was true: 0 at best, 1 at worst.

    Raises:
        UsageError: When there is nothing to score, the lengths differ or a probability lies outside [0, 1].
    """
    _require_probabilities(probabilities, labels)
    return mean_of([(probability - label) ** 2 for probability, label in zip(probabilities, labels, strict=True)])


def expected_calibration_error(probabilities: Sequence[float], labels: Sequence[int], *, bins: int = 10) -> float:
    """Mean gap between confidence and truth over `bins` equal bins ``[0, 0.1), ..., [0.9, 1]``, weighted by size.

    Raises:
        UsageError: As `brier_score`, or when there is no bin.
    """
    _require_probabilities(probabilities, labels)
    if bins < 1:
        raise UsageError(f"{bins} bins hold nothing")
    members: dict[int, list[tuple[float, int]]] = {}
    for probability, label in zip(probabilities, labels, strict=True):
        # In decimals: 0.3 belongs to the bin that starts at 0.3, whatever its binary neighbour is.
        place = min(int(Fraction(repr(float(probability))) * bins), bins - 1)
        members.setdefault(place, []).append((probability, label))
    gaps = [abs(math.fsum(probability - label for probability, label in pairs)) for pairs in members.values()]
    return math.fsum(gaps) / len(labels)


def prediction_powered_mean(
    labelled_human: Sequence[float],
    labelled_judge: Sequence[float],
    unlabelled_judge: Sequence[float],
    *,
    confidence: float = 0.95,
) -> PredictionPowered:
    """The judge's mean where nobody looked, moved by what people found where they did. Variances divide by n.

    Args:
        labelled_human: People's labels of some answers.
        labelled_judge: The judge's labels of the same answers, in the same order.
        unlabelled_judge: The judge's labels of the answers that people did not see.
        confidence: Two-sided coverage.

    Raises:
        UsageError: When either part is empty or the lengths differ.
    """
    if not labelled_human or not unlabelled_judge or len(labelled_human) != len(labelled_judge):
        raise UsageError("it needs as many human as judge labels of the same answers, and judge labels of others")
    z = two_sided_z(confidence)
    moved = [human - judge for human, judge in zip(labelled_human, labelled_judge, strict=True)]
    estimate = mean_of(unlabelled_judge) + mean_of(moved)
    error = math.hypot(_population_error(unlabelled_judge), _population_error(moved))
    return PredictionPowered(
        estimate=estimate,
        standard_error=error,
        interval=Interval.around(estimate, z * error, confidence=confidence, method="prediction-powered"),
        human_mean=mean_of(labelled_human),
        human_error=_population_error(labelled_human),
        judge_mean=mean_of(unlabelled_judge),
    )


def _population_error(values: Sequence[float]) -> float:
    return math.sqrt((variance_of(values, lost_degrees=0) or 0.0) / len(values))


def _uncorrected(raw: Rate, reason: str) -> CorrectedRate:
    return CorrectedRate(raw=raw, estimate=None, clipped=None, standard_error=None, reason=reason)


def _require_probabilities(probabilities: Sequence[float], labels: Sequence[int]) -> None:
    if not labels or len(probabilities) != len(labels):
        raise UsageError(
            f"{len(probabilities)} probabilities for {len(labels)} labels; there is one for each, from 1 up"
        )
    if not all(0 <= probability <= 1 for probability in probabilities) or not set(labels) <= {0, 1}:
        raise UsageError("probabilities lie from 0 to 1, and labels are 0 or 1")
