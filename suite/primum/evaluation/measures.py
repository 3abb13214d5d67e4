"""Means of the measures with their intervals: overall, by kind of question and by family."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from primum.evaluation.ranked import RankedCase
from primum.metrics import CaseScores, Measure, aggregate_families
from primum.records.interval import Interval
from primum.records.retrieval_summary import MeasureGroup, MeasureResult
from primum.statistics.bootstrap import family_bootstrap
from primum.statistics.families import family_mean

MOST_RESAMPLED: Final = 1_000
"""With more families, t over families is as good as a bootstrap and takes no memory."""


def measure_results(
    cases: Iterable[RankedCase], measures: Sequence[Measure], *, seed: int
) -> tuple[MeasureResult, ...]:
    """The measures over the cases that have values; empty when none has."""
    scored = [case for case in cases if case.values]
    if not scored:
        return ()
    table = aggregate_families(
        CaseScores(family=case.family, variant=case.variant, kind=case.kind, values=case.values) for case in scored
    )
    return tuple(
        MeasureResult(
            measure=mean.measure,
            mean=mean.value,
            interval=_interval(scored, measure, seed),
            families=mean.families,
            cases=mean.rankings,
            undefined=mean.undefined,
            higher_is_better=measure.higher_is_better,
        )
        for measure, mean in zip(measures, table.overall, strict=True)
    )


def measure_groups(
    cases: Iterable[RankedCase], measures: Sequence[Measure], name: Callable[[RankedCase], str], *, seed: int
) -> tuple[MeasureGroup, ...]:
    """The measures of the cases of each name, in the order of the names."""
    groups: dict[str, list[RankedCase]] = defaultdict(list)
    for case in cases:
        groups[name(case)].append(case)
    return tuple(
        MeasureGroup(
            name=group,
            families=len({case.family for case in members}),
            cases=len(members),
            failed=sum(case.ranking is None for case in members),
            measures=measure_results(members, measures, seed=seed),
        )
        for group, members in sorted(groups.items())
    )


def _interval(scored: Sequence[RankedCase], measure: Measure, seed: int) -> Interval | None:
    outcomes: dict[str, list[list[float]]] = defaultdict(list)
    for case in scored:
        value = case.values[measure]
        if value is not None:
            outcomes[case.family].append([value])
    if len(outcomes) < 2:
        return None
    if len(outcomes) > MOST_RESAMPLED:
        return family_mean(outcomes).interval
    return family_bootstrap(family_mean(outcomes).by_family, seed=seed).interval
