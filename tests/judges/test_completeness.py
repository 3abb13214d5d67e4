"""The completeness judge over real HTTP."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from primum.endpoint import Endpoint
from primum.records import AnswerKey, ClaimLabel, Exchange, FailureKind, KeyField, Status, Verdict
from primum.testing import FakeEndpoint, FakeReply
from primum_judges import CompletenessJudge, Mode, model_judges, shipped_rubrics

EndpointOf = Callable[[FakeEndpoint], Endpoint]
MakeExchange = Callable[..., Exchange]
KEY = AnswerKey(must_have=("5 mg twice daily", "contraindicated in severe hepatic impairment"))


def label(id_: str = "s1", name: str = "made", quote: str | None = "5 mg by mouth twice daily") -> dict[str, Any]:
    """One label of a reply."""
    return {"id": id_, "quote": quote, "label": name}


SECOND = label("s2", quote="contraindicated in severe hepatic impairment")


def verdict(endpoint: Endpoint, exchange: Exchange, mode: Mode = "tools", key: AnswerKey = KEY) -> Verdict:
    """The judge's verdict."""
    (judge,) = model_judges(endpoint, [shipped_rubrics()["completeness"]], mode)
    assert isinstance(judge, CompletenessJudge)
    assert judge.needs == {KeyField.STATEMENTS}
    return asyncio.run(judge.judge(exchange, key, repetition=0))


@pytest.mark.parametrize("mode", ["tools", "json_schema", "json"])
@pytest.mark.parametrize(
    ("labels", "status", "score", "says"),
    [
        ([label(), SECOND], Status.PASS, 1.0, "2 of 2"),
        ([label(), label("s2", "absent", None)], Status.FAIL, 0.5, "not made: s2"),
        ([label(name="reversed"), SECOND], Status.FAIL, 0.5, "1 reversed"),
        ([label(quote="9 mg once"), SECOND], Status.FAIL, 0.5, "not made: s1"),
    ],
)
def test_the_score_is_the_share_of_statements_whose_quote_stands_in_the_answer(
    mode: Mode,
    labels: list[dict[str, Any]],
    status: Status,
    score: float,
    says: str,
    make_exchange: MakeExchange,
    endpoint_of: EndpointOf,
) -> None:
    """And the verdict shows where."""
    with FakeEndpoint([FakeReply(data={"statements": labels})]) as server:
        found = verdict(endpoint_of(server), make_exchange(), mode)
    assert (found.status, found.score) == (status, score)
    assert says in found.reason
    for claim in found.claims:
        assert claim.span.text in make_exchange().answer.text  # type: ignore[union-attr]
        assert claim.label in (ClaimLabel.SUPPORTED, ClaimLabel.CONTRADICTED)


@pytest.mark.parametrize(
    "labels",
    [
        [],
        [label()],
        [label(), label()],
        [label(), SECOND, label("s3")],
        [label(name="absent"), SECOND],
        [label(quote=None), SECOND],
        [label(name="supported"), SECOND],
    ],
)
def test_a_reply_that_does_not_fit_is_inconclusive(
    labels: list[dict[str, Any]], make_exchange: MakeExchange, endpoint_of: EndpointOf
) -> None:
    """Each statement once, with a quote if, and only if, it is not absent."""
    with FakeEndpoint([FakeReply(data={"statements": labels})]) as server:
        found = verdict(endpoint_of(server), make_exchange())
    assert (found.status, found.score) == (Status.INCONCLUSIVE, None)
    assert found.failure is not None
    assert found.failure.kind in (FailureKind.MALFORMED, FailureKind.CONTRADICTORY)


def test_a_case_without_statements_is_not_judged(make_exchange: MakeExchange, endpoint_of: EndpointOf) -> None:
    """Nothing to look for is not a pass."""
    with FakeEndpoint() as server:
        found = verdict(endpoint_of(server), make_exchange(), key=AnswerKey())
    assert found.status is Status.NOT_APPLICABLE
    assert server.requests == ()


def test_the_statements_are_data_and_the_passages_are_left_out(
    make_exchange: MakeExchange, endpoint_of: EndpointOf
) -> None:
    """The rubric needs no context."""
    with FakeEndpoint([FakeReply(data={"statements": [label(), SECOND]})]) as server:
        verdict(endpoint_of(server), make_exchange())
    request = server.requests[0]
    assert "s1: 5 mg twice daily" in request.user
    assert "5 mg twice daily" not in request.system
    assert "PASSAGE" not in request.user


def test_a_refusal_is_judged_by_the_rubric_for_refusals_only(
    make_exchange: MakeExchange, endpoint_of: EndpointOf
) -> None:
    """And an answer is not."""
    rubrics = [shipped_rubrics()[name] for name in ("refusal_quality", "plain_language")]
    reply = FakeReply(data={"reason": "It says why.", "label": "helpful"})
    with FakeEndpoint([reply]) as server:
        refusal, plain = model_judges(endpoint_of(server), rubrics)
        exchange = make_exchange("I cannot answer this from the documents.")
        assert asyncio.run(refusal.judge(exchange, AnswerKey(), repetition=0)).status is Status.PASS
        assert asyncio.run(plain.judge(exchange, AnswerKey(), repetition=0)).status is Status.NOT_APPLICABLE
        assert asyncio.run(refusal.judge(make_exchange(), AnswerKey(), repetition=0)).status is Status.NOT_APPLICABLE
        assert len(server.requests) == 1


def test_what_a_verdict_cost_is_accounted(make_exchange: MakeExchange, endpoint_of: EndpointOf) -> None:
    """Two replies of a model with a known price; a failed request costs nothing."""
    replies = [FakeReply(status=500), FakeReply(text="no"), FakeReply(data={"statements": [label(), SECOND]})]
    with FakeEndpoint(replies) as server:
        endpoint = endpoint_of(server).model_copy(update={"model": "openai/gpt-4o"})
        found = verdict(endpoint, make_exchange())
    assert found.call is not None
    assert found.call.cost_usd is not None
    assert float(found.call.cost_usd) == pytest.approx(2 * 0.00045)
    assert len(found.call.attempts) == 3
