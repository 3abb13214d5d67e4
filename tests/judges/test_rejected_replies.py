"""A reply that was not taken is kept to the letter, with the reason; kinds of trouble are told apart."""

import asyncio
from collections.abc import Callable

import pytest

from primum.endpoint import Endpoint
from primum.records import AnswerKey, Exchange, FailureKind, Status
from primum.testing import FakeEndpoint, FakeReply
from primum_judges import FaithfulnessJudge, shipped_rubrics

MakeExchange = Callable[..., Exchange]
EndpointOf = Callable[[FakeEndpoint], Endpoint]

ANSWER = "Adults take 5 mg by mouth twice daily [p-1]."
GOOD = FakeReply(data={"claims": [{"id": "c1", "quote": "Adults take 5 mg", "label": "supported"}]})
UNQUOTED = FakeReply(data={"claims": [{"id": "c1", "quote": None, "label": "supported"}]})
TWICE = FakeReply(data={"claims": [{"id": "c1", "quote": "Adults take 5 mg", "label": "supported"}] * 2})


@pytest.mark.parametrize(
    ("bad", "kind"),
    [
        (UNQUOTED, FailureKind.CONTRADICTORY),
        (TWICE, FailureKind.MALFORMED),
        (FakeReply(arguments='{"claims": "all fine"}'), FailureKind.MALFORMED),
        (FakeReply(text="All claims are supported."), FailureKind.MALFORMED),
    ],
)
def test_a_rejected_reply_is_kept_beside_the_one_that_was_taken(
    make_exchange: MakeExchange, endpoint_of: EndpointOf, bad: FakeReply, kind: FailureKind
) -> None:
    """The verdict is that of the second reply; the first can be read later."""
    with FakeEndpoint([bad, GOOD]) as server:
        judge = FaithfulnessJudge(endpoint_of(server), shipped_rubrics()["faithfulness"])
        verdict = asyncio.run(judge.judge(make_exchange(ANSWER), AnswerKey(), repetition=0))
    assert verdict.status is Status.PASS
    assert verdict.call is not None
    first, second = verdict.call.attempts
    assert first.failure is not None
    assert first.failure.kind is kind
    assert first.raw_reply is not None
    assert first.raw_reply in (bad.text, bad.arguments) or '"c1"' in first.raw_reply
    assert (second.failure, second.raw_reply) == (None, None)


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (FakeReply(data={}, finish_reason="length"), FailureKind.TRUNCATED),
        (FakeReply(text="", finish_reason="content_filter"), FailureKind.CONTENT_FILTER),
        (FakeReply(refusal="I cannot help with that."), FailureKind.REFUSED_BY_PROVIDER),
        (FakeReply(data={"claims": []}, model="another"), FailureKind.WRONG_MODEL),
        (UNQUOTED, FailureKind.CONTRADICTORY),
        (FakeReply(text="Fine."), FailureKind.MALFORMED),
    ],
)
def test_kinds_of_trouble_are_told_apart(
    make_exchange: MakeExchange, endpoint_of: EndpointOf, reply: FakeReply, kind: FailureKind
) -> None:
    """Each is inconclusive, with a kind of its own and without a score."""
    with FakeEndpoint([reply]) as server:
        endpoint = endpoint_of(server).model_copy(update={"attempts": 1})
        judge = FaithfulnessJudge(endpoint, shipped_rubrics()["faithfulness"])
        verdict = asyncio.run(judge.judge(make_exchange(ANSWER), AnswerKey(), repetition=0))
    assert (verdict.status, verdict.score) == (Status.INCONCLUSIVE, None)
    assert verdict.failure is not None
    assert verdict.failure.kind is kind
