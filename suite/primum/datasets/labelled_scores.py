"""How gates do on labelled answers: what they miss, and what they block without need."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from primum.datasets.labelled import LabelledExchange
from primum.records import GateReport, Rate, Record, Status

_OBJECTS: Final = (Status.FAIL, Status.ERROR)
"""A gate that raises blocks too."""


class DefectScore(Record):
    """How often the gate that must object to a kind of defect did."""

    gate: str
    kind: str
    caught: Rate
    missed: tuple[str, ...]
    """Ids of the answers that the gate let pass, whether or not another gate objected."""


class GateScore(Record):
    """One gate on all labelled answers."""

    gate: str
    over_blocked: Rate
    """Good answers that it fails, of those to which it applies."""
    over_blocked_ids: tuple[str, ...]
    caught: Rate
    """Bad answers that it fails, of those to which it must object."""


class LabelledScores(Record):
    """All gates together. Answers of one case are alike, so that intervals need families, not answers."""

    good_blocked: Rate
    """Good answers to which at least one gate objects."""
    bad_blocked: Rate
    """Bad answers of which a gate must object and at least one gate does, whichever it is."""
    gates: tuple[GateScore, ...]
    """In the order of the reports."""
    defects: tuple[DefectScore, ...]
    """By gate and kind."""


def score_gates(scored: Iterable[tuple[LabelledExchange, GateReport]]) -> LabelledScores:
    """Compares what the gates said with what the labels say.

    Answers whose defect is a matter for a rubric are left out: no gate need see it.

    Args:
        scored: each labelled answer with the report of all gates on it.
    """
    answers = tuple(scored)
    good = [(one.exchange.id, report) for one, report in answers if one.defect is None]
    bad = [(one, report) for one, report in answers if one.defect is not None and one.defect.gate is not None]
    names = dict.fromkeys(result.gate for _, report in answers for result in report.results)
    by_kind: dict[tuple[str, str], list[tuple[str, bool]]] = defaultdict(list)
    for one, report in bad:
        if one.defect is not None and one.defect.gate is not None:
            caught = one.defect.gate in _objectors(report)
            by_kind[one.defect.gate, one.defect.kind].append((one.exchange.id, caught))
    defects = tuple(
        DefectScore(
            gate=gate, kind=kind, caught=_share(found), missed=tuple(id_ for id_, caught in found if not caught)
        )
        for (gate, kind), found in sorted(by_kind.items())
    )
    return LabelledScores(
        good_blocked=_share([(id_, bool(_objectors(report))) for id_, report in good]),
        bad_blocked=_share([(one.exchange.id, bool(_objectors(report))) for one, report in bad]),
        gates=tuple(_gate(name, good, defects) for name in names),
        defects=defects,
    )


def _gate(name: str, good: Sequence[tuple[str, GateReport]], defects: Iterable[DefectScore]) -> GateScore:
    applied = [
        (id_, result.status in _OBJECTS)
        for id_, report in good
        for result in report.results
        if result.gate == name and result.status is not Status.NOT_APPLICABLE
    ]
    own = [defect.caught for defect in defects if defect.gate == name]
    return GateScore(
        gate=name,
        over_blocked=_share(applied),
        over_blocked_ids=tuple(id_ for id_, objects in applied if objects),
        caught=Rate(numerator=sum(r.numerator for r in own), denominator=sum(r.denominator for r in own)),
    )


def _objectors(report: GateReport) -> set[str]:
    return {result.gate for result in report.results if result.status in _OBJECTS}


def _share(found: Sequence[tuple[str, bool]]) -> Rate:
    return Rate(numerator=sum(yes for _, yes in found), denominator=len(found))
