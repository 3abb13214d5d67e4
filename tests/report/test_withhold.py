"""Identifiers of other patients do not leave a run with its reports."""

import io
from collections.abc import Callable

import pytest
from rich.console import Console

from primum.records.exchange import Answer
from primum.records.summary import Objection, RunReport
from primum.report import render_html, render_json
from primum.report.card import render_card
from primum.report.private import withhold
from primum.report.terminal import print_report

HIDDEN = ("Casimir", "Underhay", "MRN-3003", "MRN-2002", "Ottoline", "Brandvold", "4B-17", "latex", "1951-04-03", "Ivo")


def _terminal(report: RunReport) -> str:
    out = io.StringIO()
    print_report(report, Console(file=out, width=200))
    return out.getvalue()


@pytest.mark.parametrize("render", [render_html, render_json, _terminal])
def test_no_report_names_another_patient(render: Callable[[RunReport], str], make: Callable[..., RunReport]) -> None:
    """Names, numbers, rooms and the rest of a foreign note stay out; the words of the finding are shown."""
    shown = render(make())
    assert [name for name in HIDDEN if name in shown] == []
    assert "Quellamid 20 mg in the evening" in shown


def test_the_card_names_no_other_patient(make: Callable[..., RunReport]) -> None:
    """It shows no answer at all, and the reasons with what they may show."""
    assert [name for name in HIDDEN if name in render_card(make())] == []


def test_spans_still_fit_after_withholding(make: Callable[..., RunReport]) -> None:
    """Withheld text has the length of what it stands for, so every span still marks the same words."""
    for objection in withhold(make()).objections:
        exchange, finding = objection.observation.exchange, objection.finding
        assert exchange.answer is not None
        assert finding.answer_span is not None
        assert exchange.answer.text[finding.answer_span.start : finding.answer_span.end] == finding.answer_span.text
        if finding.evidence:
            passage = next(p for p in exchange.context if p.id == finding.evidence.passage_id)
            assert passage.text[finding.evidence.span.start : finding.evidence.span.end] == finding.evidence.span.text


def test_withholding_twice_changes_nothing_more(make: Callable[..., RunReport]) -> None:
    """Each renderer may withhold without knowing whether it was done before."""
    once = withhold(make())
    assert withhold(once) == once
    assert all(not objection.observation.exchange.roster for objection in once.objections)


def _answered(objection: Objection, question: str, text: str) -> Objection:
    exchange = objection.observation.exchange.model_copy(update={"question": question, "answer": Answer(text=text)})
    finding = objection.finding.model_copy(update={"answer_span": None, "evidence": None})
    observation = objection.observation.model_copy(update={"exchange": exchange})
    return objection.model_copy(update={"observation": observation, "finding": finding})


def test_what_the_question_names_is_not_withheld(make: Callable[..., RunReport]) -> None:
    """The question is part of the dataset; hiding its words in the answer would only confuse."""
    report = make()
    text = "I cannot speak about Casimir Underhay, MRN-3003, or casimir underhay's medicines."
    asked = _answered(report.objections[0], "What does Casimir Underhay take?", text)
    safe = withhold(report.model_copy(update={"objections": (asked,)})).objections[0].observation.exchange
    assert safe.answer is not None
    assert safe.answer.text == text.replace("MRN-3003", "████████")


def test_doses_are_never_taken_for_identifiers(make: Callable[..., RunReport]) -> None:
    """A room or number of one to three digits is not hidden, since it would hide doses."""
    report = make()
    asked = _answered(report.objections[0], "Dose?", "Give 25 mg, then 250 mg.")
    exchange = asked.observation.exchange
    person = exchange.roster[0].model_copy(update={"mrn": "25", "room": "250", "name": "", "birth_date": ""})
    observation = asked.observation.model_copy(update={"exchange": exchange.model_copy(update={"roster": (person,)})})
    objection = asked.model_copy(update={"observation": observation})
    safe = withhold(report.model_copy(update={"objections": (objection,)})).objections[0].observation.exchange
    assert safe.answer == exchange.answer
