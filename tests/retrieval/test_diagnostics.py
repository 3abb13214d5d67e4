"""Diagnostics over a real index."""

import asyncio
from collections.abc import Iterator, Sequence

import pytest

from primum.corpus.embedders.minilm import MiniLMEmbedder
from primum.corpus.index import QdrantSettings
from primum.corpus.open import QdrantIndex, open_index
from primum.records import Answerability, Case, Chunk, Consequence, Role, Scope
from primum.retrieval.callable import CallableRetriever
from primum.retrieval.diagnostics import exposure, index_recall, prefix_breaks
from primum.retrieval.fate import Followed, evidence_fate
from primum.retrieval.lexical import BM25Retriever
from primum.retrieval.qdrant import DenseRetriever


def case(family: str, question: str, scope: Scope) -> Case:
    return Case(
        family=family,
        variant="v1",
        question=question,
        kind="plain",
        role=Role.DEVELOPMENT,
        scope=scope,
        audience="nurse",
        consequence=Consequence.ROUTINE,
        answerability=Answerability.ANSWERABLE,
        expected_behaviour="says so",
    )


CASES = (
    case("f1", "Which dose of velatrine?", Scope(tenant="south")),
    case("f2", "Which dose of velatrine?", Scope(tenant="north", patient_id="A")),
)


@pytest.fixture(scope="module")
def index(ward: Sequence[Chunk], embedder: MiniLMEmbedder) -> Iterator[QdrantIndex]:
    with open_index(QdrantSettings(memory=True), embedder, ward) as opened:
        yield opened


def test_an_unfiltered_search_shows_what_the_filter_keeps_away(index: QdrantIndex, embedder: MiniLMEmbedder) -> None:
    """All 8 chunks for both: 5 are forbidden to f1 (policy, draft, old, two notes) and 3 to f2 (draft, old, note-b)."""
    found = asyncio.run(exposure(index, embedder, CASES, 8))
    assert (str(found.slots), str(found.cases), found.documents) == ("8/16", "2/2", 5)


def test_an_index_agrees_with_itself(index: QdrantIndex, embedder: MiniLMEmbedder) -> None:
    """An embedded Qdrant is exact, so its recall of itself is whole."""
    dense = DenseRetriever(index, embedder)
    found = asyncio.run(index_recall(dense, dense, CASES, 3))
    assert (str(found.slots), str(found.cases), found.differing) == ("6/6", "2/2", ())


def test_a_search_that_misses_a_chunk_is_measured(ward: Sequence[Chunk]) -> None:
    """One of two chunks missing in both cases."""
    exact = CallableRetriever(lambda _q, _s, _n: ["dose", "renal"], ward, name="exact")
    loose = CallableRetriever(lambda _q, _s, _n: ["renal", "storage"], ward, name="loose")
    found = asyncio.run(index_recall(loose, exact, CASES, 2))
    assert (str(found.slots), str(found.cases), found.differing) == ("2/4", "0/2", ("f1/v1", "f2/v1"))


def test_rankings_that_are_no_prefixes_are_named(
    ward: Sequence[Chunk], index: QdrantIndex, embedder: MiniLMEmbedder
) -> None:
    """Our own retrievers have none; one that changes its mind does."""
    for retriever in (DenseRetriever(index, embedder), BM25Retriever(ward)):
        assert asyncio.run(prefix_breaks(retriever, CASES, (1, 3, 5))) == ()
    fickle = CallableRetriever(lambda _q, _s, n: ["dose", "renal"][:: 1 if n > 1 else -1], ward, name="fickle")
    breaks = asyncio.run(prefix_breaks(fickle, CASES[:1], (1, 2)))
    assert [(each.case_id, each.limit, each.longer) for each in breaks] == [("f1/v1", 1, 2)]


def test_evidence_is_followed_to_the_context() -> None:
    """Of three relevant chunks one reaches the generator, one is selected out, one was never found."""
    fate = evidence_fate(
        [
            Followed(
                relevant=frozenset({"dose", "renal", "storage"}),
                retrieved=frozenset({"dose", "policy", "renal"}),
                context=frozenset({"dose"}),
            ),
            Followed(relevant=frozenset({"dose"}), retrieved=None, context=frozenset()),
        ]
    )
    assert (str(fate.in_context), str(fate.lost_in_selection), str(fate.not_retrieved)) == ("1/3", "1/3", "1/3")
    assert fate.failed == 1
