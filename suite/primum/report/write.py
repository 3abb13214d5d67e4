"""Writes all reports of a run; a file is there whole or not at all, and for its owner alone."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final
from uuid import uuid4

from primum.errors import UsageError, at
from primum.private_files import make_folder, private
from primum.records.finding import GateReport
from primum.records.summary import RunReport
from primum.report.card import render_card
from primum.report.csv_export import render_csv
from primum.report.html import render_html
from primum.report.json_report import render_json
from primum.report.junit import render_junit
from primum.report.markdown import render_markdown
from primum.report.private import withhold

_FILES: Final[dict[str, tuple[str, Callable[[RunReport], str]]]] = {
    "html": ("report.html", render_html),
    "json": ("report.json", render_json),
    "markdown": ("summary.md", render_markdown),
    "card": ("card.md", render_card),
}


def write_reports(
    report: RunReport, folder: Path, *, gate_reports: Iterable[GateReport] | None = None
) -> dict[str, Path]:
    """Writes every kind of report into `folder`, which is made when it is missing.

    Args:
        report: What the run came to.
        folder: Where the files go; files of an earlier report are replaced.
        gate_reports: The run's gate reports; JUnit XML and CSV are written when they are given.

    Returns:
        Path of each file by its kind, such as ``html``.

    Raises:
        UsageError: the folder or a file in it cannot be written.
    """
    safe = withhold(report)
    contents = {kind: (folder / name, render(safe)) for kind, (name, render) in _FILES.items()}
    if gate_reports is not None:
        stored = tuple(gate_reports)
        contents["junit"] = (folder / "junit.xml", render_junit(safe, stored))
        contents["csv"] = (folder / "checks.csv", render_csv(stored))
    for path, content in contents.values():
        write_whole(path, content)
    return {kind: path for kind, (path, _) in contents.items()}


def write_whole(path: Path, content: str) -> None:
    """Writes UTF-8 text beside `path` first, then renames it; raises UsageError when it cannot.

    The text can hold patient data: the file is for the owner alone, also in place of one that was not.
    """
    part = path.with_name(f".{path.name}.{uuid4().hex}.part")
    try:
        make_folder(path.parent)
        try:
            # Path.open takes no opener.
            with open(part, "x", encoding="utf-8", newline="\n", opener=private) as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise UsageError(
            f"{at(path)}: the report cannot be written ({error.strerror}); free space there or name another folder"
        ) from error
