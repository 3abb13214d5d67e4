"""A judge's verdicts stand with their evidence, and with what its examination found."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from primum.records.base import Rate
from primum.records.observation import Attempt, ModelCall, Usage
from primum.records.qualification import Qualification
from primum.records.summary import RunReport
from primum.report import render_html, render_json, render_markdown
from primum.report.html import origin

MakeReport = Callable[..., RunReport]

QUALIFIED = Qualification(
    qualified=True,
    until="2027-02-28",
    sensitivity=Rate(numerator=30, denominator=31),
    specificity=Rate(numerator=38, denominator=40),
    examination="a" * 64,
)
REFUSED = Qualification(qualified=False, reasons=("injection probes: 3/40 right; at least 1 is needed",))


def with_qualification(report: RunReport, found: Qualification) -> RunReport:
    """The report with every judge so qualified."""
    systems = [
        system.model_copy(
            update={"judges": tuple(judge.model_copy(update={"qualification": found}) for judge in system.judges)}
        )
        for system in report.systems
    ]
    return report.model_copy(update={"systems": tuple(systems)})


@pytest.mark.parametrize(
    ("found", "shown", "hidden"),
    [
        (QUALIFIED, ("qualified</b> until 2027-02-28", "30/31 (96.8%)", "38/40 (95.0%)"), ("unqualified</b>",)),
        (REFUSED, ("unqualified</b> because injection probes: 3/40 right",), ("qualified</b> until",)),
    ],
)
def test_the_page_says_beside_each_judge_what_its_examination_found(
    make: MakeReport, found: Qualification, shown: tuple[str, ...], hidden: tuple[str, ...]
) -> None:
    """Until when it is qualified, or why it is not."""
    page = render_html(with_qualification(make(), found))
    assert all(words in page for words in shown)
    assert not any(words in page for words in hidden)


def test_a_mean_of_an_unqualified_judge_is_never_sure(make: MakeReport) -> None:
    """Neither in the table of the CI summary."""
    refused = render_markdown(with_qualification(make(), REFUSED))
    qualified = render_markdown(with_qualification(make(), QUALIFIED))
    assert "unqualified" in refused
    assert "unqualified" not in qualified


def test_the_day_of_an_examination_is_apart_from_what_was_found(make: MakeReport) -> None:
    """Two equal runs on two days give equal reports but for their timing."""
    texts: list[dict[str, Any]] = [
        json.loads(render_json(with_qualification(make(), found)))
        for found in (QUALIFIED, QUALIFIED.model_copy(update={"until": "2027-03-01", "examination": "b" * 64}))
    ]
    assert texts[0]["timing"] != texts[1]["timing"]
    for text in texts:
        del text["timing"]
    assert texts[0] == texts[1]


def test_a_quote_is_said_to_stand_where_it_was_found(make: MakeReport) -> None:
    """With the passage's title, document and version."""
    page = render_html(make())
    assert "quote found to the letter in " in page
    assert ", version " in page.split("quote found to the letter in ")[1][:200]


def test_a_price_that_nobody_knows_is_not_nothing() -> None:
    """Nor are tokens that nobody counted."""
    call = ModelCall(
        model_requested="openai/a",
        model_returned="a-2026",
        prompt_hash="",
        attempts=(Attempt(number=1, seconds=1.5),),
    )
    assert origin(call) == ("openai/a was asked, a-2026 answered; 1 request, tokens unknown, cost unknown, 1.5 s")
    counted = call.model_copy(update={"usage": Usage(prompt_tokens=1000, completion_tokens=20)})
    assert "1,020 tokens" in origin(counted)
