"""Dense retrieval: the nearest vectors that the scope may see."""

import asyncio

from primum.corpus.index import SearchSettings
from primum.corpus.open import QdrantIndex
from primum.digest import digest
from primum.errors import IndexMismatchError
from primum.protocols import Embedder
from primum.records import Retrieval, Scope
from primum.retrieval.candidates import checked_limit, retrieval
from primum.retrieval.guard import guarded


class DenseRetriever:
    """Embeds the question and searches a verified index, the eligibility filter inside the search.

    Score ties keep the order that Qdrant gave.

    Raises:
        IndexMismatchError: `embedder` is not the one that the index was built with.
    """

    def __init__(self, index: QdrantIndex, embedder: Embedder, search: SearchSettings | None = None) -> None:
        if embedder.fingerprint != index.manifest.embedder:
            raise IndexMismatchError("the index was built with another embedder than this one; run: primum index")
        self._index = index
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
        checked_limit(limit)
        vector = self._embedder.embed([question])[0]
        found = self._index.search(vector, scope, limit, self._search)
        passages = guarded(found, self._index.chunks, scope)
        return retrieval(zip(passages, (point.score for point in found), strict=True))
