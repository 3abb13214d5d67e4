"""What people and machines read of a run. The page and the terminal load their libraries when they are used."""

from primum.report.html import render_html
from primum.report.json_report import render_json
from primum.report.junit import render_junit
from primum.report.markdown import render_markdown
from primum.report.private import withhold_findings
from primum.report.write import write_reports

__all__ = [
    "render_html",
    "render_json",
    "render_junit",
    "render_markdown",
    "withhold_findings",
    "write_reports",
]
