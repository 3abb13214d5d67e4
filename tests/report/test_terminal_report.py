"""The terminal shows the decision first, at any width and in any encoding."""

import io
from collections.abc import Callable

import pytest
from rich.console import Console

from primum.records.summary import RunReport
from primum.report.terminal import print_report


def _printed(report: RunReport, *, width: int = 80, encoding: str = "utf-8", colour: bool = False) -> str:
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding=encoding, errors="strict", newline="\n")
    console = Console(file=out, width=width, force_terminal=colour, color_system="truecolor" if colour else None)
    print_report(report, console)
    out.flush()
    return raw.getvalue().decode(encoding)


def test_the_first_line_is_the_decision_of_the_release_system(make: Callable[..., RunReport]) -> None:
    """Then the other systems, each in a line of its own."""
    lines = _printed(make()).splitlines()
    assert lines[0] == "BLOCK candidate: 3 of 30 observations fail a hard gate: dose, isolation"
    assert lines[1].startswith("PASS baseline: ")
    assert "No model judged" in lines[2]


@pytest.mark.parametrize("width", [20, 40, 80, 200])
def test_no_line_is_wider_than_the_terminal(width: int, make: Callable[..., RunReport]) -> None:
    """Words wrap; nothing runs over the edge."""
    lines = _printed(make(), width=width).splitlines()
    assert max(len(line) for line in lines) <= width


def test_an_objection_shows_its_words_and_the_evidence_without_colour(make: Callable[..., RunReport]) -> None:
    """The words stand between angle brackets, so that a log shows them, too."""
    shown = _printed(make(), width=120)
    assert "Objections: 3 of 5, worst first" in shown
    assert "answer:   Start with Norvexin >>25 mg<< by mouth" in shown
    assert "evidence: Adults: start with Norvexin >>2.5 mg<< by mouth" in shown
    assert "evidence: the gate points to no passage" in shown


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8", "utf-16-le"])
def test_no_encoding_makes_it_fail(encoding: str, make: Callable[..., RunReport]) -> None:
    """What a C locale or a Windows code page lacks is replaced."""
    shown = _printed(make(" é中⟦█…\u202e\ud800"), encoding=encoding, width=100)
    assert "BLOCK candidate" in shown
    assert ">>25 mg<<" in shown


@pytest.mark.parametrize("colour", [False, True])
def test_control_characters_and_markup_mean_nothing(colour: bool, make: Callable[..., RunReport]) -> None:
    """Escape sequences are spelled out; rich markup and links are shown as they are."""
    hostile = "\x1b]8;;https://example.org\x07[red]x[/red][link=https://example.org]y[/link]\r\x9b2J:smile:"
    shown = _printed(make(hostile), width=3_000, colour=colour)
    assert "\x1b]8" not in shown
    assert not {"\x07", "\r", "\x9b"} & set(shown)
    assert "[red]x[/red]" in shown
    assert ":smile:" in shown
    if not colour:
        assert "\x1b" not in shown


def test_a_run_without_objections_ends_with_the_table(make: Callable[..., RunReport]) -> None:
    """No empty heading is printed."""
    report = make().model_copy(update={"objections": (), "shown_of": {}})
    assert "Objections" not in _printed(report)
