"""Retrieval from the index: by meaning, by words, or by both, the eligibility filter inside each search."""

import asyncio

from primum.corpus.index import FusionSettings, SearchSettings
from primum.corpus.open import QdrantIndex
from primum.corpus.qdrant import Query
from primum.corpus.sparse import SparseVector
from primum.digest import digest
from primum.errors import IndexMismatchError
from primum.protocols import Embedder
from primum.records import Retrieval, Scope
from primum.retrieval.candidates import Candidates, checked_limit, retrieval
from primum.retrieval.guard import guarded
from primum.retrieval.lexical import Postings


class DenseRetriever:
    """Embeds the question and searches for the nearest vectors.

    Score ties keep the order that Qdrant gave.

    Args:
        index: verified and open.
        embedder: the one that the index was built with, or a cache of it.
        search: how the index is searched.

    Raises:
        IndexMismatchError: `embedder` is not the one that the index was built with.
    """

    def __init__(self, index: QdrantIndex, embedder: Embedder, search: SearchSettings | None = None) -> None:
        self._index = _same_embedder(index, embedder)
        self._embedder = embedder
        self._search = search or SearchSettings()

    @property
    def fingerprint(self) -> str:
        """Covers the index, its embedder and the search settings."""
        return f"dense@{digest({'index': self._index.fingerprint, 'search': self._search.content()})}"

    async def retrieve(self, question: str, scope: Scope, limit: int) -> Retrieval:
        """At most `limit` passages, by falling cosine.

        Raises:
            ScopeLeakError: the search returned what its filter forbids, or a point that was changed.
            EndpointError: the server or the embedding endpoint failed.
        """
        return await asyncio.to_thread(self._retrieve, question, scope, limit)

    def _retrieve(self, question: str, scope: Scope, limit: int) -> Retrieval:
        query = Query(dense=self._embedder.embed([question])[0])
        return _found(self._index, query, scope, limit, self._search)


class SparseRetriever:
    """BM25 by Qdrant's sparse vectors; idf is that of the eligible chunks, told from the sources.

    Differs from `BM25Retriever` in one thing: lengths are compared with the mean of all published chunks, which is
    fixed when the index is built.
    """

    def __init__(self, index: QdrantIndex, search: SearchSettings | None = None) -> None:
        self._index = index
        self._weigher = _Weigher(index)
        self._search = search or SearchSettings()

    @property
    def fingerprint(self) -> str:
        """Covers the index and the search settings."""
        return f"sparse@{digest({'index': self._index.fingerprint, 'search': self._search.content()})}"

    async def retrieve(self, question: str, scope: Scope, limit: int) -> Retrieval:
        """At most `limit` passages that share a word with the question, by falling BM25 score.

        Raises:
            ScopeLeakError: the search returned what its filter forbids, or a point that was changed.
            EndpointError: the server failed.
        """
        return await asyncio.to_thread(self._retrieve, question, scope, limit)

    def _retrieve(self, question: str, scope: Scope, limit: int) -> Retrieval:
        words = self._weigher.weigh(question, scope)
        if not words.indices:
            checked_limit(limit)
            return retrieval(())
        return _found(self._index, Query(sparse=words), scope, limit, self._search)


class FusedRetriever:
    """Both searches in one request, fused by Qdrant; `SearchSettings.min_score` is then on the fused scale.

    Raises:
        IndexMismatchError: `embedder` is not the one that the index was built with.
    """

    def __init__(
        self,
        index: QdrantIndex,
        embedder: Embedder,
        search: SearchSettings | None = None,
        fusion: FusionSettings | None = None,
    ) -> None:
        self._index = _same_embedder(index, embedder)
        self._embedder = embedder
        self._weigher = _Weigher(index)
        self._search = search or SearchSettings()
        self._fusion = fusion or FusionSettings()

    @property
    def fingerprint(self) -> str:
        """Covers the index, its embedder, the search settings and the fusion."""
        identity = {
            "index": self._index.fingerprint,
            "search": self._search.content(),
            "fusion": self._fusion.content(),
        }
        return f"fused@{digest(identity)}"

    async def retrieve(self, question: str, scope: Scope, limit: int) -> Retrieval:
        """At most `limit` passages by falling fused score.

        Raises:
            ScopeLeakError: the search returned what its filter forbids, or a point that was changed.
            EndpointError: the server or the embedding endpoint failed.
        """
        return await asyncio.to_thread(self._retrieve, question, scope, limit)

    def _retrieve(self, question: str, scope: Scope, limit: int) -> Retrieval:
        query = Query(dense=self._embedder.embed([question])[0], sparse=self._weigher.weigh(question, scope))
        return _found(self._index, query, scope, limit, self._search, self._fusion)


class _Weigher:
    """Weighs the words of a question by their idf among the chunks that a scope may see."""

    def __init__(self, index: QdrantIndex) -> None:
        self._candidates = Candidates(list(index.chunks.values()))
        self._postings = Postings(self._candidates.words)

    def weigh(self, question: str, scope: Scope) -> SparseVector:
        return SparseVector.of(self._postings.weights(question, self._candidates.eligible(scope)))


def _same_embedder(index: QdrantIndex, embedder: Embedder) -> QdrantIndex:
    if embedder.fingerprint != index.manifest.embedder:
        raise IndexMismatchError("the index was built with another embedder than this one; run: primum index")
    return index


def _found(
    index: QdrantIndex,
    query: Query,
    scope: Scope,
    limit: int,
    search: SearchSettings,
    fusion: FusionSettings | None = None,
) -> Retrieval:
    found = index.search(query, scope, checked_limit(limit), search, fusion)
    passages = guarded(found, index.chunks, scope)
    return retrieval(zip(passages, (point.score for point in found), strict=True))
