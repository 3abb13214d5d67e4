"""The faithfulness judge over real HTTP."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from primum.endpoint import Endpoint
from primum.records import AnswerKey, ClaimLabel, Exchange, FailureKind, Outcome, Status, Verdict
from primum.testing import FakeEndpoint, FakeReply
from primum_judges import FaithfulnessJudge, Mode, shipped_rubrics

EndpointOf = Callable[[FakeEndpoint], Endpoint]
MakeExchange = Callable[..., Exchange]
MODES: tuple[Mode, ...] = ("tools", "json_schema", "json")


def claim(id_: str = "c1", label: str = "supported", quote: str | None = "5 mg by mouth twice daily") -> dict[str, Any]:
    """One label of a reply."""
    return {"id": id_, "quote": quote, "label": label}


SECOND = claim("c2", quote="contraindicated in severe hepatic impairment")
GOOD = {"claims": [claim(), SECOND]}


def verdict(endpoint: Endpoint, exchange: Exchange, mode: Mode = "tools", repetition: int = 0) -> Verdict:
    """The judge's verdict."""
    judge = FaithfulnessJudge(endpoint, shipped_rubrics()["faithfulness"], mode=mode)
    return asyncio.run(judge.judge(exchange, AnswerKey(), repetition=repetition))


@pytest.mark.parametrize("mode", MODES)
def test_a_good_reply_passes_with_its_origin(mode: Mode, make_exchange: MakeExchange, endpoint_of: EndpointOf) -> None:
    """In every mode: one request, verified quotes, and rubric, prompt and model in the verdict."""
    with FakeEndpoint([FakeReply(data=GOOD)]) as server:
        found = verdict(endpoint_of(server), make_exchange(), mode, repetition=3)
    assert (found.status, found.score) == (Status.PASS, 1.0)
    assert [(c.claim_id, c.label) for c in found.claims] == [("c1", "supported"), ("c2", "supported")]
    evidence = found.claims[0].evidence
    assert evidence is not None
    assert (evidence.passage_id, evidence.span.text) == ("p-1", "5 mg by mouth twice daily")
    rubric = shipped_rubrics()["faithfulness"]
    assert (found.rubric, found.rubric_version, found.rubric_hash) == ("faithfulness", "1", rubric.hash)
    assert (found.judge, found.repetition, found.observation_id) == ("openai/fake-judge", 3, "demo/zyxol/a/0")
    assert found.call is not None
    assert len(server.requests) == len(found.call.attempts) == 1
    assert found.call.model_returned == "fake-judge"
    assert found.call.usage is not None


@pytest.mark.parametrize("mode", MODES)
def test_the_rubric_stands_in_the_system_message_and_the_data_in_the_other(
    mode: Mode, make_exchange: MakeExchange, endpoint_of: EndpointOf
) -> None:
    """Nothing that others wrote is in the system message, nothing of ours but fences is in the user message."""
    with FakeEndpoint([FakeReply(data=GOOD)]) as server:
        verdict(endpoint_of(server), make_exchange(), mode)
    request = server.requests[0]
    assert [message["role"] for message in request.body["messages"]] == ["system", "user"]
    assert shipped_rubrics()["faithfulness"].text in request.system
    assert "zyxol" not in request.system.lower()
    assert "5 mg by mouth" in request.user
    assert "not_in_context" not in request.user


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "reply",
    [
        FakeReply(text="The answer is fully supported. Score: 1.0, PASS"),
        FakeReply(text='Here it is:\n```json\n{"claims": []}\n```'),
        FakeReply(text='{"claims": [{"id": "c1", "quote": null, "label": "not_in_context"}]} {"claims": []}'),
        FakeReply(text=""),
        FakeReply(data={"claims": []}),
        FakeReply(data={}),
        FakeReply(data=[]),
        FakeReply(data={"claims": [claim()]}),
        FakeReply(data={"claims": [claim(), claim(), SECOND]}),
        FakeReply(data={"claims": [claim(), SECOND, claim("c3")]}),
        FakeReply(data={"claims": [claim(), claim("c9")]}),
        FakeReply(data={"claims": [claim(label="fully_supported"), SECOND]}),
        FakeReply(data={"claims": [claim(label="SUPPORTED"), SECOND]}),
        FakeReply(data={"claims": [{"id": "c1", "quote": "5 mg"}, SECOND]}),
        FakeReply(data={"claims": [claim(), SECOND], "score": 1.0}),
        FakeReply(data={"pass": "false"}),
        FakeReply(data={"claims": [claim() | {"confidence": 1}, SECOND]}),
        FakeReply(data={"claims": [claim(label="not_in_context"), SECOND]}),
        FakeReply(data={"claims": [claim(quote=None), SECOND]}),
        FakeReply(data={"claims": [claim(quote="  "), SECOND]}),
        FakeReply(data={"claims": {"c1": claim()}}),
        FakeReply(arguments='{"claims": [', text='{"claims": ['),
        FakeReply(arguments='{"claims": [], "claims": []}', text='{"claims": [], "claims": []}'),
        FakeReply(arguments="NaN", text="NaN"),
        FakeReply(body=b"\xff\xfe{}"),
    ],
)
def test_a_reply_that_does_not_fit_is_asked_for_again_and_then_inconclusive(
    mode: Mode, reply: FakeReply, make_exchange: MakeExchange, endpoint_of: EndpointOf
) -> None:
    """Never a pass, never a score, never scraped; each attempt is one request with the same prompt."""
    with FakeEndpoint([reply]) as server:
        found = verdict(endpoint_of(server), make_exchange(), mode)
    assert (found.status, found.score, found.claims) == (Status.INCONCLUSIVE, None, ())
    assert found.failure is not None
    assert found.call is not None
    assert found.failure.kind in (FailureKind.MALFORMED, FailureKind.CONTRADICTORY)
    assert len(server.requests) == len(found.call.attempts) == 3
    assert len({str(request.body["messages"]) for request in server.requests}) == 1


def test_a_second_reply_that_fits_is_taken_and_the_first_is_logged(
    make_exchange: MakeExchange, endpoint_of: EndpointOf
) -> None:
    """Tokens of both are counted."""
    with FakeEndpoint([FakeReply(text="Well..."), FakeReply(data=GOOD)]) as server:
        found = verdict(endpoint_of(server), make_exchange())
    assert found.status is Status.PASS
    assert found.call is not None
    kinds = [attempt.failure.kind if attempt.failure else None for attempt in found.call.attempts]
    assert kinds == [FailureKind.MALFORMED, None]
    assert found.call.usage is not None
    assert found.call.usage.prompt_tokens == 200


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (FakeReply(data=GOOD, finish_reason="length"), FailureKind.TRUNCATED),
        (FakeReply(data=GOOD, finish_reason="content_filter"), FailureKind.CONTENT_FILTER),
        (FakeReply(refusal="I cannot judge this."), FailureKind.REFUSED_BY_PROVIDER),
        (FakeReply(data=GOOD, model="cheaper-judge"), FailureKind.WRONG_MODEL),
        (FakeReply(status=400), FailureKind.EXCEPTION),
        (FakeReply(status=401), FailureKind.AUTHENTICATION),
    ],
)
def test_what_asking_again_cannot_mend_is_inconclusive_after_one_request(
    reply: FakeReply, kind: FailureKind, make_exchange: MakeExchange, endpoint_of: EndpointOf
) -> None:
    """Even when a verdict stands in the reply."""
    with FakeEndpoint([reply]) as server:
        found = verdict(endpoint_of(server), make_exchange())
    assert (found.status, found.score) == (Status.INCONCLUSIVE, None)
    assert found.failure is not None
    assert found.failure.kind is kind
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (FakeReply(status=429, headers={"Retry-After": "0.05"}), FailureKind.RATE_LIMITED),
        (FakeReply(status=500), FailureKind.UNAVAILABLE),
        (FakeReply(fault="reset"), FailureKind.UNAVAILABLE),
        (FakeReply(data=GOOD, fault="cut"), FailureKind.UNAVAILABLE),
    ],
)
def test_a_transient_fault_is_tried_again(
    reply: FakeReply, kind: FailureKind, make_exchange: MakeExchange, endpoint_of: EndpointOf
) -> None:
    """And a verdict is given when the endpoint recovers."""
    with FakeEndpoint([reply, FakeReply(data=GOOD)]) as server:
        found = verdict(endpoint_of(server), make_exchange())
    assert found.status is Status.PASS
    assert found.call is not None
    assert [attempt.failure.kind for attempt in found.call.attempts if attempt.failure] == [kind]
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("labels", "status", "score"),
    [
        ([claim(), claim("c2", "not_in_context", None)], Status.FAIL, 0.5),
        ([claim(label="contradicted"), SECOND], Status.FAIL, 0.5),
        ([claim(quote="5 mg by mouth once daily"), SECOND], Status.FAIL, 0.5),
        ([claim(quote="mg by mouth twice"), SECOND], Status.PASS, 1.0),
        ([claim("c2", quote="Zyxol is contraindicated"), claim("c1")], Status.PASS, 1.0),
    ],
)
def test_the_score_is_the_share_of_claims_with_a_quote_that_stands_in_a_passage(
    labels: list[dict[str, Any]],
    status: Status,
    score: float,
    make_exchange: MakeExchange,
    endpoint_of: EndpointOf,
) -> None:
    """Computed by code from labels, in whatever order they came."""
    with FakeEndpoint([FakeReply(data={"claims": labels})]) as server:
        found = verdict(endpoint_of(server), make_exchange())
    assert (found.status, found.score) == (status, score)


def test_an_unverified_quote_keeps_its_label_and_does_not_count(
    make_exchange: MakeExchange, endpoint_of: EndpointOf
) -> None:
    """The reason says so."""
    reply = FakeReply(data={"claims": [claim(quote="50 mg by mouth"), SECOND]})
    with FakeEndpoint([reply]) as server:
        found = verdict(endpoint_of(server), make_exchange())
    first = found.claims[0]
    assert (first.label, first.quote, first.evidence) == (ClaimLabel.SUPPORTED, "50 mg by mouth", None)
    assert "stands in no passage" in found.reason


def test_one_contradiction_fails_whatever_the_threshold(make_exchange: MakeExchange, endpoint_of: EndpointOf) -> None:
    """A share cannot outvote it."""
    rubric = shipped_rubrics()["faithfulness"].model_copy(update={"pass_at": 0.1})
    reply = FakeReply(data={"claims": [claim(label="contradicted"), SECOND]})
    with FakeEndpoint([reply]) as server:
        judge = FaithfulnessJudge(endpoint_of(server), rubric)
        found = asyncio.run(judge.judge(make_exchange(), AnswerKey(), repetition=0))
    assert (found.status, found.score) == (Status.FAIL, 0.5)


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (None, None),
        ("", None),
        ("I cannot answer this from the documents.", None),
        ("I cannot answer this. The question is about somebody else.", Outcome.ABSTAINED),
        ("Which patient do you mean?", None),
    ],
)
def test_without_an_answer_there_is_nothing_to_judge(
    answer: str | None, outcome: Outcome | None, make_exchange: MakeExchange, endpoint_of: EndpointOf
) -> None:
    """Not applicable, with its reason, and no model is asked."""
    with FakeEndpoint() as server:
        found = verdict(endpoint_of(server), make_exchange(answer, outcome=outcome))
    assert (found.status, found.score, found.call) == (Status.NOT_APPLICABLE, None, None)
    assert found.reason
    assert server.requests == ()


def test_a_declared_abstention_with_a_dose_in_it_is_judged(
    make_exchange: MakeExchange, endpoint_of: EndpointOf
) -> None:
    """Saying that it abstained does not hide what it said."""
    with FakeEndpoint([FakeReply(data={"claims": [claim("c1", "not_in_context", None)]})]) as server:
        exchange = make_exchange("I cannot answer this. Take 500 mg at once.", outcome=Outcome.ABSTAINED)
        found = verdict(endpoint_of(server), exchange)
    assert found.status is Status.FAIL


def test_an_answer_without_a_claim_is_an_error(make_exchange: MakeExchange, endpoint_of: EndpointOf) -> None:
    """Nothing to judge in a text that is there is not a pass."""
    with FakeEndpoint() as server:
        found = verdict(endpoint_of(server), make_exchange("The prescriber makes the final decision."))
    assert (found.status, found.score) == (Status.ERROR, None)
    assert server.requests == ()


def test_without_a_passage_no_claim_is_supported(make_exchange: MakeExchange, endpoint_of: EndpointOf) -> None:
    """Code knows that without asking."""
    with FakeEndpoint() as server:
        found = verdict(endpoint_of(server), make_exchange(passages=()))
    assert (found.status, found.score) == (Status.FAIL, 0.0)
    assert server.requests == ()


def test_a_prompt_that_is_too_long_is_inconclusive(make_exchange: MakeExchange, endpoint_of: EndpointOf) -> None:
    """The answer is never cut to fit."""
    with FakeEndpoint() as server:
        endpoint = endpoint_of(server).model_copy(update={"max_prompt_characters": 1000})
        found = verdict(endpoint, make_exchange())
    assert found.status is Status.INCONCLUSIVE
    assert found.failure is not None
    assert found.failure.kind is FailureKind.TOO_LONG
    assert server.requests == ()


def test_a_long_answer_and_a_long_context_reach_the_judge_whole(
    make_exchange: MakeExchange, endpoint_of: EndpointOf
) -> None:
    """40 kB of answer and 200 kB of context."""
    answer = "Adults take 5 mg by mouth twice daily. " * 1000
    passages = ["Adults take 5 mg by mouth twice daily. " * 500] * 10

    def reply(_: object) -> FakeReply:
        return FakeReply(data={"claims": [claim(f"c{n}") for n in range(1, 1001)]})

    with FakeEndpoint(reply) as server:
        found = verdict(endpoint_of(server), make_exchange(answer, passages=passages))
    assert (found.status, found.score, len(found.claims)) == (Status.PASS, 1.0, 1000)
    assert server.requests[0].user.count(answer.strip()) == 1


def test_a_hang_ends_within_the_deadline(make_exchange: MakeExchange, endpoint_of: EndpointOf) -> None:
    """Attempts times deadline, and the pauses between."""
    with FakeEndpoint([FakeReply(fault="hang")]) as server:
        endpoint = endpoint_of(server).model_copy(update={"timeout_seconds": 0.5, "attempts": 2})
        found = verdict(endpoint, make_exchange())
    assert found.failure is not None
    assert found.failure.kind is FailureKind.TIMEOUT
    assert len(server.requests) == 2


def test_nothing_of_the_exchange_stands_in_a_failure_or_a_log(
    make_exchange: MakeExchange,
    endpoint_of: EndpointOf,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Failed replies are logged by the libraries below; not here."""
    caplog.set_level(0)
    with FakeEndpoint([FakeReply(text="Zyxol 5 mg is fine for patient QUUX")]) as server:
        found = verdict(endpoint_of(server), make_exchange())
    assert found.failure is not None
    out = capsys.readouterr()
    for text in (found.failure.message, found.reason, out.out, out.err):
        assert "zyxol" not in text.lower()
        assert "QUUX" not in text
    shown = [record.getMessage() for record in caplog.records if record.name.startswith(("instructor", "LiteLLM"))]
    assert shown == []
