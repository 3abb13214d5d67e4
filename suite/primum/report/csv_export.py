"""Every check of a run as one CSV table, for spreadsheets and statistics programs."""

import csv
import io
from collections.abc import Iterable
from typing import Final

from primum.records.finding import GateReport
from primum.report.text import one_line

COLUMNS: Final = ("observation", "outcome", "gate", "gate_version", "status", "reason", "severity", "blocks", "message")
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""How a cell begins that a spreadsheet would run."""


def render_csv(gate_reports: Iterable[GateReport]) -> str:
    """A row for each finding, and one for each gate without any; sorted, with CRLF as RFC 4180 has it.

    A cell that a spreadsheet would take for a formula begins with an apostrophe.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for report in sorted(gate_reports, key=lambda one: one.observation_id):
        for result in report.results:
            head = (report.observation_id, report.outcome.value, result.gate, result.gate_version, result.status.value)
            for found in result.findings:
                blocks = "yes" if found.blocks else "no"
                writer.writerow([*map(cell, head), found.reason, found.severity.value, blocks, cell(found.message)])
            if not result.findings:
                writer.writerow([*map(cell, head), "", "", "", cell(result.detail)])
    return out.getvalue()


def cell(text: str) -> str:
    """One visible line that no spreadsheet runs."""
    line = one_line(text, 2_000)
    return f"'{line}" if line.startswith(_FORMULA) else line
