"""The relevance judge over real HTTP."""

import asyncio
from collections.abc import Callable

import pytest

from primum.endpoint import Endpoint
from primum.errors import ConfigError
from primum.records import AnswerKey, Exchange, FailureKind, Status, Verdict
from primum.testing import FakeEndpoint, FakeReply
from primum_judges import FaithfulnessJudge, Mode, RelevanceJudge, shipped_rubrics

EndpointOf = Callable[[FakeEndpoint], Endpoint]
MakeExchange = Callable[..., Exchange]
MODES: tuple[Mode, ...] = ("tools", "json_schema", "json")


def verdict(endpoint: Endpoint, exchange: Exchange, mode: Mode = "tools") -> Verdict:
    """The judge's verdict."""
    judge = RelevanceJudge(endpoint, shipped_rubrics()["relevance"], mode=mode)
    return asyncio.run(judge.judge(exchange, AnswerKey(), repetition=0))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("label", "status", "score"),
    [("answers", Status.PASS, 1.0), ("answers_partly", Status.PASS, 0.5), ("does_not_answer", Status.FAIL, 0.0)],
)
def test_the_rubric_says_what_a_label_is_worth(
    mode: Mode, label: str, status: Status, score: float, make_exchange: MakeExchange, endpoint_of: EndpointOf
) -> None:
    """The model gives a label, code gives the score."""
    with FakeEndpoint([FakeReply(data={"reason": "It says so.", "label": label})]) as server:
        found = verdict(endpoint_of(server), make_exchange(), mode)
    assert (found.status, found.score, found.rubric) == (status, score, "relevance")
    assert label in found.reason


@pytest.mark.parametrize(
    "data",
    [
        {"reason": "ok", "label": "mostly_answers"},
        {"reason": "ok", "label": 1},
        {"reason": "ok", "score": 1.0},
        {"label": "answers"},
        {"reason": "ok", "label": "answers", "score": 1.0},
        {"reason": "ok", "label": ["answers"]},
        {"reason": None, "label": "answers"},
    ],
)
def test_any_other_reply_is_inconclusive(data: object, make_exchange: MakeExchange, endpoint_of: EndpointOf) -> None:
    """After the attempts are used up."""
    with FakeEndpoint([FakeReply(data=data)]) as server:
        found = verdict(endpoint_of(server), make_exchange())
    assert (found.status, found.score) == (Status.INCONCLUSIVE, None)
    assert found.failure is not None
    assert found.failure.kind is FailureKind.MALFORMED
    assert len(server.requests) == 3


def test_an_abstention_is_not_judged(make_exchange: MakeExchange, endpoint_of: EndpointOf) -> None:
    """Whether it was right to abstain is for others to say."""
    with FakeEndpoint() as server:
        found = verdict(endpoint_of(server), make_exchange("I cannot answer this from the documents."))
    assert found.status is Status.NOT_APPLICABLE
    assert server.requests == ()


def test_a_judge_needs_a_rubric_of_its_scale() -> None:
    """Anything else is a configuration error."""
    endpoint = Endpoint(model="openai/x")
    with pytest.raises(ConfigError, match="scale"):
        RelevanceJudge(endpoint, shipped_rubrics()["faithfulness"])
    with pytest.raises(ConfigError, match="scale"):
        FaithfulnessJudge(endpoint, shipped_rubrics()["relevance"])


def test_a_fingerprint_changes_with_whatever_can_change_a_verdict() -> None:
    """Model, parameters, rubric and mode; not the deadline."""
    rubric = shipped_rubrics()["relevance"]
    base = Endpoint(model="openai/x")

    def of(endpoint: Endpoint = base, mode: Mode = "tools", text: str = rubric.hash) -> str:
        return RelevanceJudge(endpoint, rubric.model_copy(update={"hash": text}), mode=mode).fingerprint

    others = [
        of(base.model_copy(update={"model": "openai/y"})),
        of(base.model_copy(update={"parameters": {"temperature": 0}})),
        of(mode="json"),
        of(text="another"),
    ]
    assert len({of(), *others}) == 5
    assert of(base.model_copy(update={"timeout_seconds": 5})) == of()
