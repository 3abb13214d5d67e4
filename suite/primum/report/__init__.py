"""What people and machines read of a run. The page and the terminal load their libraries when they are used."""

from primum.report.html import render_html
from primum.report.json_report import render_json
from primum.report.write import write_reports

__all__ = ["render_html", "render_json", "write_reports"]
