"""Retriever objects of other frameworks, by their shape, and a second scoring of what was found."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from primum.errors import MalformedReplyError
from primum.records import Chunk, Passage, Scope
from primum.retrieval.frameworks import from_langchain, from_llama_index
from primum.retrieval.lexical import BM25Retriever
from primum.retrieval.rerank import RerankedRetriever

SCOPE = Scope(tenant="north")


@dataclass
class Document:
    """The shape of a LangChain document."""

    page_content: str
    metadata: dict[str, Any]


@dataclass
class Node:
    """The shape of a LlamaIndex node."""

    text: str
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])

    def get_content(self) -> str:
        return self.text


@dataclass
class NodeWithScore:
    node: Node
    score: float | None


@dataclass
class Store:
    """Both retrievers' methods over fixed results."""

    results: list[Any]
    asked: list[str] = field(default_factory=list[str])

    async def ainvoke(self, question: str, /) -> Sequence[Any]:
        self.asked.append(question)
        return self.results

    async def aretrieve(self, question: str, /) -> Sequence[Any]:
        self.asked.append(question)
        return self.results


def test_a_langchain_retriever_is_asked_within_the_scope(ward: Sequence[Chunk]) -> None:
    """The retriever is made for scope and limit; id, score and text come from the documents."""
    made: list[tuple[str, int]] = []
    store = Store([Document("as used", {"chunk_id": "dose", "score": 0.5}), Document("x", {"chunk_id": "note-a"})])

    def make(scope: Scope, limit: int) -> Store:
        made.append((scope.tenant, limit))
        return store

    found = asyncio.run(from_langchain(make, ward, name="chain").retrieve("which dose?", SCOPE, 7))
    assert [(hit.chunk_id, hit.score) for hit in found.ranking.hits] == [("dose", 0.5), ("note-a", None)]
    assert found.passages[0].text == "as used"
    assert found.passages[1].patient_id == "A"
    assert (made, store.asked) == ([("north", 7)], ["which dose?"])


def test_a_llama_index_retriever_is_asked_alike(ward: Sequence[Chunk]) -> None:
    """Nodes with a score, the id in a field of the user's choice."""
    store = Store(
        [NodeWithScore(Node("as used", {"key": "renal"}), 0.25), NodeWithScore(Node("x", {"key": "dose"}), None)]
    )
    retriever = from_llama_index(lambda _scope, _limit: store, ward, name="llama", id_field="key")
    found = asyncio.run(retriever.retrieve("which dose?", SCOPE, 5))
    assert [(hit.chunk_id, hit.score) for hit in found.ranking.hits] == [("renal", 0.25), ("dose", None)]
    assert found.passages[0].text == "as used"


def test_a_document_without_its_id_says_what_to_do(ward: Sequence[Chunk]) -> None:
    """Both frameworks make ids of their own otherwise."""
    chain = from_langchain(lambda _scope, _limit: Store([Document("x", {})]), ward, name="chain")
    llama = from_llama_index(lambda _scope, _limit: Store([NodeWithScore(Node("x"), 1.0)]), ward, name="llama")
    for retriever in (chain, llama):
        with pytest.raises(MalformedReplyError, match="without 'chunk_id' in its metadata"):
            asyncio.run(retriever.retrieve("q", SCOPE, 5))


def by_length(_question: str, passages: Sequence[Passage]) -> list[float]:
    """Short texts first."""
    return [-float(len(passage.text)) for passage in passages]


async def by_length_later(question: str, passages: Sequence[Passage]) -> list[float]:
    return by_length(question, passages)


@pytest.mark.parametrize("rerank", [by_length, by_length_later])
def test_a_reranker_orders_what_was_found(ward: Sequence[Chunk], rerank: Callable[..., Any]) -> None:
    """Plain or async; the scores are the function's, the depth goes beyond the limit."""
    retriever = RerankedRetriever(BM25Retriever(ward), rerank, name="short first")
    whole = asyncio.run(retriever.retrieve("velatrine", SCOPE, 10))
    lengths = [len(passage.text) for passage in whole.passages]
    assert lengths == sorted(lengths)
    assert [hit.score for hit in whole.ranking.hits] == [-length for length in lengths]
    assert asyncio.run(retriever.retrieve("velatrine", SCOPE, 1)).ranking.ids == whole.ranking.ids[:1]


def test_equal_scores_keep_the_first_order(ward: Sequence[Chunk]) -> None:
    """A reranker that knows nothing changes nothing."""
    first = BM25Retriever(ward)
    retriever = RerankedRetriever(first, lambda _question, passages: [1.0] * len(passages), name="flat")
    expected = asyncio.run(first.retrieve("velatrine dose", SCOPE, 5)).ranking.ids
    assert asyncio.run(retriever.retrieve("velatrine dose", SCOPE, 5)).ranking.ids == expected


@pytest.mark.parametrize("scores", [[], [1.0], [float("nan")] * 3, ["high"] * 3, None])
def test_scores_that_do_not_fit_are_an_error(ward: Sequence[Chunk], scores: Any) -> None:
    """One finite number for each passage."""
    retriever = RerankedRetriever(BM25Retriever(ward), lambda _question, _passages: scores, name="broken")
    with pytest.raises(MalformedReplyError, match="broken must return a finite score"):
        asyncio.run(retriever.retrieve("velatrine", SCOPE, 5))


def test_the_fingerprint_follows_retriever_name_version_and_depth(ward: Sequence[Chunk]) -> None:
    """Whatever can change the order."""
    first = BM25Retriever(ward)
    prints = {
        RerankedRetriever(first, by_length, name="a").fingerprint,
        RerankedRetriever(first, by_length, name="b").fingerprint,
        RerankedRetriever(first, by_length, name="a", version="2").fingerprint,
        RerankedRetriever(first, by_length, name="a", depth=5).fingerprint,
        RerankedRetriever(BM25Retriever(ward[1:]), by_length, name="a").fingerprint,
    }
    assert len(prints) == 5
