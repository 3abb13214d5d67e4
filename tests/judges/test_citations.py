"""A claim can be held to the passages that it cites."""

import asyncio
from collections.abc import Callable

import pytest

from primum.endpoint import Endpoint
from primum.records import AnswerKey, Exchange, Passage, Status, Verdict
from primum.testing import FakeEndpoint, FakeReply
from primum_judges import lexical_judges, model_judges, shipped_rubrics
from primum_judges.citations import cited_positions

EndpointOf = Callable[[FakeEndpoint], Endpoint]
MakeExchange = Callable[..., Exchange]
CONTEXT = tuple(
    Passage(id=id_, document_id=document, document_version=version, text="text")
    for id_, document, version in (("mono#1", "mono", "1"), ("mono#2", "mono", "2"), ("3", "guide", "1"))
)


@pytest.mark.parametrize(
    ("text", "positions"),
    [
        ("Dose [mono#2].", (1,)),
        ("Dose [mono].", (0, 1)),
        ("Dose [mono@1].", (0,)),
        ("Dose [2].", (1,)),
        ("Dose [doc 1].", (0,)),
        ("Dose [Passage 2; mono#1].", (0, 1)),
        ("Dose [1][2].", (0, 1)),
        ("Dose [3].", (2,)),
        ("Dose [9], [other], [mono#2 and more].", ()),
        ("Dose.", ()),
    ],
)
def test_a_citation_is_an_id_a_document_or_a_position(text: str, positions: tuple[int, ...]) -> None:
    """A name comes before a position; what names nothing cites nothing."""
    assert cited_positions(text, CONTEXT) == positions


def verdict(server: FakeEndpoint, endpoint_of: EndpointOf, exchange: Exchange) -> Verdict:
    """The verdict of a model on the support by citations."""
    (judge,) = model_judges(endpoint_of(server), [shipped_rubrics()["citation_support"]])
    return asyncio.run(judge.judge(exchange, AnswerKey(), repetition=0))


@pytest.mark.parametrize(
    ("mark", "status", "score"),
    [("[p-1]", Status.PASS, 1.0), ("[1]", Status.PASS, 1.0), ("[p-2]", Status.FAIL, 0.0), ("", Status.FAIL, 0.0)],
)
def test_a_quote_counts_only_from_a_passage_that_the_claim_cites(
    mark: str, status: Status, score: float, make_exchange: MakeExchange, endpoint_of: EndpointOf
) -> None:
    """Whatever the model says."""
    labels = [{"id": "c1", "quote": "5 mg by mouth", "label": "supported"}]
    with FakeEndpoint([FakeReply(data={"claims": labels})]) as server:
        found = verdict(server, endpoint_of, make_exchange(f"Adults take 5 mg by mouth {mark}."))
    assert (found.status, found.score, found.rubric) == (status, score, "citation_support")


def test_the_judge_is_told_what_each_claim_cites(make_exchange: MakeExchange, endpoint_of: EndpointOf) -> None:
    """By the numbers of the passages in its prompt."""
    with FakeEndpoint() as server:
        verdict(server, endpoint_of, make_exchange("Take 5 mg [p-1]. Drink water."))
    assert "c1: (cites PASSAGE 1) Take 5 mg [p-1]." in server.requests[0].user
    assert "c2: (cites nothing) Drink water." in server.requests[0].user


def test_the_lexical_judge_holds_claims_to_their_citations_too(make_exchange: MakeExchange) -> None:
    """The words must stand in the cited passage."""
    (judge,) = lexical_judges([shipped_rubrics()["citation_support"]])
    for mark, status in (("[p-1]", Status.PASS), ("[p-2]", Status.FAIL), ("", Status.FAIL)):
        exchange = make_exchange(f"Adults take 5 mg by mouth twice daily {mark}.")
        assert asyncio.run(judge.judge(exchange, AnswerKey(), repetition=0)).status is status
