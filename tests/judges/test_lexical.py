"""The lexical judge estimates from words and numbers, and says so."""

import asyncio
from collections.abc import Callable

import pytest

from primum.errors import ConfigError
from primum.records import AnswerKey, Exchange, Status, Verdict
from primum_judges import LexicalJudge, Rubric, lexical_judges, shipped_rubrics

MakeExchange = Callable[..., Exchange]


def verdict(exchange: Exchange, rubric: str = "faithfulness", repetition: int = 0) -> Verdict:
    """The judge's verdict."""
    judge = LexicalJudge(shipped_rubrics()[rubric])
    return asyncio.run(judge.judge(exchange, AnswerKey(), repetition=repetition))


def test_an_answer_in_the_words_of_its_passages_passes(make_exchange: MakeExchange) -> None:
    """With the closest sentence as its evidence."""
    found = verdict(make_exchange())
    assert (found.judge, found.status, found.score, found.call) == ("lexical", Status.PASS, 1.0, None)
    evidence = found.claims[1].evidence
    assert evidence is not None
    assert (evidence.passage_id, evidence.span.text) == (
        "p-2",
        "Zyxol is contraindicated in severe hepatic impairment.",
    )


@pytest.mark.parametrize("rubric", ["faithfulness", "relevance"])
def test_every_verdict_says_that_it_is_an_estimate(rubric: str, make_exchange: MakeExchange) -> None:
    """Nobody takes it for a model's judgement."""
    assert "lexical estimate" in verdict(make_exchange(), rubric).reason


@pytest.mark.parametrize(
    "answer",
    [
        "Adults take 50 mg by mouth twice daily.",
        "Adults take 0.5 mg by mouth twice daily.",
        "Adults take 5 micrograms by mouth twice daily.",
        "Adults take 5 g by mouth twice daily.",
        "Zyxol is not contraindicated in severe hepatic impairment.",
        "Zyxol cures every known cancer without delay.",
        "Adults take 5 mg by mouth twice daily for 7 days.",
    ],
)
def test_another_number_unit_or_negation_is_not_supported(answer: str, make_exchange: MakeExchange) -> None:
    """However many words are shared."""
    found = verdict(make_exchange(answer))
    assert (found.status, found.score) == (Status.FAIL, 0.0)


@pytest.mark.parametrize(
    ("answer", "passage"),
    [
        ("The maximum is 1,000 mg daily.", "The maximum is 1000 mg daily."),
        ("The maximum is 0.50 mg daily.", "The maximum is 0.5 mg daily."),
        ("The maximum is 5 micrograms daily.", "The maximum is 5 mcg daily."),
        ("The maximum is 5mg daily.", "The maximum is 5 mg daily."),
        ("The maximum is 5 mg daily [p-1].", "The maximum is 5 mg daily."),
    ],
)
def test_equal_quantities_may_be_written_differently(answer: str, passage: str, make_exchange: MakeExchange) -> None:
    """Thousands marks, trailing zeros and names of units."""
    assert verdict(make_exchange(answer, passages=(passage,))).status is Status.PASS


def test_a_number_must_stand_in_the_passage_that_supports_the_words(make_exchange: MakeExchange) -> None:
    """Not in another one."""
    passages = ("Adults take 5 mg by mouth twice daily.", "Give 50 mg of quuxine.")
    found = verdict(make_exchange("Adults take 50 mg by mouth twice daily.", passages=passages))
    assert found.status is Status.FAIL


@pytest.mark.parametrize(
    ("answer", "label", "score", "status"),
    [
        ("The zyxol dose is 5 mg.", "answers", 1.0, Status.PASS),
        ("Zyxol helps.", "answers_partly", 0.5, Status.PASS),
        ("Quuxine helps.", "does_not_answer", 0.0, Status.FAIL),
    ],
)
def test_relevance_is_a_label_by_the_share_of_the_questions_words(
    answer: str, label: str, score: float, status: Status, make_exchange: MakeExchange
) -> None:
    """The question asks for dose, zyxol and adults."""
    found = verdict(make_exchange(answer), "relevance")
    assert (found.score, found.status) == (score, status)
    assert found.reason.startswith(label)


@pytest.mark.parametrize(
    ("answer", "passage"),
    [
        (
            "At 15 to 29 mL/min give 6 mg.",
            "| Clearance, mL/min | mg |\n|---|---|\n| 15 to 29 | 6 |\nGive at clearance.",
        ),
        ("No. Give 6 mg daily.", "Give 6 mg daily."),
        ("Swallow it whole; do not chew it.", "Swallow it whole with water. Do not chew it."),
    ],
)
def test_tables_and_answers_to_yes_or_no_questions_are_understood(
    answer: str, passage: str, make_exchange: MakeExchange
) -> None:
    """A unit can stand in a table's header; "No." answers the question and negates no claim."""
    assert verdict(make_exchange(answer, passages=(passage,))).status is Status.PASS


def test_a_repetition_gives_the_same_verdict(make_exchange: MakeExchange) -> None:
    """It is deterministic."""
    first, second = (verdict(make_exchange(), repetition=n) for n in (0, 1))
    assert first.model_copy(update={"repetition": 1}) == second


def test_an_abstention_is_not_judged(make_exchange: MakeExchange) -> None:
    """As with every judge."""
    assert verdict(make_exchange("I cannot answer this from the documents.")).status is Status.NOT_APPLICABLE
    assert verdict(make_exchange("The prescriber decides.")).status is Status.ERROR
    assert verdict(make_exchange(passages=())).score == 0.0


def test_a_rubric_that_words_cannot_judge_is_refused() -> None:
    """With what to do instead."""
    rubric = shipped_rubrics()["relevance"].model_dump() | {"id": "tone", "needs": ["question", "context"]}
    with pytest.raises(ConfigError, match=r"judges\.model\.name"):
        lexical_judges([Rubric.model_validate(rubric)])
