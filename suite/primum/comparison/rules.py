"""What a comparison with the last accepted run means for a release."""

from collections.abc import Iterator, Sequence

from primum.policy import ComparisonRules
from primum.records import DecisionKind, Reason
from primum.records.comparison import Comparison, Difference, FamilyChange, FlipKind, NonInferiority

_FINDING = {NonInferiority.REGRESSED: DecisionKind.BLOCK, NonInferiority.INCONCLUSIVE: DecisionKind.INCONCLUSIVE}


def comparison_reasons(comparison: Comparison, rules: ComparisonRules) -> Iterator[Reason]:
    """Every reason against a release: falls of consequential families first, then the paired differences."""
    yield from _families(comparison, rules)
    yield from _unmeasured(comparison)
    named = {difference.measure for difference in comparison.differences}
    for measure in sorted(set(rules.margins) - named):
        message = f"{measure} has a margin, but no case has a value in both runs"
        yield Reason(kind=DecisionKind.INCONCLUSIVE, rule=f"compared:{measure}", message=message)
    for difference in comparison.differences:
        kind = _FINDING.get(difference.finding) if difference.finding else None
        if kind is not None:
            yield Reason(
                kind=kind,
                rule=f"compared:{difference.measure}",
                message=_say(difference, comparison),
            )


def _families(comparison: Comparison, rules: ComparisonRules) -> Iterator[Reason]:
    fallen = [
        change
        for change in comparison.families
        if change.consequence in rules.consequential and _fall(change) > rules.family_fall
    ]
    if fallen:
        worst = fallen[0]
        message = (
            f"{len(fallen)} {'family' if len(fallen) == 1 else 'families'} of consequence got worse than in "
            f"{comparison.base_run}: {worst.family} from {worst.before} to {worst.after} acceptable"
            f"{_and_more(fallen[1:])}"
        )
        yield Reason(kind=DecisionKind.BLOCK, rule="compared:consequential", message=message)


def _unmeasured(comparison: Comparison) -> Iterator[Reason]:
    lost = [flip.case_id for flip in comparison.flips if flip.kind is FlipKind.UNMEASURED]
    if lost:
        message = f"{len(lost)} cases were acceptable and are not measured now, first {lost[0]}"
        yield Reason(kind=DecisionKind.INCONCLUSIVE, rule="compared:unmeasured", message=message)


def _fall(change: FamilyChange) -> float:
    before, after = change.before.value, change.after.value
    return 0.0 if before is None or after is None else before - after


def _and_more(others: Sequence[FamilyChange]) -> str:
    return f", then {', '.join(change.family for change in others[:3])}" if others else ""


def _say(difference: Difference, comparison: Comparison) -> str:
    interval = f" {difference.interval}" if difference.interval else ""
    shown = (
        f"{difference.measure} went from {difference.before:.3f} to {difference.after:.3f} over "
        f"{difference.families} families (difference {difference.difference:+.3f}{interval})"
    )
    if difference.finding is NonInferiority.REGRESSED:
        return f"{shown}: worse than {comparison.base_run} by more than the margin of {difference.margin:g}"
    return f"{shown}: not shown to stay within the margin of {difference.margin:g} of {comparison.base_run}"
