"""The systems of a run side by side: the same rows in the page, the terminal and the CI summary."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from primum.records.base import Rate, Status
from primum.records.decision import DecisionKind
from primum.records.summary import GateSummary, JudgeSummary, MeasureSummary, RunReport, SystemSummary
from primum.report.numbers import counted, percent, score

K = TypeVar("K")
T = TypeVar("T")


class Tone(StrEnum):
    """How a cell is to be read; always said in words or marks too, never by colour alone."""

    PLAIN = "plain"
    GOOD = "good"
    BAD = "bad"
    UNSURE = "unsure"


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One value and what it rests on."""

    value: str
    detail: str = ""
    tone: Tone = Tone.PLAIN


@dataclass(frozen=True, kw_only=True)
class Row:
    """One quantity over all systems."""

    label: str
    cells: tuple[Cell, ...]
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class Block:
    """Rows that belong together."""

    title: str
    rows: tuple[Row, ...]


LEXICAL_KIND = "lexical, no model"
_MISSING = Cell(value="not measured", tone=Tone.UNSURE)
_TONES = {DecisionKind.PASS: Tone.GOOD, DecisionKind.BLOCK: Tone.BAD, DecisionKind.INCONCLUSIVE: Tone.UNSURE}


def judge_kind(judge: str) -> str:
    """Whether a model stands behind a judge, in words."""
    return LEXICAL_KIND if judge.split("/")[0].split("@")[0].split("-")[0] == "lexical" else "model judge"


def ordered(report: RunReport) -> tuple[SystemSummary, ...]:
    """The systems, the release system first, the others in the order of the report."""
    return tuple(sorted(report.systems, key=lambda system: system.system != report.release))


def compare(report: RunReport) -> tuple[Block, ...]:
    """The comparison, block by block; a cell for each system in the order of `ordered`."""
    systems = ordered(report)
    return (
        Block(title="Decision", rows=(Row(label="Decision", cells=tuple(map(_decision, systems))),)),
        Block(title="Coverage", rows=_coverage(systems)),
        Block(title="Answers", rows=_answers(systems)),
        Block(title="Retrieval", rows=_measures(systems)),
        Block(title="Gates: observations that fail", rows=_gates(systems)),
        Block(title=_judges_title(systems), rows=_judges(systems)),
    )


def _decision(system: SystemSummary) -> Cell:
    against = sum(reason.kind is not DecisionKind.PASS for reason in system.decision.reasons)
    detail = counted(against, "reason") if against else ""
    return Cell(value=system.decision.kind.value, detail=detail, tone=_TONES[system.decision.kind])


def _rate(value: Rate, tone: Tone = Tone.PLAIN) -> Cell:
    return Cell(value=str(value), detail=percent(value) or "none to count", tone=tone)


def _full(value: Rate) -> Cell:
    """A rate that should be complete."""
    return _rate(value, Tone.PLAIN if value.numerator == value.denominator and value.denominator else Tone.UNSURE)


def _none(value: Rate) -> Cell:
    """A rate that should be nothing."""
    if value.numerator:
        return _rate(value, Tone.BAD)
    return _rate(value, Tone.GOOD if value.denominator else Tone.UNSURE)


def _coverage(systems: tuple[SystemSummary, ...]) -> tuple[Row, ...]:
    return (
        Row(label="Observed", note="of planned", cells=tuple(_full(s.coverage.observed) for s in systems)),
        Row(label="Answered", note="of planned", cells=tuple(_full(s.coverage.answered) for s in systems)),
        Row(label="Gated", note="of stored", cells=tuple(_full(s.coverage.gated) for s in systems)),
        Row(label="Judged", note="of applicable", cells=tuple(_full(s.coverage.judged) for s in systems)),
    )


def _answers(systems: tuple[SystemSummary, ...]) -> tuple[Row, ...]:
    return (
        Row(label="Answerable, not answered", cells=tuple(_rate(s.over_refusal) for s in systems)),
        Row(label="Unanswerable, answered", cells=tuple(_none(s.unsupported_answered) for s in systems)),
    )


def _measures(systems: tuple[SystemSummary, ...]) -> tuple[Row, ...]:
    def key(measure: MeasureSummary) -> str:
        return measure.measure

    names = _distinct(key(measure) for system in systems for measure in system.measures)
    return tuple(
        Row(label=name, cells=tuple(_found(system.measures, key, name, measure_cell) for system in systems))
        for name in names
    )


def _gates(systems: tuple[SystemSummary, ...]) -> tuple[Row, ...]:
    def key(gate: GateSummary) -> str:
        return gate.gate

    names = _distinct(key(gate) for system in systems for gate in system.gates)
    return tuple(
        Row(label=name, cells=tuple(_found(system.gates, key, name, gate_cell) for system in systems)) for name in names
    )


def _judges(systems: tuple[SystemSummary, ...]) -> tuple[Row, ...]:
    def key(judge: JudgeSummary) -> tuple[str, str]:
        return judge.rubric, judge.judge

    names = _distinct(key(judge) for system in systems for judge in system.judges)
    return tuple(
        Row(
            label=rubric,
            note=_judge_note(judge, rubric, systems),
            cells=tuple(_found(system.judges, key, (rubric, judge), judge_cell) for system in systems),
        )
        for rubric, judge in names
    )


def _judges_title(systems: tuple[SystemSummary, ...]) -> str:
    counts = _any_counts(systems)
    return f"Judges{'' if counts else ', unqualified and shown only'}: mean score over families"


def _any_counts(systems: tuple[SystemSummary, ...]) -> bool:
    """Whether some judge is qualified, or there is none at all."""
    judges = [judge for system in systems for judge in system.judges]
    return not judges or any(judge.qualification.qualified for judge in judges)


def _judge_note(judge: str, rubric: str, systems: tuple[SystemSummary, ...]) -> str:
    """What stands behind a mean, and whether it may count, unless the title says so of all."""
    kind = judge_kind(judge) if judge == "lexical" else f"{judge}, {judge_kind(judge)}"
    found = [one for system in systems for one in system.judges if (one.judge, one.rubric) == (judge, rubric)]
    counts = all(one.qualification.qualified for one in found) or not _any_counts(systems)
    return kind if counts else f"{kind}, unqualified"


def measure_cell(measure: MeasureSummary) -> Cell:
    """A mean with the families and cases that it rests on."""
    detail = f"{counted(measure.families, 'family', 'families')}, {counted(measure.cases, 'case')}"
    return Cell(value=score(measure.mean), detail=detail, tone=Tone.UNSURE if measure.mean is None else Tone.PLAIN)


def gate_cell(gate: GateSummary) -> Cell:
    """Failures of those to which the gate applies; a gate that could not decide is never good."""
    undecided = gate.counts.get(Status.INCONCLUSIVE, 0) + gate.counts.get(Status.ERROR, 0)
    cell = _rate(gate.failed) if gate.bounded else _none(gate.failed)
    detail = f"{gate.failed_families} families" + (", bounded" if gate.bounded else "")
    if undecided:
        detail = f"{detail}; {undecided:,} undecided"
    tone = Tone.UNSURE if undecided and cell.tone is Tone.GOOD else cell.tone
    return Cell(value=cell.value, detail=detail, tone=tone)


def judge_cell(judge: JudgeSummary) -> Cell:
    """A mean score with the families and verdicts that it rests on; one of an unqualified judge is never sure."""
    scored = judge.counts.get(Status.PASS, 0) + judge.counts.get(Status.FAIL, 0)
    undecided = judge.counts.get(Status.INCONCLUSIVE, 0) + judge.counts.get(Status.ERROR, 0)
    detail = f"{counted(judge.families, 'family', 'families')}, {counted(scored, 'verdict')}"
    if undecided:
        detail = f"{detail}; {undecided:,} undecided"
    doubtful = undecided or not judge.qualification.qualified
    return Cell(value=score(judge.mean), detail=detail, tone=Tone.UNSURE if doubtful else Tone.PLAIN)


def _distinct(keys: Iterable[K]) -> tuple[K, ...]:
    return tuple(dict.fromkeys(keys))


def _found(items: Iterable[T], key: Callable[[T], K], wanted: K, cell: Callable[[T], Cell]) -> Cell:
    return next((cell(item) for item in items if key(item) == wanted), _MISSING)
