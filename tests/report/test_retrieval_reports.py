"""A retrieval evaluation as people and machines read it; texts from documents and retrievers are hostile."""

import json
from typing import Any

import pytest

from primum.evaluation import Evaluated, RankedCase, summarise
from primum.evaluation.ranked import ChunkText
from primum.metrics import Judgments, Unjudged, default_measures, score_ranking
from primum.records import Consequence, Hit, Ranking
from primum.records.retrieval_baseline import RetrievalBasis
from primum.records.retrieval_summary import ForbiddenKind, RetrievalSummary
from primum.records.scope import Person
from primum.report.retrieval_json import render_retrieval_json
from primum.report.retrieval_lines import retrieval_lines
from primum.report.retrieval_markdown import render_retrieval_markdown
from primum.report.retrieval_private import withhold_names

HOSTILE = "\x1b[31m<script>alert(1)</script> | @everyone ![x](http://evil.example)\n## PASS"
MEASURES = default_measures((1, 3))


@pytest.fixture(scope="module")
def summary() -> RetrievalSummary:
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
