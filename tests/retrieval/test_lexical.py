"""The word-based baselines, by worked figures and against the sources."""

import asyncio
import math
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primum.corpus.sparse import words_of
from primum.records import SHARED_TENANT, Chunk, ChunkKey, PublicationState, Scope
from primum.retrieval.lexical import BM25Retriever, JaccardRetriever

NORTH = Scope(tenant="north")
MakeChunk = Callable[..., Chunk]


def test_numbers_and_units_are_tokens_of_their_own() -> None:
    """A dose is found whether or not a space stands before the unit, and decimals stay whole."""
    assert words_of("Give 2.5mg (1,000 IU) of B12; Größe") == [
        "give",
        "2.5",
        "mg",
        "1,000",
        "iu",
        "of",
        "b",
        "12",
        "grösse",
    ]


def test_bm25_gives_the_worked_figure(make_chunk: MakeChunk) -> None:
    """Two chunks of 2 and 4 words, one query word that is once in each: idf and length norm by hand."""
    chunks = [make_chunk("short", "red pill"), make_chunk("long", "red pill blue pill")]
    found = asyncio.run(BM25Retriever(chunks).retrieve("red", NORTH, 5))
    idf = math.log(1 + 0.5 / 2.5)
    short = idf * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 2 / 3))
    long = idf * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 4 / 3))
    assert found.ranking.ids == ("short", "long")
    assert [hit.score for hit in found.ranking.hits] == pytest.approx([short, long], rel=1e-12)


def test_jaccard_gives_the_worked_figure(make_chunk: MakeChunk) -> None:
    """1 common word of 3 in either, and 2 of 4; heading and title count as text."""
    chunks = [make_chunk("a", "red pill"), make_chunk("b", "pill", title="blue", heading="red")]
    found = asyncio.run(JaccardRetriever(chunks).retrieve("red blue", NORTH, 5))
    assert [(hit.chunk_id, hit.score) for hit in found.ranking.hits] == [("b", 2 / 3), ("a", 1 / 3)]


@pytest.mark.parametrize("retriever", [BM25Retriever, JaccardRetriever])
def test_ties_are_ordered_by_id_and_misses_left_out(
    make_chunk: MakeChunk, retriever: type[BM25Retriever | JaccardRetriever]
) -> None:
    """Whatever the order of the corpus, equal scores come by id; no common word, no hit."""
    chunks = [make_chunk(chunk_id, "red pill") for chunk_id in "cab"] + [make_chunk("z", "something else")]
    for order in (chunks, chunks[::-1]):
        assert asyncio.run(retriever(order).retrieve("red", NORTH, 10)).ranking.ids == ("a", "b", "c")
        assert asyncio.run(retriever(order).retrieve("red", NORTH, 2)).ranking.ids == ("a", "b")
    assert asyncio.run(retriever(chunks).retrieve("?!", NORTH, 2)).ranking.hits == ()


@pytest.mark.parametrize("retriever", [BM25Retriever, JaccardRetriever])
def test_only_eligible_chunks_are_found(
    ward: Sequence[Chunk], retriever: type[BM25Retriever | JaccardRetriever]
) -> None:
    """The same chunks as the dense retriever may see."""
    found = asyncio.run(retriever(ward).retrieve("velatrine", Scope(tenant="north", patient_id="A"), 100))
    assert set(found.ranking.ids) == {"dose", "renal", "policy", "note-a"}


TEXTS = st.lists(st.sampled_from(["red", "blue", "pill", "dose", "5"]), min_size=1, max_size=6).map(" ".join)
AUDIENCES = st.tuples(st.sampled_from(["north", "south", SHARED_TENANT]), st.sampled_from([None, "A", "B"]))
DOCUMENTS = st.lists(st.tuples(TEXTS, AUDIENCES, st.sampled_from(PublicationState)), min_size=1, max_size=10)


def chunk_of(number: int, text: str, audience: tuple[str, str | None], state: PublicationState) -> Chunk:
    key = ChunkKey(document_id=f"d{number}", document_version="1", chunk_id=f"c{number}", chunking_version="1")
    tenant, patient = audience
    return Chunk(
        key=key,
        ordinal=0,
        start=0,
        end=len(text),
        heading="",
        text=text,
        title="",
        type="note",
        state=state,
        tenant=tenant,
        patient_id=patient,
    )


@given(DOCUMENTS, TEXTS, st.sampled_from([Scope(tenant="north"), Scope(tenant="south", patient_id="A")]))
def test_what_is_not_eligible_does_not_change_a_ranking(
    documents: list[tuple[str, tuple[str, str | None], PublicationState]], question: str, scope: Scope
) -> None:
    """The corpus reduced to what the scope may see gives the same ranking and the same scores."""
    chunks = [chunk_of(number, *document) for number, document in enumerate(documents)]
    visible = [chunk for chunk in chunks if chunk.passage().eligible(scope)]
    for retriever in (BM25Retriever, JaccardRetriever):
        found = asyncio.run(retriever(chunks).retrieve(question, scope, 20))
        if visible:
            assert found == asyncio.run(retriever(visible).retrieve(question, scope, 20))
        else:
            assert found.passages == ()


def test_the_fingerprint_follows_corpus_and_parameters(ward: Sequence[Chunk]) -> None:
    """The order of the chunks does not matter; their text and the parameters do."""
    same = BM25Retriever(ward).fingerprint
    assert BM25Retriever(ward[::-1]).fingerprint == same
    assert BM25Retriever(ward[1:]).fingerprint != same
    assert BM25Retriever(ward, k1=1.5).fingerprint != same
    assert JaccardRetriever(ward).fingerprint != JaccardRetriever(ward[1:]).fingerprint
