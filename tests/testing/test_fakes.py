"""The public fakes do what they are told."""

import asyncio
import json
import urllib.error
import urllib.request
from typing import Any

import pytest

from primum.protocols import Generator, Judge, Retriever
from primum.records import (
    Answer,
    AnswerKey,
    Exchange,
    Failure,
    FailureKind,
    Passage,
    PublicationState,
    Scope,
    Status,
)
from primum.testing import FakeEndpoint, FakeReply, InMemoryRetriever, ScriptedGenerator, ScriptedJudge

SCOPE = Scope(tenant="north", patient_id="m-1")


def post(url: str, body: dict[str, Any]) -> dict[str, Any]:
    """A request without any client of ours."""
    headers = {"content-type": "application/json"}
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)  # noqa: S310 - the loopback interface
    with urllib.request.urlopen(request, timeout=5) as response:  # noqa: S310 - the loopback interface
        found: dict[str, Any] = json.load(response)
    return found


def test_the_endpoint_answers_in_order_and_repeats_the_last() -> None:
    """And keeps what it was asked."""
    with FakeEndpoint([FakeReply(text="one"), FakeReply(text="two")]) as server:
        url = f"{server.url}/chat/completions"
        body = {"model": "m", "messages": [{"role": "user", "content": "hello"}]}
        texts = [post(url, body)["choices"][0]["message"]["content"] for _ in range(3)]
    assert texts == ["one", "two", "two"]
    assert [request.user for request in server.requests] == ["hello"] * 3


def test_the_endpoint_takes_a_function_of_the_request() -> None:
    """For replies that depend on what was asked."""
    with FakeEndpoint(lambda request: FakeReply(text=request.user[::-1])) as server:
        body = {"model": "m", "messages": [{"role": "user", "content": "abc"}]}
        reply = post(f"{server.url}/chat/completions", body)
    assert reply["choices"][0]["message"]["content"] == "cba"


def test_the_endpoint_puts_data_where_the_request_asks_for_it() -> None:
    """Into the tool's arguments, else into the text."""
    with FakeEndpoint([FakeReply(data={"a": 1})]) as server:
        url = f"{server.url}/chat/completions"
        tools = [{"type": "function", "function": {"name": "f"}}]
        with_tool = post(url, {"model": "m", "messages": [], "tools": tools})["choices"][0]
        without = post(url, {"model": "m", "messages": []})["choices"][0]
    assert with_tool["message"]["tool_calls"][0]["function"] == {"name": "f", "arguments": '{"a": 1}'}
    assert with_tool["finish_reason"] == "tool_calls"
    assert without["message"]["content"] == '{"a": 1}'


def test_the_endpoint_refuses_a_wrong_key() -> None:
    """With 401, as a provider does."""
    with FakeEndpoint(key="right") as server, pytest.raises(urllib.error.HTTPError) as caught:
        post(f"{server.url}/chat/completions", {"model": "m", "messages": []})
    with caught.value:
        assert caught.value.code == 401


def test_an_endpoint_that_is_not_running_has_no_address() -> None:
    """The message says what to do."""
    with pytest.raises(RuntimeError, match="with statement"):
        _ = FakeEndpoint().url


def passage(id_: str, text: str, **fields: Any) -> Passage:
    """A passage of a document of its own."""
    return Passage.model_validate({"id": id_, "document_id": id_, "document_version": "1", "text": text} | fields)


PASSAGES = (
    passage("plain", "the dose of zyxol"),
    passage("mine", "the dose of zyxol for me", patient_id="m-1"),
    passage("other", "the dose of zyxol for you", patient_id="m-2"),
    passage("draft", "the dose of zyxol", state=PublicationState.DRAFT),
    passage("south", "the dose of zyxol", tenant="south"),
    passage("off", "nothing"),
)


def test_the_retriever_ranks_what_the_scope_may_see() -> None:
    """By shared words; equal ones keep their order."""
    retriever: Retriever = InMemoryRetriever(PASSAGES)
    found = asyncio.run(retriever.retrieve("Dose of zyxol?", SCOPE, 10))
    assert found.ranking.ids == ("plain", "mine", "off")
    assert tuple(p.id for p in found.passages) == found.ranking.ids
    assert asyncio.run(retriever.retrieve("Dose of zyxol?", SCOPE, 1)).ranking.ids == ("plain",)


def test_the_retriever_leaks_what_it_is_told_to() -> None:
    """To test whatever guards against it."""
    retriever = InMemoryRetriever(PASSAGES, leak=["other"])
    assert asyncio.run(retriever.retrieve("dose", SCOPE, 2)).ranking.ids == ("other", "plain")
    assert retriever.fingerprint != InMemoryRetriever(PASSAGES).fingerprint


def test_passage_ids_are_unique() -> None:
    """Else a ranking would be ambiguous."""
    with pytest.raises(ValueError, match="unique"):
        InMemoryRetriever([PASSAGES[0], PASSAGES[0]])


def test_the_generator_answers_by_case_and_repetition() -> None:
    """Text, answer or failure; the rest is missing."""
    timeout = Failure(stage="generate", kind=FailureKind.TIMEOUT, message="scripted")
    generator = ScriptedGenerator({"a/b": "text", ("a/b", 1): Answer(text="second"), "c/d": timeout})
    as_protocol: Generator = generator

    def made(case_id: str, repetition: int) -> object:
        found = asyncio.run(as_protocol.generate("?", SCOPE, (), case_id=case_id, repetition=repetition))
        return found.answer.text if found.answer else found.failure and found.failure.kind

    assert [made("a/b", 0), made("a/b", 1), made("c/d", 0), made("e/f", 0)] == [
        "text",
        "second",
        FailureKind.TIMEOUT,
        FailureKind.MISSING,
    ]
    assert [asked[:2] for asked in generator.asked] == [("a/b", 0), ("a/b", 1), ("c/d", 0), ("e/f", 0)]


@pytest.mark.parametrize(("score", "status"), [(1.0, Status.PASS), (0.4, Status.FAIL), (None, Status.INCONCLUSIVE)])
def test_the_judge_says_what_it_is_told(score: float | None, status: Status) -> None:
    """A score, or none."""
    judge = ScriptedJudge(lambda _exchange, _repetition: score, pass_at=0.5)
    as_protocol: Judge = judge
    exchange = Exchange(id="o", question="?", scope=SCOPE)
    verdict = asyncio.run(as_protocol.judge(exchange, AnswerKey(), repetition=2))
    assert (verdict.status, verdict.score, verdict.repetition, verdict.observation_id) == (status, score, 2, "o")
    assert judge.asked == [("o", 2, AnswerKey())]
