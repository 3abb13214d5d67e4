"""The tables of a retrieval evaluation as cells of text, for terminals and Markdown alike."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from primum.records.interval import Interval
from primum.records.retrieval_summary import MeasureGroup, MeasureResult, RetrievalSummary
from primum.report.numbers import rate, score

MOST_ROWS: Final = 12
"""Rows of the table of thresholds."""


@dataclass(frozen=True, kw_only=True)
class Table:
    """A heading, column names, and rows."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def tables(summary: RetrievalSummary, *, families: bool = False) -> Iterator[Table]:
    """Every table that has rows, in reading order."""
    yield overall_table(summary)
    yield group_table("By kind of question", summary.by_kind)
    if families:
        yield group_table("By family", summary.by_family)
    if summary.comparison is not None:
        yield Table(
            title=f"Against the baseline ({summary.comparison.paired} cases)",
            columns=("measure", "then", "now", "may fall", ""),
            rows=tuple(
                (c.measure, score(c.before), score(c.after), c.tolerance, "holds" if c.holds else "WORSE")
                for c in summary.comparison.measures
            ),
        )
        yield Table(
            title="Families that got worse",
            columns=("family", "measure", "then", "now"),
            rows=tuple((f.family, f.measure, score(f.before), score(f.after)) for f in summary.comparison.families),
        )
    if summary.sweep is not None:
        rows = summary.sweep.rows
        yield Table(
            title="What a score threshold would do",
            columns=("threshold", "recall", "relevant kept", "unsupported questions accepted"),
            rows=tuple(
                (f"{row.threshold:.3f}", score(row.recall), rate(row.relevant), rate(row.accepted))
                for row in rows[:: -(-len(rows) // MOST_ROWS)]
            ),
        )


def findings(summary: RetrievalSummary) -> Iterator[tuple[str, str]]:
    """What was found beside the measures, as a name and a sentence."""
    forbidden = summary.forbidden
    yield (
        "cases",
        f"{summary.retrieved} with a ranking, {summary.scored} with evidence scored, {summary.families} families",
    )
    if summary.verification is not None:
        found = summary.verification
        yield "verified", f"{found.place}: {found.points} points, {found.eligible} eligible, {found.probed} vectors"
    if forbidden.slots.denominator:
        yield "forbidden", f"{forbidden.slots} results, {forbidden.cases} cases, {forbidden.documents} documents"
    for kind, count in summary.failures.items():
        yield "failed", f"{kind.value.replace('_', ' ')}: {count} cases"
    yield "ties", "; ".join(f"at {tie.k}: {tie.cases} cases" for tie in summary.ties) + " (of those that can show one)"
    yield "unsupported", f"{summary.unsupported} questions without evidence got passages"
    if summary.sweep is not None:
        holds, accepts = summary.sweep.recall_holds_to, summary.sweep.accepts_to
        yield (
            "thresholds",
            f"no relevant chunk is lost up to {score(holds)}; unsupported accepted up to {score(accepts)}",
        )
    if summary.fate is not None:
        fate = summary.fate
        yield (
            "evidence",
            f"{fate.in_context} in the context, {fate.lost_in_selection} lost before, {fate.not_retrieved} not found",
        )
    if summary.exposure is not None:
        shown = summary.exposure
        yield (
            "unfiltered",
            f"would show {shown.slots} forbidden results in {shown.cases} cases, {shown.documents} documents",
        )
    if summary.index_recall is not None:
        yield "index", f"approximate search finds {rate(summary.index_recall.slots)} of what an exact one finds"
    if summary.prefixes is not None:
        yield (
            "prefixes",
            f"{len(summary.prefixes.breaks)} shorter rankings of {summary.prefixes.cases} cases are no prefix",
        )
    if summary.comparison is not None:
        apart = summary.comparison
        yield (
            "baseline",
            (
                f"{apart.paired} cases compared, {len(apart.added)} new, {len(apart.removed)} missing, "
                f"{len(apart.changed)} changed; differs in: {', '.join(apart.differs) or 'nothing'}"
            ),
        )
    yield "missed", f"{summary.missed} cases lack evidence among the first {summary.miss_at}"


def overall_table(summary: RetrievalSummary) -> Table:
    """Measures down, cutoffs across."""
    cells: dict[str, dict[str, MeasureResult]] = {}
    for result in summary.overall:
        name, _, k = result.measure.partition("@")
        cells.setdefault(name, {})[k] = result
    cutoffs = list(dict.fromkeys(k for row in cells.values() for k in row))
    cutoffs.sort(key=lambda k: (not k, int(k or 0)))
    return Table(
        title="Means over families, with 95% intervals",
        columns=("measure", *(f"@{k}" if k else "all" for k in cutoffs)),
        rows=tuple((name, *(_cell(row.get(k)) for k in cutoffs)) for name, row in cells.items()),
    )


def group_table(title: str, groups: Sequence[MeasureGroup]) -> Table:
    """Groups down, the measures at one cutoff across: 5, or the largest below it."""
    measures = next((group.measures for group in groups if group.measures), ())
    cutoffs = sorted({int(m.measure.partition("@")[2] or 0) for m in measures})
    k = max((cutoff for cutoff in cutoffs if cutoff <= 5), default=cutoffs[0] if cutoffs else 0)
    shown = [i for i, m in enumerate(measures) if m.measure.partition("@")[2] == str(k)]
    return Table(
        title=title,
        columns=("", "cases", *(measures[i].measure for i in shown)),
        rows=tuple(
            (group.name, str(group.cases), *(score(group.measures[i].mean) for i in shown))
            for group in groups
            if group.measures
        ),
    )


def _cell(result: MeasureResult | None) -> str:
    if result is None:
        return ""
    return f"{score(result.mean)}{_bounds(result.interval)}"


def _bounds(interval: Interval | None) -> str:
    return "" if interval is None else f" {interval.low:.2f}-{interval.high:.2f}"
