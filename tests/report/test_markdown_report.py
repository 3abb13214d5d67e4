"""The CI summary is small, worst first, and no text in it is markup."""

import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from primum.records.summary import RunReport
from primum.report import render_markdown
from primum.report.markdown import escaped

HOSTILE = (
    "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "</code></strong></summary> ``` ~~~ <!-- ",
    "| a | b |\n| -- | -- |\n\n# heading\n\n- list\n\n    code",
    "[text](https://example.org) ![image](https://example.org/x.png) [ref]: https://example.org",
    "https://example.org www.example.org <mailto:a@example.org> a@example.org @someone #12 GH-12",
    "**bold** __bold__ ~~struck~~ $x$ `code` \\| \\",
    "&lt;script&gt; &#60; &amp;",
    "\u202e\x1b[31m\r\n> quote",
)


def _shape(markdown: str) -> list[str]:
    html = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(markdown)
    return re.findall(r"<[^>]*>", html)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_text_changes_no_element(hostile: str, make: Callable[..., RunReport]) -> None:
    """The rendered elements are those of the same report with harmless texts; only the @ of measures is set apart."""
    spans = {"<span>", "</span>"}
    shown, harmless = (_shape(render_markdown(make(added))) for added in (hostile, ""))
    assert [tag for tag in shown if tag not in spans] == [tag for tag in harmless if tag not in spans]


@settings(max_examples=200, deadline=None)
@given(st.text(st.characters(codec="utf-8"), max_size=80))
def test_escaped_text_is_text(text: str) -> None:
    """Any text renders as one paragraph without elements of its own, and says the same words."""
    html = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(f"x {escaped(text)} x")
    assert set(re.findall(r"<[^>]*>", html)) <= {"<p>", "</p>", "<span>", "</span>"}


def test_no_address_stands_in_the_source(make: Callable[..., RunReport]) -> None:
    """Finders of links, mentions and references have nothing to find, before or after parsing."""
    text = render_markdown(make(" https://example.org www.example.org a@example.org @someone"))
    assert "://" not in text
    assert "www." not in text
    assert re.findall(r"@", text) == []
    assert re.findall(r"\w&#64;|&#64;\w", text) == []


def test_the_first_line_is_the_decision(make: Callable[..., RunReport]) -> None:
    """A reader of the step page sees first what was decided."""
    first = render_markdown(make()).splitlines()[0]
    assert first == "## BLOCK candidate&#58; 3 of 30 observations fail a hard gate&#58; dose, isolation"


def test_marked_words_stand_out(make: Callable[..., RunReport]) -> None:
    """The words of the finding and of the evidence are strong."""
    text = render_markdown(make())
    assert "<strong><code>25 mg</code></strong>" in text
    assert "<strong><code>2.5 mg</code></strong>" in text


@pytest.mark.parametrize("limit", [400, 3_000, 300_000])
def test_the_summary_keeps_to_its_limit_and_says_what_is_left_out(limit: int, make: Callable[..., RunReport]) -> None:
    """However many objections there are, the file is taken, and the count of all of them stands at its end."""
    report = make()
    objections = tuple(
        objection.model_copy(update={"case": objection.case.model_copy(update={"family": f"f{number}"})})
        for number in range(300)
        for objection in report.objections
    )
    many = report.model_copy(update={"objections": objections, "shown_of": {"objections": 5_000}})
    text = render_markdown(many, limit=limit)
    assert len(text.encode()) <= limit
    shown = len(re.findall(r"^### ", text, flags=re.MULTILINE))
    assert text.rstrip().endswith(f"Shown: {shown} of 5000 objections; the page report.html has more.")


def test_no_other_patient_is_named(make: Callable[..., RunReport]) -> None:
    """What the page withholds, the summary withholds."""
    text = render_markdown(make())
    assert not [name for name in ("Casimir", "MRN", "Ottoline", "latex") if name in text]
