"""Rank fusion."""

import asyncio
from collections.abc import Sequence

import pytest

from primum.errors import ConfigError, EndpointError, UnavailableError
from primum.records import Chunk, Retrieval, Scope
from primum.retrieval.callable import CallableRetriever
from primum.retrieval.hybrid import HybridRetriever

NORTH = Scope(tenant="north")


def fixed(ward: Sequence[Chunk], *ids: str) -> CallableRetriever:
    """A retriever that always gives the same ids."""
    return CallableRetriever(lambda _question, _scope, _limit: ids, ward, name="-".join(ids))


def ask(retriever: HybridRetriever, limit: int = 10) -> Retrieval:
    return asyncio.run(retriever.retrieve("anything", NORTH, limit))


def test_the_sums_are_those_of_the_formula(ward: Sequence[Chunk]) -> None:
    """``1 / (60 + rank)`` per list; what is in both lists wins."""
    found = ask(HybridRetriever((fixed(ward, "dose", "renal"), fixed(ward, "renal", "storage"))))
    assert found.ranking.ids == ("renal", "dose", "storage")
    assert [hit.score for hit in found.ranking.hits] == pytest.approx([1 / 61 + 1 / 62, 1 / 61, 1 / 62])


def test_ties_are_ordered_by_id(ward: Sequence[Chunk]) -> None:
    """Two firsts tie, whichever list comes first."""
    for lists in ((("storage",), ("dose",)), (("dose",), ("storage",))):
        assert ask(HybridRetriever([fixed(ward, *ids) for ids in lists])).ranking.ids == ("dose", "storage")


def test_weights_favour_a_retriever(ward: Sequence[Chunk]) -> None:
    """With twice the weight its first place wins."""
    both = (fixed(ward, "dose"), fixed(ward, "storage"))
    assert ask(HybridRetriever(both, weights=(1, 2))).ranking.ids == ("storage", "dose")


def test_a_short_ranking_is_the_start_of_a_longer_one(ward: Sequence[Chunk]) -> None:
    """Each retriever is asked for the same depth whatever the limit."""
    hybrid = HybridRetriever((fixed(ward, "dose", "renal", "storage"), fixed(ward, "storage", "policy", "dose")))
    whole = ask(hybrid).ranking.ids
    for limit in range(1, 5):
        assert ask(hybrid, limit).ranking.ids == whole[:limit]


def test_a_retriever_that_fails_fails_the_hybrid(ward: Sequence[Chunk]) -> None:
    """Half a hybrid would be scored as if it were the whole."""

    def down(_question: str, _scope: Scope, _limit: int) -> list[str]:
        raise UnavailableError("the server is down")

    hybrid = HybridRetriever((fixed(ward, "dose"), CallableRetriever(down, ward, name="down")))
    with pytest.raises(EndpointError):
        ask(hybrid)


@pytest.mark.parametrize(("count", "weights"), [(1, None), (2, (1.0,)), (2, (1.0, 0.0))])
def test_what_cannot_be_fused_is_refused(ward: Sequence[Chunk], count: int, weights: tuple[float, ...] | None) -> None:
    """One retriever, a missing weight and a weight of 0 are mistakes."""
    with pytest.raises(ConfigError):
        HybridRetriever([fixed(ward, "dose")] * count, weights=weights)


def test_the_fingerprint_follows_the_parts(ward: Sequence[Chunk]) -> None:
    """Retrievers, weights and k are all in it."""
    both = (fixed(ward, "dose"), fixed(ward, "storage"))
    prints = {
        HybridRetriever(both).fingerprint,
        HybridRetriever(both[::-1]).fingerprint,
        HybridRetriever(both, weights=(1, 2)).fingerprint,
        HybridRetriever(both, k=10).fingerprint,
    }
    assert len(prints) == 4
