"""Words, and words and meaning together, inside Qdrant."""

import asyncio
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primum.corpus.embedders.minilm import MiniLMEmbedder
from primum.corpus.index import FusionSettings, QdrantSettings, SearchSettings
from primum.corpus.open import QdrantIndex, open_index
from primum.corpus.qdrant import Query
from primum.corpus.sparse import SparseVector
from primum.records import Chunk, PublicationState, Retrieval, Scope
from primum.retrieval.lexical import BM25Retriever
from primum.retrieval.qdrant import DenseRetriever, FusedRetriever, SparseRetriever

QUESTIONS = ("Which dose of velatrine, 25 mg?", "kidney kidney function", "inhaler", "velatrine twice a day with food")


@pytest.fixture(scope="module")
def index(ward: Sequence[Chunk], embedder: MiniLMEmbedder) -> Iterator[QdrantIndex]:
    with open_index(QdrantSettings(memory=True), embedder, ward) as opened:
        yield opened


@pytest.fixture(scope="module")
def shared(ward: Sequence[Chunk]) -> Sequence[Chunk]:
    return [chunk for chunk in ward if chunk.tenant == "shared" and chunk.state is PublicationState.PUBLISHED]


def test_sparse_vectors_rank_like_our_own_bm25(shared: Sequence[Chunk], embedder: MiniLMEmbedder) -> None:
    """Where everybody sees all, the two implementations agree in order and score."""
    own = BM25Retriever(shared)
    with open_index(QdrantSettings(memory=True), embedder, shared) as opened:
        stored = SparseRetriever(opened)
        for question in QUESTIONS:
            expected = asyncio.run(own.retrieve(question, Scope(tenant="x"), 10)).ranking
            found = asyncio.run(stored.retrieve(question, Scope(tenant="x"), 10)).ranking
            assert found.ids == expected.ids
            assert [hit.score for hit in found.hits] == pytest.approx([hit.score for hit in expected.hits], rel=1e-5)


def test_a_question_without_a_known_word(index: QdrantIndex, embedder: MiniLMEmbedder) -> None:
    """Words find nothing; the fused search goes by meaning alone, in whatever weights."""
    scope = Scope(tenant="south")
    assert asyncio.run(SparseRetriever(index).retrieve("zzz ?!", scope, 5)).passages == ()
    weighted = FusedRetriever(index, embedder, fusion=FusionSettings(weights=(0.3, 0.7)))
    found = asyncio.run(weighted.retrieve("zzz ?!", scope, 5))
    assert found.ranking.ids == asyncio.run(DenseRetriever(index, embedder).retrieve("zzz ?!", scope, 5)).ranking.ids


def ask(
    index: QdrantIndex,
    embedder: MiniLMEmbedder,
    fusion: FusionSettings,
    *,
    limit: int = 10,
    minimum: float | None = None,
) -> Retrieval:
    retriever = FusedRetriever(index, embedder, SearchSettings(min_score=minimum), fusion)
    return asyncio.run(retriever.retrieve(QUESTIONS[0], Scope(tenant="north", patient_id="B"), limit))


def test_reciprocal_ranks_are_added_up(index: QdrantIndex, embedder: MiniLMEmbedder) -> None:
    """Qdrant's own formula, ``1 / (rank - 1 + k)``, over the two rankings."""
    scope = Scope(tenant="north", patient_id="B")
    dense = asyncio.run(DenseRetriever(index, embedder).retrieve(QUESTIONS[0], scope, 100)).ranking.ids
    sparse = asyncio.run(SparseRetriever(index).retrieve(QUESTIONS[0], scope, 100)).ranking.ids
    expected = {
        chunk_id: sum(1 / (ids.index(chunk_id) + 60) for ids in (dense, sparse) if chunk_id in ids)
        for chunk_id in {*dense, *sparse}
    }
    found = ask(index, embedder, FusionSettings())
    assert {hit.chunk_id: hit.score for hit in found.ranking.hits} == pytest.approx(expected)


@pytest.mark.parametrize(
    "fusion", [FusionSettings(method="dbsf"), FusionSettings(k=2), FusionSettings(weights=(0.9, 0.1))], ids=str
)
def test_the_way_of_fusing_changes_the_scores(
    index: QdrantIndex, embedder: MiniLMEmbedder, fusion: FusionSettings
) -> None:
    """Each setting reaches Qdrant and the fingerprint, and none reaches beyond the scope."""
    found, usual = ask(index, embedder, fusion), ask(index, embedder, FusionSettings())
    assert set(found.ranking.ids) == set(usual.ranking.ids) == {"dose", "renal", "storage", "policy", "note-b"}
    assert [hit.score for hit in found.ranking.hits] != [hit.score for hit in usual.ranking.hits]
    prints = {FusedRetriever(index, embedder, fusion=each).fingerprint for each in (fusion, FusionSettings())}
    assert len(prints) == 2


def test_a_minimum_score_is_on_the_fused_scale(index: QdrantIndex, embedder: MiniLMEmbedder) -> None:
    """The best fused score with k of 60 is 2/60, so that 0.033 leaves at most the best."""
    assert len(ask(index, embedder, FusionSettings(), minimum=0.033).passages) <= 1
    assert ask(index, embedder, FusionSettings(), minimum=0.5).passages == ()


@pytest.mark.parametrize("wrong", [{"weights": (1, 0)}, {"method": "dbsf", "weights": (1, 1)}, {"k": 0}])
def test_settings_that_do_not_fit_are_refused(wrong: dict[str, object]) -> None:
    """A weight of 0 and weights for dbsf have no meaning."""
    with pytest.raises(ValueError, match=r"weights|greater"):
        FusionSettings.model_validate(wrong)


def test_a_query_needs_a_vector() -> None:
    """Nothing to search for is a mistake of the caller."""
    with pytest.raises(ValueError, match="needs a dense vector"):
        Query()


@given(st.dictionaries(st.text(min_size=1, max_size=8), st.floats(0.01, 100), max_size=20))
def test_a_sparse_vector_keeps_all_weight(weights: dict[str, float]) -> None:
    """Indices rise without repetition, as Qdrant demands, and what collides adds up."""
    vector = SparseVector.of(weights)
    assert list(vector.indices) == sorted(set(vector.indices))
    assert all(0 <= number < 2**32 for number in vector.indices)
    assert sum(vector.values) == pytest.approx(sum(weights.values()))
