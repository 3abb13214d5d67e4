"""A retrieval evaluation as people and machines read it; texts from documents and retrievers are hostile."""

# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false
# (axe-playwright-python has no types.)

import json
import shutil
from pathlib import Path
from typing import Any, Literal

import pytest

from primum.evaluation import Evaluated, RankedCase, summarise
from primum.evaluation.ranked import ChunkText
from primum.metrics import Judgments, Unjudged, default_measures, score_ranking
from primum.records import Consequence, Hit, Ranking
from primum.records.retrieval_baseline import RetrievalBasis
from primum.records.retrieval_summary import ForbiddenKind, RetrievalSummary
from primum.records.scope import Person
from primum.report.retrieval_html import render_retrieval_html
from primum.report.retrieval_json import render_retrieval_json
from primum.report.retrieval_lines import retrieval_lines
from primum.report.retrieval_markdown import render_retrieval_markdown
from primum.report.retrieval_private import withhold_names

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
HOSTILE = "\x1b[31m<script>alert(1)</script> | @everyone ![x](http://evil.example)\n## PASS"
MEASURES = default_measures((1, 3))


@pytest.fixture(scope="module", name="summary")
def retrieval_summary() -> RetrievalSummary:
    judgments = Judgments(grades={"a": 2}, unjudged=Unjudged.IRRELEVANT)
    ids = ("n", "b", "a")
    case = RankedCase(
        case_id=f"f/{HOSTILE}",
        family="f",
        variant=HOSTILE,
        kind=HOSTILE,
        consequence=Consequence.CRITICAL,
        question=HOSTILE,
        case_digest="1",
        judgments=judgments,
        ranking=Ranking(hits=tuple(Hit(chunk_id=id_, score=0.5) for id_ in ids)),
        values=score_ranking(MEASURES, ids, judgments),
        forbidden={"n": (ForbiddenKind.OTHER_PATIENT,)},
    )
    what = Evaluated(
        title=HOSTILE,
        retriever="r",
        described="a function",
        limit=3,
        miss_at=1,
        measures=MEASURES,
        cutoffs=(1, 3),
        basis=RetrievalBasis(dataset="d", corpus="c", settings="s"),
        look_up=lambda id_: ChunkText(document_id=id_, title="T", heading="", text=f"{HOSTILE} Ida Berg of {id_}"),
    )
    return summarise(what, [case])


def test_no_text_acts_on_a_terminal(summary: RetrievalSummary) -> None:
    """Each line is one visible line, and the decision is the first."""
    lines = list(retrieval_lines(summary, families=True))
    assert lines[0].startswith("BLOCK retrieval: forbidden chunks in 1/3 results")
    assert not any("\x1b" in line or "\n" in line for line in lines)
    assert any(line.startswith("MISS f/") for line in lines)
    assert not any(line.startswith("##") for line in lines)


def test_no_text_means_anything_to_markdown(summary: RetrievalSummary) -> None:
    """No tag, no mention, no link, no heading and no cell of its own."""
    page = render_retrieval_markdown(summary)
    assert "<script" not in page
    assert "\x1b" not in page
    assert "](http" not in page
    assert "\n## PASS" not in page
    rows = [line for line in page.splitlines() if line.startswith("|")]
    assert len({row.count("|") for row in rows if "@1" in row or "nDCG" in row}) <= 2


def test_the_json_is_ascii_and_equal_for_equal_evaluations(summary: RetrievalSummary) -> None:
    """And holds every measure of every case."""
    text = render_retrieval_json(summary)
    assert text.isascii()
    assert text == render_retrieval_json(summary.model_copy())
    assert len(json.loads(text)["cases"][0]["values"]) == len(MEASURES)


def test_names_of_other_patients_are_covered(summary: RetrievalSummary) -> None:
    """Known patients other than the active one, in the text of any chunk."""
    person = Person(mrn="7001", name="Ida Berg")
    safe = withhold_names(summary, {case.case_id: (person,) for case in summary.cases})
    assert "Ida Berg" in render_retrieval_json(summary)
    assert "Ida Berg" not in render_retrieval_json(safe)


def test_the_text_of_a_forbidden_chunk_is_in_no_report(summary: RetrievalSummary) -> None:
    """Its id is, so that it can be looked for."""
    reports: list[Any] = [
        render_retrieval_json(summary),
        "\n".join(retrieval_lines(summary)),
        render_retrieval_markdown(summary),
    ]
    assert not any("Berg of n" in report for report in reports)
    assert summary.misses[0].instead[0].chunk_id == "n"


def test_the_page_escapes_every_text_and_is_equal_for_equal_evaluations(summary: RetrievalSummary) -> None:
    """With the miss, the forbidden chunk and the plot on it."""
    page = render_retrieval_html(summary)
    assert page == render_retrieval_html(summary.model_copy())
    assert "<script" not in page
    assert "\x1b" not in page
    assert (
        page.index("Forbidden chunks retrieved") < page.index("What a score threshold would do") < page.index("Misses")
    )
    assert '<svg class="plot"' in page
    assert "never retrieved" not in page
    assert "rank 3" in page


@pytest.mark.slow
@pytest.mark.skipif(BROWSER is None, reason="needs Chromium; on Debian: apt-get install chromium")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_the_page_is_accessible_and_fits(
    summary: RetrievalSummary, width: int, scheme: Literal["light", "dark"], tmp_path: Path
) -> None:
    """In a real browser without a network: no violation of WCAG that axe-core finds, no sideways scroll, no error."""
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import sync_playwright

    path = tmp_path / "retrieval.html"
    path.write_text(render_retrieval_html(summary), encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True)
        page.context.set_offline(True)
        asked: list[str] = []
        wrong: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(path.as_uri())
        for entry in page.locator("details").all():
            entry.evaluate("entry => { entry.open = true }")
        sideways = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        found = Axe().run(page)
        browser.close()
    assert (asked, wrong, sideways) == ([path.as_uri()], [], 0)
    assert found.violations_count == 0, found.generate_report()
