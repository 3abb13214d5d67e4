"""Means over cases: variants and repetitions inside a family first, then families equally."""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from primum.errors import RankingError
from primum.metrics.measure import Measure
from primum.records.base import Record


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseScores:
    """The measures of one ranking, with the place of its case."""

    family: str
    variant: str
    kind: str
    repetition: int = 0
    values: Mapping[Measure, float | None]


class MeasureMean(Record):
    """A mean that says what it rests on."""

    measure: str
    """Full definition, such as ``nDCG(gain=exp)@5``."""
    value: float | None
    """None when no family has a value."""
    families: int
    """Families that have a value; each counts once, or by its explicit weight."""
    rankings: int
    """Rankings that have a value."""
    undefined: int
    """Rankings for which the measure is undefined; they are in no mean."""


class MeasureTable(Record):
    """Means overall, by family and by kind of question; measures in the order asked for."""

    overall: tuple[MeasureMean, ...]
    by_family: Mapping[str, tuple[MeasureMean, ...]]
    by_kind: Mapping[str, tuple[MeasureMean, ...]]


def aggregate_families(scores: Iterable[CaseScores], *, weights: Mapping[str, float] | None = None) -> MeasureTable:
    """Averages repetitions inside a variant, variants inside a family, and then families.

    Args:
        scores: One entry for each scored ranking; all with the same measures.
        weights: Weight of each family, above 0; families weigh the same when it is None.

    Raises:
        RankingError: ``empty_dataset``, ``mixed_measures``, ``repeated_case`` (a ranking counted twice) or
            ``bad_weight``.
    """
    entries = sorted(scores, key=lambda entry: (entry.family, entry.variant, entry.repetition))
    if not entries:
        raise RankingError("there is no ranking to average; a mean over nothing is not a result", code="empty_dataset")
    measures = tuple(entries[0].values)
    _require_comparable(entries, measures)
    _require_weights({entry.family for entry in entries}, weights)
    return MeasureTable(
        overall=_means(entries, measures, weights),
        by_family={name: _means(part, measures, weights) for name, part in _grouped(entries, by_kind=False).items()},
        by_kind={name: _means(part, measures, weights) for name, part in _grouped(entries, by_kind=True).items()},
    )


def _grouped(entries: Iterable[CaseScores], *, by_kind: bool) -> dict[str, list[CaseScores]]:
    groups: defaultdict[str, list[CaseScores]] = defaultdict(list)
    for entry in entries:
        groups[entry.kind if by_kind else entry.family].append(entry)
    return dict(sorted(groups.items()))


def _means(
    entries: Sequence[CaseScores], measures: Sequence[Measure], weights: Mapping[str, float] | None
) -> tuple[MeasureMean, ...]:
    return tuple(_mean(entries, measure, weights) for measure in measures)


def _mean(entries: Sequence[CaseScores], measure: Measure, weights: Mapping[str, float] | None) -> MeasureMean:
    families: defaultdict[str, defaultdict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    defined = 0
    for entry in entries:
        value = entry.values[measure]
        if value is not None:
            families[entry.family][entry.variant].append(value)
            defined += 1
    means = {
        family: _average([_average(values) for values in variants.values()]) for family, variants in families.items()
    }
    if not means:
        value = None
    elif weights is None:
        value = _average(list(means.values()))
    else:
        total = math.fsum(weights[family] for family in means)
        value = math.fsum(weights[family] * mean for family, mean in means.items()) / total
    return MeasureMean(
        measure=str(measure),
        value=value,
        families=len(means),
        rankings=defined,
        undefined=len(entries) - defined,
    )


def _average(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _require_comparable(entries: Sequence[CaseScores], measures: Sequence[Measure]) -> None:
    seen: set[tuple[str, str, int]] = set()
    for entry in entries:
        place = (entry.family, entry.variant, entry.repetition)
        if set(entry.values) != set(measures):
            raise RankingError(
                f"{entry.family}/{entry.variant} was scored with other measures than the first ranking; "
                "score every ranking with the same ones",
                code="mixed_measures",
            )
        if place in seen:
            raise RankingError(
                f"repetition {entry.repetition} of {entry.family}/{entry.variant} is given twice", code="repeated_case"
            )
        seen.add(place)


def _require_weights(families: set[str], weights: Mapping[str, float] | None) -> None:
    if weights is None:
        return
    for family in sorted(families):
        weight = weights.get(family, math.nan)
        if not (math.isfinite(weight) and weight > 0):
            raise RankingError(
                f"family {family!r} has no weight above 0; give every family one, or none of them", code="bad_weight"
            )
