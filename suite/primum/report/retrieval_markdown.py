"""A retrieval evaluation for the step pages of CI systems."""

from collections.abc import Iterator
from typing import Final

from primum.records.retrieval_summary import Miss, RetrievalSummary
from primum.report.markdown import escaped
from primum.report.retrieval_tables import Table, findings, tables

SHOWN_MISSES: Final = 50
"""Few enough for the largest page that they take."""


def render_retrieval_markdown(summary: RetrievalSummary) -> str:
    """The summary as GitHub-flavoured Markdown; equal evaluations give equal text."""
    return "\n".join(_lines(summary)) + "\n"


def _lines(summary: RetrievalSummary) -> Iterator[str]:
    yield f"## {escaped(summary.decision.headline, 1_000)}"
    yield ""
    yield f"{escaped(summary.title)}: {escaped(summary.described)}, {summary.limit} results a case"
    for table in tables(summary):
        if table.rows:
            yield from _table(table)
    yield ""
    yield from (f"- {name}: {escaped(said, 400)}" for name, said in findings(summary))
    if summary.misses:
        yield ""
        yield "### Misses, worst first"
        yield ""
        for miss in summary.misses[:SHOWN_MISSES]:
            yield from _miss(miss)
        if summary.missed.numerator > SHOWN_MISSES:
            yield f"\nShown: {SHOWN_MISSES} of {summary.missed.numerator} misses; retrieval.json has more."


def _table(table: Table) -> Iterator[str]:
    yield ""
    yield f"### {table.title}"
    yield ""
    yield f"| {' | '.join(escaped(cell) for cell in table.columns)} |"
    yield f"|{' :-- |' * len(table.columns)}"
    yield from (f"| {' | '.join(escaped(cell) for cell in row)} |" for row in table.rows)


def _miss(miss: Miss) -> Iterator[str]:
    yield f"- **{escaped(miss.case_id)}**: {escaped(miss.question, 400)}"
    for chunk in miss.expected:
        came = "never retrieved" if chunk.rank is None else f"at rank {chunk.rank}"
        yield f"  - expected {escaped(chunk.chunk_id)} ({came}): {escaped(chunk.text)}"
    for result in miss.instead[:3]:
        yield f"  - came {result.rank}: {escaped(result.chunk_id)}: {escaped(result.text)}"
