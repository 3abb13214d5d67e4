"""Writes the reports of a retrieval evaluation; a file is there whole or not at all."""

from pathlib import Path

from primum.records.retrieval_summary import RetrievalSummary
from primum.report.retrieval_html import render_retrieval_html
from primum.report.retrieval_json import render_retrieval_json
from primum.report.retrieval_markdown import render_retrieval_markdown
from primum.report.write import write_whole


def write_retrieval(summary: RetrievalSummary, folder: Path) -> dict[str, Path]:
    """Writes every kind of report into `folder`, which is made when it is missing; paths by kind.

    Raises:
        UsageError: the folder or a file in it cannot be written.
    """
    contents = {
        "html": (folder / "retrieval.html", render_retrieval_html(summary)),
        "json": (folder / "retrieval.json", render_retrieval_json(summary)),
        "markdown": (folder / "retrieval.md", render_retrieval_markdown(summary)),
    }
    for path, content in contents.values():
        write_whole(path, content)
    return {kind: path for kind, (path, _) in contents.items()}
