"""The accepted state of a retriever: made from an evaluation, and compared with another, case by case."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from statistics import fmean

from primum.errors import UsageError
from primum.metrics import DEFAULT_TOLERANCE, Judged, Measure, parse_measure, within_tolerance
from primum.records.retrieval_baseline import (
    BaselineCase,
    BaselineComparison,
    FamilyRegression,
    MeasureChange,
    RetrievalBaseline,
)
from primum.records.retrieval_summary import CaseResult, RetrievalSummary

_Pair = tuple[BaselineCase, CaseResult]
_Values = tuple[float, float]


def baseline_of(summary: RetrievalSummary) -> RetrievalBaseline:
    """What later evaluations are compared with.

    Raises:
        UsageError: a case has no ranking; what was not measured cannot be accepted.
    """
    failed = [case.case_id for case in summary.cases if case.failure is not None]
    if failed:
        raise UsageError(f"{len(failed)} cases have no ranking, first {failed[0]}; a baseline needs all of them")
    return RetrievalBaseline(
        basis=summary.basis,
        measures=tuple(result.measure for result in summary.overall),
        cases={
            case.case_id: BaselineCase(
                family=case.family,
                variant=case.variant,
                kind=case.kind,
                case_digest=case.case_digest,
                values=case.values,
            )
            for case in summary.cases
        },
    )


def compare_with_baseline(
    baseline: RetrievalBaseline,
    summary: RetrievalSummary,
    *,
    tolerance: Decimal = DEFAULT_TOLERANCE,
    tolerances: Mapping[str, Decimal] | None = None,
) -> BaselineComparison:
    """Compares the cases that both hold unchanged; the others are listed.

    A paired case whose retrieval failed now counts as the worst in every measure. judged@k is left out: it says how far
    labels reach, not how good a ranking is.

    Args:
        baseline: What was accepted.
        summary: What is to be decided.
        tolerance: How much worse each mean may be, in decimals.
        tolerances: Of single measures, instead.
    """
    now = {case.case_id: case for case in summary.cases}
    shared = sorted(baseline.cases.keys() & now.keys())
    changed = tuple(id_ for id_ in shared if baseline.cases[id_].case_digest != now[id_].case_digest)
    pairs = [(baseline.cases[id_], now[id_]) for id_ in shared if id_ not in set(changed)]
    then, today = baseline.basis.content(), summary.basis.content()
    allowed = {name: (tolerances or {}).get(name, tolerance) for name in baseline.measures}
    measures = [measure for name in baseline.measures if not isinstance(measure := parse_measure(name), Judged)]
    return BaselineComparison(
        basis=baseline.basis,
        differs=tuple(name for name in then if then[name] != today[name]),
        paired=len(pairs),
        added=tuple(sorted(now.keys() - baseline.cases.keys())),
        removed=tuple(sorted(baseline.cases.keys() - now.keys())),
        changed=changed,
        failed=tuple(new.case_id for _, new in pairs if new.failure is not None),
        measures=tuple(_change(measure, pairs, allowed[str(measure)]) for measure in measures),
        families=_regressions(measures, pairs, allowed),
    )


def _change(measure: Measure, pairs: Sequence[_Pair], tolerance: Decimal) -> MeasureChange:
    families = list(_families(measure, pairs).values())
    before, after = (fmean(side) if side else None for side in (_sides(families, 0), _sides(families, 1)))
    # A measure that the baseline has and that has no value now was not measured: that never holds.
    gone = any(_before(old, measure) is not None and _after(new, measure) is None for old, new in pairs)
    return MeasureChange(
        measure=str(measure),
        before=before,
        after=None if gone else after,
        tolerance=str(tolerance),
        families=len(families),
        holds=not gone and (_holds(measure, before, after, tolerance) or not _expected(measure, pairs)),
    )


def _expected(measure: Measure, pairs: Sequence[_Pair]) -> bool:
    """Whether any case of the baseline has a value."""
    return any(_before(old, measure) is not None for old, _ in pairs)


def _regressions(
    measures: Sequence[Measure], pairs: Sequence[_Pair], allowed: Mapping[str, Decimal]
) -> tuple[FamilyRegression, ...]:
    kinds = {old.family: old.kind for old, _ in pairs}
    fallen = [
        FamilyRegression(family=family, kind=kinds[family], measure=str(measure), before=before, after=after)
        for measure in measures
        for family, (before, after) in _families(measure, pairs).items()
        if not _holds(measure, before, after, allowed[str(measure)])
    ]
    return tuple(sorted(fallen, key=lambda fall: (-abs(fall.after - fall.before), fall.family, fall.measure)))


def _families(measure: Measure, pairs: Sequence[_Pair]) -> dict[str, _Values]:
    """Mean before and after of each family, over the cases that have the measure on both sides."""
    members: dict[str, list[_Values]] = defaultdict(list)
    for family, values in _measured(measure, pairs):
        members[family].append(values)
    return {family: (fmean(_sides(own, 0)), fmean(_sides(own, 1))) for family, own in sorted(members.items())}


def _measured(measure: Measure, pairs: Sequence[_Pair]) -> Iterator[tuple[str, _Values]]:
    for old, new in pairs:
        before, after = _before(old, measure), _after(new, measure)
        if before is not None and after is not None:
            yield old.family, (before, after)


def _before(old: BaselineCase, measure: Measure) -> float | None:
    return old.values.get(str(measure))


def _after(new: CaseResult, measure: Measure) -> float | None:
    if new.failure is not None:
        return 0.0 if measure.higher_is_better else 1.0
    return new.values.get(str(measure))


def _sides(values: Sequence[_Values], side: int) -> list[float]:
    return [value[side] for value in values]


def _holds(measure: Measure, before: float | None, after: float | None, tolerance: Decimal) -> bool:
    if measure.higher_is_better:
        return within_tolerance(after, before, tolerance)
    return within_tolerance(before, after, tolerance)
