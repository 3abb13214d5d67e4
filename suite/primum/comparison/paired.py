"""Two runs, case by case and family by family. What is unmeasured counts against the candidate and for the base."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean, stdev

from primum.errors import UsageError
from primum.records import Consequence, Rate, Role
from primum.records.comparison import (
    CaseOutcome,
    Comparison,
    Difference,
    FamilyChange,
    Flip,
    FlipKind,
    SystemOutcomes,
)
from primum.records.standing import Standing
from primum.statistics import detectable_difference, holm, paired_family_difference, paired_flips
from primum.statistics.families import FEW_FAMILIES
from primum.statistics.paired import PairedOutcome

ACCEPTABLE = "acceptable"
"""The measure that always gates: the share of acceptable answers."""

_URGENCY = {Consequence.CRITICAL: 0, Consequence.SERIOUS: 1, Consequence.ROUTINE: 2}

Pair = tuple[CaseOutcome, CaseOutcome]


def compare(
    base: SystemOutcomes,
    candidate: SystemOutcomes,
    *,
    role: Role = Role.ACCEPTANCE,
    margins: Mapping[str, float],
    intersection: bool = False,
) -> Comparison:
    """Compares `candidate` with `base` on the cases of one role.

    Args:
        base: The last accepted run.
        candidate: The run that is to be decided.
        role: Whose cases; a decision rests on acceptance cases, which nothing was tuned on.
        margins: How far each measure may fall, in [0, 1]; the measures that are named gate. `acceptable` must be.
        intersection: Whether to compare only what both hold unchanged, instead of refusing runs that differ.

    Raises:
        UsageError: The runs rest on another dataset, corpus or policy, or share no case.
    """
    if ACCEPTABLE not in margins:
        raise UsageError(f"a comparison needs a margin for {ACCEPTABLE!r}")
    before = {case.case_id: case for case in base.cases if case.role is role}
    after = {case.case_id: case for case in candidate.cases if case.role is role}
    changed = tuple(sorted(id_ for id_ in before.keys() & after.keys() if _changed(before[id_], after[id_])))
    added, removed = (tuple(sorted(ids)) for ids in (after.keys() - before.keys(), before.keys() - after.keys()))
    if not intersection:
        _refuse_other_basis(base, candidate, [*added, *removed, *changed])
    shared = sorted((before.keys() & after.keys()) - set(changed))
    if not shared:
        raise UsageError(
            f"run {candidate.run} shares no {role} case with {base.run}; accept a run of the same cases as the baseline"
        )
    pairs = [(before[id_], after[id_]) for id_ in shared]
    paired = paired_flips(
        PairedOutcome(
            case_id=old.case_id,
            family=old.family,
            base=_held(old.worst),
            candidate=new.worst.acceptable,
        )
        for old, new in pairs
    )
    differences = _adjusted([difference for name in _measures(pairs) if (difference := _differ(name, pairs, margins))])
    return Comparison(
        base_run=base.run,
        base_system=base.system,
        role=role,
        pairs=len(pairs),
        added=added,
        removed=removed,
        changed=changed,
        flips=_flips(pairs),
        two_sided_p=paired.two_sided_p,
        families=_families(pairs),
        differences=differences,
        few_families=len({old.family for old, _ in pairs}) < FEW_FAMILIES,
    )


def _held(standing: Standing) -> bool:
    """Whether a case of the base counts as acceptable; one that was not measured might have been."""
    return standing.acceptable or standing is Standing.UNMEASURED


def _changed(old: CaseOutcome, new: CaseOutcome) -> bool:
    return old.case_digest != new.case_digest


def _refuse_other_basis(base: SystemOutcomes, candidate: SystemOutcomes, apart: Sequence[str]) -> None:
    then, now = base.basis.content(), candidate.basis.content()
    differing = [name for name in then if then[name] != now[name]]
    if differing or apart:
        cases = f" ({len(apart)} cases, first {apart[0]})" if apart else ""
        raise UsageError(
            f"run {candidate.run} and baseline {base.run} rest on another {' and '.join(differing) or 'set of cases'}"
            f"{cases}; accept a new baseline, or compare what both hold with --intersection"
        )


def _flips(pairs: Iterable[Pair]) -> tuple[Flip, ...]:
    flips = [
        Flip(
            case_id=old.case_id,
            family=old.family,
            consequence=new.consequence,
            kind=kind,
            before=old.worst,
            after=new.worst,
        )
        for old, new in pairs
        if (kind := _kind(old.worst, new.worst)) is not None
    ]
    order = list(FlipKind)
    return tuple(sorted(flips, key=lambda flip: (order.index(flip.kind), _URGENCY[flip.consequence], flip.case_id)))


def _kind(before: Standing, after: Standing) -> FlipKind | None:
    if before.acceptable == after.acceptable:
        return None
    if after.acceptable:
        return FlipKind.BETTER
    return FlipKind.UNMEASURED if after is Standing.UNMEASURED else FlipKind.WORSE


def _families(pairs: Iterable[Pair]) -> tuple[FamilyChange, ...]:
    members: dict[str, list[Pair]] = defaultdict(list)
    for old, new in pairs:
        members[old.family].append((old, new))
    changes = [
        FamilyChange(
            family=family,
            consequence=min((new.consequence for _, new in own), key=_URGENCY.__getitem__),
            before=_rate(old for old, _ in own),
            after=_rate(new for _, new in own),
        )
        for family, own in members.items()
    ]
    moved = [change for change in changes if _share(change.before) != _share(change.after)]
    return tuple(sorted(moved, key=lambda c: (_share(c.after) - _share(c.before), _URGENCY[c.consequence], c.family)))


def _rate(cases: Iterable[CaseOutcome]) -> Rate:
    standings = [standing for case in cases for standing in case.standings]
    return Rate(numerator=sum(standing.acceptable for standing in standings), denominator=len(standings))


def _share(rate: Rate) -> float:
    return rate.numerator / rate.denominator


def _measures(pairs: Iterable[Pair]) -> list[str]:
    """Every measure that both sides have on some case; `acceptable` first."""
    shared = {name for old, new in pairs for name in old.scores.keys() & new.scores.keys()}
    return [ACCEPTABLE, *sorted(shared)]


def _differ(name: str, pairs: Iterable[Pair], margins: Mapping[str, float]) -> Difference | None:
    """One measure over the cases on which both sides have it."""
    if name == ACCEPTABLE:
        measured = [(old, new) for old, new in pairs]
        before = _outcomes((old for old, _ in measured), lambda case: [float(_held(s)) for s in case.standings])
        after = _outcomes((new for _, new in measured), lambda case: [float(s.acceptable) for s in case.standings])
    else:
        measured = [(old, new) for old, new in pairs if name in old.scores and name in new.scores]
        before = _outcomes((old for old, _ in measured), lambda case: [case.scores[name]])
        after = _outcomes((new for _, new in measured), lambda case: [case.scores[name]])
    if not measured:
        return None
    margin = margins.get(name)
    found = paired_family_difference(before, after, margin=margin or 0.0)
    shifts = list(found.differences.values())
    spread = stdev(shifts) if len(shifts) > 1 else 0.0
    return Difference(
        measure=name,
        families=found.families,
        before=fmean(_means(before)),
        after=fmean(_means(after)),
        interval=found.interval,
        margin=margin,
        finding=found.decision if margin is not None else None,
        p_worse=found.worse_p,
        detectable=detectable_difference(len(shifts), spread) if spread else None,
    )


def _outcomes(
    cases: Iterable[CaseOutcome], values: Callable[[CaseOutcome], Sequence[float]]
) -> dict[str, list[Sequence[float]]]:
    """Family to variants to repetitions."""
    outcomes: dict[str, list[Sequence[float]]] = defaultdict(list)
    for case in cases:
        outcomes[case.family].append(values(case))
    return outcomes


def _means(outcomes: Mapping[str, Sequence[Sequence[float]]]) -> list[float]:
    return [fmean(fmean(runs) for runs in variants) for variants in outcomes.values()]


def _adjusted(differences: Sequence[Difference]) -> tuple[Difference, ...]:
    """Holm over the measures that gate."""
    gating = [d for d in differences if d.margin is not None and d.p_worse is not None]
    adjusted = holm([d.p_worse for d in gating if d.p_worse is not None]).p_values if gating else ()
    by_name = dict(zip((d.measure for d in gating), adjusted, strict=True))
    return tuple(d.model_copy(update={"p_adjusted": by_name.get(d.measure)}) for d in differences)
