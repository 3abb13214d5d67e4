"""A retrieval evaluation as lines for a terminal; the decision first, the worst misses last."""

from collections.abc import Iterator

from primum.records.retrieval_summary import Miss, RetrievalSummary
from primum.report.retrieval_tables import Table, findings, tables
from primum.report.text import one_line

TOP_MISSES = 10
_WIDTH = 160


def retrieval_lines(summary: RetrievalSummary, *, families: bool = False, misses: int = TOP_MISSES) -> Iterator[str]:
    """The lines; every text from outside is one visible line.

    Args:
        summary: What is shown.
        families: Whether to show a table of the families.
        misses: How many misses to show.
    """
    yield one_line(summary.decision.headline, 1_000)
    yield one_line(f"{summary.title}: {summary.described}, {summary.limit} results a case", _WIDTH)
    for note in summary.notes:
        yield one_line(f"Note: {note}", 1_000)
    for table in tables(summary, families=families):
        if table.rows:
            yield ""
            yield from _table(table)
    yield ""
    for name, said in findings(summary):
        yield f"{name:<12}{one_line(said, 400)}"
    if summary.misses and misses:
        yield ""
    for miss in summary.misses[:misses]:
        yield from _miss(miss, summary.miss_at)
    hidden = summary.missed.numerator - min(misses, len(summary.misses))
    if hidden > 0 and misses:
        yield f"... and {hidden} more misses in retrieval.json"


def _table(table: Table) -> Iterator[str]:
    rows = [tuple(one_line(cell, 40) for cell in row) for row in (table.columns, *table.rows)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(table.columns))]
    yield table.title
    for row in rows:
        yield "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _miss(miss: Miss, k: int) -> Iterator[str]:
    yield one_line(f"MISS {miss.case_id} ({miss.consequence}): {miss.question}", _WIDTH)
    for chunk in miss.expected:
        came = "never retrieved" if chunk.rank is None else f"at rank {chunk.rank}"
        label = f"{'required, ' if chunk.required else ''}grade {chunk.grade}"
        yield "  " + one_line(f"expected {chunk.chunk_id} ({label}), {came}: {chunk.text}", _WIDTH)
    if miss.failure is not None:
        yield "  " + one_line(f"failed: {miss.failure.kind}: {miss.failure.message}", _WIDTH)
    for result in miss.instead[: min(k, 3)]:
        why = f", FORBIDDEN {', '.join(result.forbidden)}" if result.forbidden else ""
        yield "  " + one_line(f"came {result.rank}. {result.chunk_id}{why}: {result.text}", _WIDTH)
