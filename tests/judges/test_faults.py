"""What goes wrong at an endpoint, seen from a judge's verdict: its status, its time, its requests and its cost.

Each fault is served over real HTTP. The server counts what arrives.
"""

import asyncio
import json
import time
from collections.abc import Callable
from decimal import Decimal
from typing import Any, Final

import pytest

from primum.endpoint import Endpoint
from primum.records import AnswerKey, Exchange, FailureKind, Status, Verdict
from primum.testing import FakeEndpoint, FakeReply
from primum_judges import FaithfulnessJudge, Mode, shipped_rubrics

MakeExchange = Callable[..., Exchange]
PRICE: Final = Decimal("0.00045")
"""Of one reply with 100 and 20 tokens of the model below, by litellm's price list."""
PATIENT: Final = 30.0
"""A deadline that even a busy machine keeps."""
ATTEMPTS: Final = 2
LABELS: Final = [
    {"id": "c1", "quote": "5 mg by mouth twice daily", "label": "supported"},
    {"id": "c2", "quote": "contraindicated in severe hepatic impairment", "label": "supported"},
]
GOOD: Final[dict[str, Any]] = {"claims": LABELS}
DRAFT: Final = json.dumps(GOOD)
LAST: Final = json.dumps({"claims": [{"id": "c1", "quote": None, "label": "not_in_context"}, LABELS[1]]})


def judged(server: FakeEndpoint, exchange: Exchange, mode: Mode = "tools", **settings: Any) -> Verdict:
    """A verdict of a model with a known price, quickly retried."""
    given = {
        "model": "openai/gpt-4o",
        "api_base": server.url,
        "attempts": ATTEMPTS,
        "timeout_seconds": PATIENT,
        "backoff_seconds": 0.01,
    }
    judge = FaithfulnessJudge(Endpoint.model_validate(given | settings), shipped_rubrics()["faithfulness"], mode=mode)
    return asyncio.run(judge.judge(exchange, AnswerKey(), repetition=0))


UNANSWERED: Final = [
    pytest.param(FakeReply(status=400), FailureKind.EXCEPTION, 1, id="400"),
    pytest.param(FakeReply(status=401), FailureKind.AUTHENTICATION, 1, id="401"),
    pytest.param(FakeReply(status=429, headers={"Retry-After": "0.2"}), FailureKind.RATE_LIMITED, 2, id="429"),
    pytest.param(FakeReply(status=429, headers={"Retry-After": "900"}), FailureKind.RATE_LIMITED, 1, id="429 too long"),
    pytest.param(FakeReply(status=500), FailureKind.UNAVAILABLE, 2, id="500"),
    pytest.param(FakeReply(status=503, headers={"Retry-After": "0.2"}), FailureKind.UNAVAILABLE, 2, id="503"),
    pytest.param(FakeReply(fault="reset"), FailureKind.UNAVAILABLE, 2, id="reset"),
    pytest.param(FakeReply(data=GOOD, fault="cut"), FailureKind.UNAVAILABLE, 2, id="cut"),
    pytest.param(FakeReply(body=b"\xff\xfe{}"), FailureKind.MALFORMED, 2, id="invalid UTF-8"),
    pytest.param(FakeReply(body=DRAFT.encode()[:40]), FailureKind.MALFORMED, 2, id="truncated body"),
]
"""Faults that bring no reply, so that no token is counted and no price is known."""

REPLIED: Final = [
    pytest.param(FakeReply(arguments=DRAFT[:60], text=DRAFT[:60]), FailureKind.MALFORMED, 2, id="truncated JSON"),
    pytest.param(FakeReply(data=GOOD, finish_reason="length"), FailureKind.TRUNCATED, 1, id="length"),
    pytest.param(FakeReply(text="All claims are supported: PASS, 1.0."), FailureKind.MALFORMED, 2, id="prose"),
    pytest.param(FakeReply(data={"claims": [{"id": "c1"}]}), FailureKind.MALFORMED, 2, id="missing verdict"),
    pytest.param(FakeReply(data={"pass": "false"}), FailureKind.MALFORMED, 2, id="pass is a string"),
    pytest.param(FakeReply(data={"claims": [*LABELS, LABELS[0]]}), FailureKind.MALFORMED, 2, id="duplicate id"),
    pytest.param(
        FakeReply(data={"claims": [*LABELS, LABELS[0] | {"id": "c9"}]}), FailureKind.MALFORMED, 2, id="unknown id"
    ),
    pytest.param(
        FakeReply(arguments=f"{DRAFT}\n{LAST}", text=f"Draft: {DRAFT}\nFinal: {LAST}"),
        FailureKind.MALFORMED,
        2,
        id="a draft, then the answer",
    ),
    pytest.param(FakeReply(data=GOOD, model="gpt-4o-mini"), FailureKind.WRONG_MODEL, 1, id="wrong model"),
    pytest.param(FakeReply(refusal="I cannot judge this."), FailureKind.REFUSED_BY_PROVIDER, 1, id="refusal"),
]
"""Faults of a reply that came, so that it is paid for."""


def check(server: FakeEndpoint, found: Verdict, kind: FailureKind, requests: int) -> None:
    """Inconclusive, without a score, with one request an attempt."""
    assert (found.status, found.score, found.claims) == (Status.INCONCLUSIVE, None, ())
    assert found.failure is not None
    assert found.failure.kind is kind
    assert found.call is not None
    assert len(server.requests) == len(found.call.attempts) == requests
    assert [attempt.failure.kind for attempt in found.call.attempts if attempt.failure] == [kind] * requests


@pytest.mark.parametrize(("reply", "kind", "requests"), UNANSWERED)
def test_without_a_reply_there_is_no_verdict_no_count_and_no_cost(
    reply: FakeReply, kind: FailureKind, requests: int, make_exchange: MakeExchange
) -> None:
    """Never 0: what an endpoint that failed has charged is unknown."""
    with FakeEndpoint([reply]) as server:
        found = judged(server, make_exchange())
        check(server, found, kind, requests)
    assert found.call is not None
    assert (found.call.usage, found.call.cost_usd) == (None, None)


@pytest.mark.parametrize(
    "slow", [FakeReply(fault="hang"), FakeReply(data=GOOD, fault="drip", seconds=0.05)], ids=["hang", "drip"]
)
def test_slowness_ends_at_the_deadline_of_each_attempt(slow: FakeReply, make_exchange: MakeExchange) -> None:
    """Whether no byte comes or one at a time."""
    with FakeEndpoint([FakeReply(data=GOOD)]) as server:
        judged(server, make_exchange())  # the first call of a process also imports the clients
    with FakeEndpoint([slow]) as server:
        started = time.monotonic()
        found = judged(server, make_exchange(), timeout_seconds=1.5)
        took = time.monotonic() - started
        check(server, found, FailureKind.TIMEOUT, ATTEMPTS)
    assert took < ATTEMPTS * 1.5 + 3  # the rest is a busy machine's
    assert found.call is not None
    assert (found.call.usage, found.call.cost_usd) == (None, None)


@pytest.mark.parametrize("mode", ["tools", "json_schema", "json"])
@pytest.mark.parametrize(("reply", "kind", "requests"), REPLIED)
def test_a_reply_that_is_no_verdict_is_paid_for_and_never_taken_for_one(
    reply: FakeReply, kind: FailureKind, requests: int, mode: Mode, make_exchange: MakeExchange
) -> None:
    """In every mode; tokens and cost are those of all replies."""
    with FakeEndpoint([reply]) as server:
        found = judged(server, make_exchange(), mode)
        check(server, found, kind, requests)
    assert found.call is not None
    assert found.call.usage is not None
    assert found.call.usage.prompt_tokens == 100 * requests
    assert found.call.cost_usd == PRICE * requests or kind is FailureKind.WRONG_MODEL


@pytest.mark.parametrize("mode", ["tools", "json_schema", "json"])
def test_two_hundred_kilobytes_of_context_and_forty_of_answer_arrive_whole(
    mode: Mode, make_exchange: MakeExchange
) -> None:
    """In one request, and every claim gets its label."""
    answer = "Adults take 5 mg by mouth twice daily. " * 1030
    passages = ["Adults with a fever take 5 mg by mouth twice daily. " * 400] * 10
    assert len(answer.encode()) > 40_000
    assert sum(len(passage.encode()) for passage in passages) > 200_000
    data = {"claims": [LABELS[0] | {"id": f"c{number}"} for number in range(1, 1031)]}
    with FakeEndpoint([FakeReply(data=data)]) as server:
        found = judged(server, make_exchange(answer, passages=passages), mode)
    assert (found.status, found.score, len(found.claims)) == (Status.PASS, 1.0, 1030)
    assert len(server.requests) == 1
    assert answer.strip() in server.requests[0].user
    assert server.requests[0].user.count(passages[0].strip()) == len(passages)


def test_what_failed_before_a_verdict_is_counted_with_it(make_exchange: MakeExchange) -> None:
    """A refused request costs nothing, a reply that did not fit costs as much as one that did."""
    replies = [FakeReply(status=503), FakeReply(text="Well..."), FakeReply(data=GOOD)]
    with FakeEndpoint(replies) as server:
        found = judged(server, make_exchange(), attempts=3)
    assert found.status is Status.PASS
    assert found.call is not None
    assert len(server.requests) == len(found.call.attempts) == 3
    assert found.call.cost_usd == 2 * PRICE
