"""The page is whole, readable and safe, whatever the texts in it hold."""

import re
import subprocess
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from primum.records.decision import DecisionKind
from primum.records.summary import RunReport
from primum.report import render_html

VOID = {"meta", "line", "circle", "br"}
HOSTILE = (
    "<script>alert(1)</script>",
    "<svg/onload=alert(1)>",
    '" onmouseover="alert(1)" x="',
    "' autofocus onfocus='alert(1)",
    "</style></details></td></table><img src=x onerror=alert(1)>",
    "{{ 7 * 7 }}{% include 'report.css' %}",
    "javascript:alert(1) https://example.org/ www.example.org",
    "<!-- --><![CDATA[ ]]>&lt;b&gt;&#60;i&#62;",
    "\x1b[31m\x1b]8;;https://example.org\x07click\x1b]8;;\x07",
    "\u202e\u2066\u200b\u00ad\ufeff\x00\x08\u2028",
    "█ ██ withheld █",
    "\ud800 e" + "\u0301" * 40,
)


class Page(HTMLParser):
    """The elements of a page, in order, and its text."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, tuple[tuple[str, str | None], ...]]] = []
        self.open: list[str] = []
        self.pieces: list[str] = []
        self.unbalanced: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, tuple(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in {"td", "th"}:
            self.pieces.append(" ")
        if tag not in VOID and (not self.open or self.open.pop() != tag):
            self.unbalanced.append(tag)

    def handle_data(self, data: str) -> None:
        if not {"style", "title"} & set(self.open):
            self.pieces.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.pieces).split())

    @property
    def shape(self) -> list[tuple[str, tuple[str, ...]]]:
        """Elements and the names of their attributes; withheld marks are left out."""
        return [
            (tag, tuple(name for name, _ in attrs)) for tag, attrs in self.tags if ("class", "withheld") not in attrs
        ]

    def values(self, name: str) -> list[str]:
        return [value or "" for _, attrs in self.tags for key, value in attrs if key == name]


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_text_changes_no_element_of_the_page(hostile: str, make: Callable[..., RunReport]) -> None:
    """Elements and attributes are those of the same report with harmless texts."""
    page = Page(render_html(make(hostile)))
    assert page.shape == Page(render_html(make())).shape
    assert not page.unbalanced
    assert not page.open


@settings(max_examples=25, deadline=None)
@given(st.text(max_size=60))
def test_no_text_changes_an_element_of_the_page(make: Callable[..., RunReport], text: str) -> None:
    """The same for any text that Hypothesis thinks of."""
    page = Page(render_html(make(text, families=2)))
    assert page.shape == Page(render_html(make(families=2))).shape


def test_hostile_characters_are_shown_by_code_point(make: Callable[..., RunReport]) -> None:
    """A reader sees that there is a right-to-left override, and no browser obeys it."""
    html = render_html(make("\u202e\x1b"))
    assert "⟦U+202E⟧⟦U+001B⟧" in html
    assert "\u202e" not in html
    assert "\x1b" not in html


def test_the_page_needs_no_script_and_no_other_file(make: Callable[..., RunReport]) -> None:
    """No script, frame, form, handler, style attribute or address; links lead only into the page."""
    html = render_html(make())
    page = Page(html)
    assert not {"script", "iframe", "object", "embed", "form", "link", "img", "base"} & {tag for tag, _ in page.tags}
    names = {name for _, attrs in page.tags for name, _ in attrs}
    assert not [name for name in names if name.startswith("on") or name in {"src", "style", "srcset", "action"}]
    assert all(target.startswith("#") for target in page.values("href"))
    assert "default-src 'none'; style-src 'unsafe-inline'" in page.values("content")
    style = html[html.index("<style>") : html.index("</style>")]
    assert not re.search(r"url\(|@import|https?:", style)


def test_the_first_words_are_the_decision_of_the_release_system(make: Callable[..., RunReport]) -> None:
    """What decides stands first, then the other systems, then everything else."""
    page = Page(render_html(make()))
    assert page.text.startswith("Skip to the report BLOCK candidate: 3 of 30 observations fail a hard gate")
    assert page.text.index("BLOCK candidate") < page.text.index("PASS baseline") < page.text.index("Demo clinical set")


@pytest.mark.parametrize("kind", DecisionKind)
def test_each_decision_is_said_in_words(kind: DecisionKind, make: Callable[..., RunReport]) -> None:
    """Colour is never the only sign."""
    assert f"{kind.value} candidate" in Page(render_html(make(kind=kind))).text


def test_an_objection_shows_answer_and_evidence_with_their_words_marked(make: Callable[..., RunReport]) -> None:
    """The tenfold dose is marked in the answer, and what the passage says is marked beside it."""
    html = render_html(make())
    assert "Start with Norvexin <mark>25 mg</mark> by mouth twice daily" in html
    assert "start with Norvexin <mark>2.5 mg</mark> by mouth twice daily" in html
    for words in ("dose.absent", "critical", "family-000/a", "prescriber", "tenant north, patient MRN-1001"):
        assert words in html


def test_a_judge_without_a_model_is_labelled_wherever_it_stands(make: Callable[..., RunReport]) -> None:
    """Its name never stands alone: comparison, table of judges and each doubtful verdict."""
    assert Page(render_html(make())).text.count("lexical, no model") == 1 + 2 + 1


def test_every_share_and_mean_stands_with_what_it_rests_on(make: Callable[..., RunReport]) -> None:
    """A percentage follows its fraction; a score names families, cases or scores, or is one verdict's own."""
    text = Page(render_html(make())).text
    assert not [
        m.group() for m in re.finditer(r"\S+ \S*\d%", text) if not re.fullmatch(r"\d+/\d+ \(\d+(\.\d)?%", m.group())
    ]
    cells = re.findall(r"<td[^>]*>(.*?)</td>", render_html(make()), flags=re.DOTALL)
    means = [cell for cell in cells if re.search(r"\b[01]\.\d{3}\b", re.sub("<svg.*?</svg>", "", cell))]
    assert means
    assert all(re.search(r"famil|score|measure", cell) for cell in means)


def test_lists_that_were_cut_say_so(make: Callable[..., RunReport]) -> None:
    """Three objections of five are not passed off as all."""
    assert "Showing 3 of 5 objections" in Page(render_html(make())).text


def test_assistive_technology_finds_its_way(make: Callable[..., RunReport]) -> None:
    """Language, landmarks, headings without gaps, captions, scopes, unique ids, and labels that exist."""
    html = render_html(make(families=30))
    page = Page(html)
    tags = [tag for tag, _ in page.tags]
    assert ("html", (("lang", "en"),)) in page.tags
    assert [tags.count(tag) for tag in ("h1", "main", "header", "nav", "footer")] == [1, 1, 1, 1, 1]
    levels = [int(tag[1]) for tag in tags if re.fullmatch(r"h[1-6]", tag)]
    assert all(after - before <= 1 for before, after in pairwise(levels))
    assert tags.count("caption") == tags.count("table")
    assert all("scope" in dict(attrs) for tag, attrs in page.tags if tag == "th")
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    labels = page.values("aria-labelledby") + [target.removeprefix("#") for target in page.values("href")]
    assert set(labels) <= set(ids)
    assert all(dict(attrs).get("aria-label") for tag, attrs in page.tags if tag == "svg")


def _luminance(colour: str) -> float:
    digits = colour.removeprefix("#")
    if len(digits) == 3:
        digits = "".join(digit * 2 for digit in digits)
    parts = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("scheme", [0, 1, 2])
@pytest.mark.parametrize("ground", ["paper", "panel", "mark", "proof"])
def test_text_has_the_contrast_of_wcag_aa(scheme: int, ground: str, make: Callable[..., RunReport]) -> None:
    """At least 4.5 to 1 in the light, dark and print colours, on every ground that a text stands on."""
    style = render_html(make(families=2))
    colours = dict(re.findall(r"--(\w+): (#\w+)", re.findall(r":root \{(.*?)\}", style, flags=re.DOTALL)[scheme]))
    inks = ["ink"] if ground in {"mark", "proof"} else ["ink", "muted", "bad", "good", "unsure", "link"]
    for ink in inks:
        dark, light = sorted((_luminance(colours[ground]), _luminance(colours[ink])))
        assert (light + 0.05) / (dark + 0.05) >= 4.5, (ground, ink)


def test_equal_reports_give_equal_bytes_in_any_process(make: Callable[..., RunReport], tmp_path: Path) -> None:
    """The order of sets, which differs from process to process, reaches neither the page nor the JSON."""
    file = tmp_path / "report.json"
    file.write_text(make().model_dump_json(), "utf-8")
    code = (
        "import sys, pathlib; from primum.records.summary import RunReport;"
        "from primum.report import render_html, render_json;"
        "report = RunReport.model_validate_json(pathlib.Path(sys.argv[1]).read_text('utf-8'));"
        "sys.stdout.buffer.write((render_html(report) + render_json(report)).encode())"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code, str(file)], capture_output=True, check=True, env={"PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


def test_an_empty_report_is_still_a_page(make: Callable[..., RunReport]) -> None:
    """Nothing measured is said, not left blank."""
    report = make()
    bare = report.systems[0].model_copy(
        update={"measures": (), "gates": (), "judges": (), "families": (), "outcomes": (), "failures": {}}
    )
    empty = report.model_copy(
        update={"systems": (bare,), "objections": (), "failures": (), "doubtful": (), "shown_of": {}, "notes": ()}
    )
    text = Page(render_html(empty)).text
    assert "The gates raised no objection." in text
    assert "No verdict is in doubt." in text
    assert "Every stored observation has an answer." in text
