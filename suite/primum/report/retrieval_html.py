"""A retrieval evaluation as one HTML page, made as the report of a run is."""

from typing import Final

from primum.records.retrieval_summary import RetrievalSummary
from primum.report.page import environment

OPEN_FAMILIES: Final = 12


def render_retrieval_html(summary: RetrievalSummary) -> str:
    """The whole page; equal evaluations give equal text."""
    return environment().get_template("retrieval_page.html.j2").render(found=summary, open_families=OPEN_FAMILIES)
