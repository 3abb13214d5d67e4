"""Opening an index for search, which verifies it against the sources first."""

from collections.abc import Mapping, Sequence
from typing import Self

from primum.corpus.build import Progress, fill, read_manifest
from primum.corpus.index import (
    FusionSettings,
    IndexManifest,
    QdrantSettings,
    SearchSettings,
    chunks_by_id,
    manifest_of,
    point_id,
    sparse_encoder,
)
from primum.corpus.qdrant import FoundPoint, QdrantCollection, Query
from primum.corpus.verification import check_manifest, check_points, check_vectors, probe_sample
from primum.digest import digest
from primum.errors import IndexMismatchError
from primum.protocols import Embedder
from primum.records import Chunk, Scope


class QdrantIndex:
    """A verified index; made by `open_index`. Close it, or use it as a context manager."""

    def __init__(
        self, collection: QdrantCollection, place: str, manifest: IndexManifest, chunks: Mapping[str, Chunk]
    ) -> None:
        self._collection = collection
        self.place = place
        """Where it is, in words."""
        self.manifest = manifest
        self.chunks = chunks
        """The chunks of the corpus by id, from the sources."""
        self.probed = 0
        """Stored texts that `verify` embedded again."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Frees the folder's lock or the connection; may be called twice."""
        self._collection.close()

    @property
    def fingerprint(self) -> str:
        """Identity of the content and of the engine that ranks it; the place does not matter."""
        engine = "embedded" if self._collection.embedded else "server"
        return digest({"manifest": self.manifest.content(), "engine": engine})

    def search(
        self,
        query: Query,
        scope: Scope,
        limit: int,
        search: SearchSettings | None = None,
        fusion: FusionSettings | None = None,
    ) -> list[FoundPoint]:
        """The best `limit` points that `scope` may see, in Qdrant's order.

        Raises:
            EndpointError: the server did not do its part.
        """
        return self._collection.search(query, scope, limit, search or SearchSettings(), fusion)

    def search_unfiltered(self, query: Query, limit: int) -> list[FoundPoint]:
        """The best `limit` points whoever may see them. For diagnostics: nothing of it may reach a generator."""
        return self._collection.search_unfiltered(query, limit, SearchSettings())

    def verify(self, embedder: Embedder) -> None:
        """Compares the index with the sources: its manifest, every id and payload, the vectors of a sample.

        Raises:
            IndexMismatchError: it does not hold what it should, or was built with another embedder.
        """
        expected = manifest_of(list(self.chunks.values()), embedder=embedder.fingerprint, dimension=embedder.dimension)
        check_manifest(read_manifest(self._collection.metadata(), self.place), expected, self.place)
        count = self._collection.count()
        if count != expected.points:
            raise IndexMismatchError(
                f"{self.place} holds {count} points, expected {expected.points}; run: primum index"
            )
        check_points(self._collection.points(), self.chunks, self.place)
        sample = probe_sample(self.chunks)
        stored = self._collection.vectors([point_id(chunk.id) for chunk in sample])
        check_vectors(sample, stored, embedder, sparse_encoder(list(self.chunks.values())), self.place)
        self.probed = len(sample)


def open_index(
    settings: QdrantSettings,
    embedder: Embedder,
    expected_chunks: Sequence[Chunk],
    *,
    progress: Progress | None = None,
) -> QdrantIndex:
    """Opens and verifies an index; one in memory is built first, and `progress` is told of that.

    Raises:
        IndexMismatchError: the index is missing, incomplete, changed, or built from other chunks or with another
            embedder; the message says what to run.
        UsageError: another process uses the folder.
        EndpointError: the server or the embedding endpoint failed.
    """
    chunks = chunks_by_id(expected_chunks)
    manifest = manifest_of(expected_chunks, embedder=embedder.fingerprint, dimension=embedder.dimension)
    collection = QdrantCollection(settings)
    try:
        if settings.memory:
            fill(collection, settings.place, expected_chunks, embedder, manifest, progress)
        index = QdrantIndex(collection, settings.place, manifest, chunks)
        index.verify(embedder)
    except BaseException:
        collection.close()
        raise
    return index
