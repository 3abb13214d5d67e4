"""The evaluation card and the table of checks: complete, and safe where they are opened."""

import csv
import io
from collections.abc import Callable

import pytest

from primum.records import Finding, GateReport, GateResult, Outcome, Severity, Status
from primum.records.summary import RunReport
from primum.report.card import render_card
from primum.report.csv_export import COLUMNS, cell, render_csv

HOSTILE = "\x1b[31m<script>alert(1)</script> | @everyone ![x](http://evil.example)\n# PASS"


def test_the_card_says_what_was_tested_what_failed_and_what_was_not(make: Callable[..., RunReport]) -> None:
    report = make()
    card = render_card(report)
    release = next(system for system in report.systems if system.system == report.release)
    for heading in ("# Evaluation card", "## What was tested", "## Results", "## Known failures"):
        assert heading in card
    assert all(f"| {gate.gate.replace('_', '&#95;')} |" in card for gate in release.gates)
    assert report.manifest.dataset_digest in card
    assert card == render_card(make())


def test_no_text_means_anything_to_markdown_on_the_card(make: Callable[..., RunReport]) -> None:
    card = render_card(make(HOSTILE))
    assert "<script" not in card
    assert "](http" not in card
    assert "\x1b" not in card
    assert "\n# PASS" not in card


def gate_report(message: str, *, case: str = "f/a") -> GateReport:
    finding = Finding(reason="dose.absent", severity=Severity.CRITICAL, message=message)
    failed = GateResult(gate="dose", gate_version="2", status=Status.FAIL, findings=(finding,))
    passed = GateResult(gate="citation", gate_version="2", status=Status.PASS)
    return GateReport(observation_id=f"ours/{case}/0", outcome=Outcome.ANSWERED, results=(failed, passed))


def test_every_check_has_a_row() -> None:
    """Those that pass too; in the order of the observations."""
    rows = list(csv.DictReader(io.StringIO(render_csv([gate_report("b", case="g/a"), gate_report("a")]))))
    assert [(row["observation"], row["gate"], row["status"]) for row in rows] == [
        ("ours/f/a/0", "dose", "fail"),
        ("ours/f/a/0", "citation", "pass"),
        ("ours/g/a/0", "dose", "fail"),
        ("ours/g/a/0", "citation", "pass"),
    ]
    assert tuple(rows[0]) == COLUMNS


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "=cmd|' /C calc'!A0"])
def test_no_cell_is_a_formula(text: str) -> None:
    assert cell(text) == f"'{text}"
    assert next(csv.DictReader(io.StringIO(render_csv([gate_report(text)]))))["message"] == f"'{text}"


def test_a_cell_is_one_line_without_control_characters() -> None:
    shown = cell('a\r\n\x1b[31m\tb,"c"')
    assert not set(shown) & set("\r\n\t\x1b")
