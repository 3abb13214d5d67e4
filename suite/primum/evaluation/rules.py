"""Whether a retriever may pass. BLOCK outranks INCONCLUSIVE, which outranks PASS."""

from collections.abc import Iterator, Mapping, Sequence

from primum.records import Decision, DecisionKind, FailureKind, Rate, Reason
from primum.records.retrieval_baseline import BaselineComparison
from primum.records.retrieval_summary import Forbidden, MeasureResult

REGRESSION = "retrieval:baseline"
"""The rule of measures that fell against the baseline: the one that an update of the baseline may accept."""
INCOMPARABLE = "retrieval:comparison"
"""The rule of a comparison that does not cover all cases; a new baseline is the answer to it."""
_NAMED = 3
_RANK = {DecisionKind.PASS: 0, DecisionKind.INCONCLUSIVE: 1, DecisionKind.BLOCK: 2}


def decide_retrieval(
    *,
    forbidden: Forbidden,
    failures: Mapping[FailureKind, int],
    retrieved: Rate,
    overall: Sequence[MeasureResult],
    retrieved_minimum: float,
    minimums: Mapping[str, float],
    comparison: BaselineComparison | None,
) -> Decision:
    """The decision, with every reason against it.

    Args:
        forbidden: What was shown that must not be; one slot blocks.
        failures: Cases without a ranking, by why.
        retrieved: Cases with a ranking, of all.
        overall: The measures.
        retrieved_minimum: Share of the cases that must have a ranking.
        minimums: Lowest acceptable mean by measure.
        comparison: With the accepted baseline, when there is one.
    """
    reasons = [
        *_hard(forbidden, failures),
        *_complete(retrieved, overall, retrieved_minimum),
        *_minimums(overall, minimums),
        *(_compared(comparison) if comparison else ()),
    ]
    reasons.sort(key=lambda reason: -_RANK[reason.kind])
    kind = reasons[0].kind if reasons else DecisionKind.PASS
    against = "no baseline to compare with" if comparison is None else f"{comparison.paired} cases as in the baseline"
    seen = forbidden.slots.denominator
    fine = f"nothing forbidden in {seen} results of {retrieved} cases" if seen else f"{retrieved} cases with a ranking"
    why = "; ".join(reason.message for reason in reasons if reason.kind is kind) or f"{fine}; {against}"
    return Decision(system="retrieval", kind=kind, headline=f"{kind} retrieval: {why}", reasons=tuple(reasons))


def _hard(forbidden: Forbidden, failures: Mapping[FailureKind, int]) -> Iterator[Reason]:
    if forbidden.slots.numerator:
        first = forbidden.found[0]
        why = ", ".join(f"{kind.value.replace('_', ' ')} {count}" for kind, count in forbidden.kinds.items())
        cases = tuple(dict.fromkeys(slot.case_id for slot in forbidden.found))
        yield Reason(
            kind=DecisionKind.BLOCK,
            rule="retrieval:forbidden",
            message=(
                f"forbidden chunks in {forbidden.slots} results of {forbidden.cases} cases ({why}), "
                f"first {first.case_id} at rank {first.rank}"
            ),
            observations=cases,
        )
    leaks = failures.get(FailureKind.SCOPE_LEAK, 0)
    if leaks:
        message = f"the search returned what its filter forbids, or a point that was changed, in {leaks} cases"
        yield Reason(kind=DecisionKind.BLOCK, rule="retrieval:scope", message=message)


def _complete(retrieved: Rate, overall: Sequence[MeasureResult], minimum: float) -> Iterator[Reason]:
    if not retrieved.numerator or retrieved.value is None or retrieved.value < minimum:
        message = f"only {retrieved} cases have a ranking, {minimum:.0%} are needed"
        yield Reason(kind=DecisionKind.INCONCLUSIVE, rule="retrieval:retrieved", message=message)
    elif not any(result.mean is not None for result in overall):
        message = "no case has relevant evidence, so nothing was measured; label some"
        yield Reason(kind=DecisionKind.INCONCLUSIVE, rule="retrieval:measured", message=message)


def _minimums(overall: Sequence[MeasureResult], minimums: Mapping[str, float]) -> Iterator[Reason]:
    means = {result.measure: result.mean for result in overall}
    for name, minimum in sorted(minimums.items()):
        mean = means.get(name)
        if mean is None:
            message = f"{name} has no value, and policy needs {minimum:g}"
            yield Reason(kind=DecisionKind.INCONCLUSIVE, rule="retrieval:minimum", message=message)
        elif mean < minimum:
            message = f"mean {name} is {mean:.3f}; policy needs {minimum:g}"
            yield Reason(kind=DecisionKind.BLOCK, rule="retrieval:minimum", message=message)


def _compared(comparison: BaselineComparison) -> Iterator[Reason]:
    apart = {"missing now": comparison.removed, "changed": comparison.changed}
    if counted := [f"{len(ids)} {what} ({_some(ids)})" for what, ids in apart.items() if ids]:
        message = (
            f"cases of the baseline cannot be compared: {', '.join(counted)}; put them back, "
            "or accept a new baseline: primum baseline update --retrieval"
        )
        yield Reason(kind=DecisionKind.INCONCLUSIVE, rule=INCOMPARABLE, message=message)
    fallen = [change for change in comparison.measures if not change.holds]
    if fallen:
        named = ", ".join(f"{c.measure} {_value(c.before)} to {_value(c.after)}" for c in fallen[:_NAMED])
        more = f" and {len(fallen) - _NAMED} more" if len(fallen) > _NAMED else ""
        message = f"worse than the baseline by more than {fallen[0].tolerance}: {named}{more}"
        yield Reason(kind=DecisionKind.BLOCK, rule=REGRESSION, message=message)


def _value(value: float | None) -> str:
    return "no value" if value is None else f"{value:.3f}"


def _some(ids: Sequence[str]) -> str:
    return ", ".join(ids[:_NAMED]) + (", ..." if len(ids) > _NAMED else "")
