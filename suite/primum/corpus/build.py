"""Building an index: a build that did not reach its end is never read as complete."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from primum.corpus.index import (
    IndexInfo,
    IndexManifest,
    QdrantSettings,
    embedding_text,
    manifest_of,
    point_id,
    point_payload,
    sparse_encoder,
)
from primum.corpus.qdrant import QdrantCollection
from primum.errors import ConfigError, IndexMismatchError, MalformedReplyError, UsageError
from primum.protocols import Embedder
from primum.records import Chunk

Progress = Callable[[int, int], None]
"""Called with the chunks done and the chunks in all."""

BATCH: Final = 32
"""Chunks embedded and written at a time."""

MANIFEST_KEY: Final = "primum_manifest"
COMPLETE_KEY: Final = "primum_complete"


def build_index(
    settings: QdrantSettings,
    chunks: Sequence[Chunk],
    embedder: Embedder,
    *,
    progress: Progress | None = None,
    reuse: bool = False,
) -> IndexInfo:
    """Embeds the chunks and keeps them in a folder or on a server, in place of Primum's earlier index there.

    Args:
        settings: the place; not in memory, where `open_index` builds.
        chunks: every chunk of the corpus, eligible for anybody or not: the search filters.
        embedder: what turns a chunk's title, heading and text into a vector.
        progress: told after each batch.
        reuse: keep a complete index of the same chunks and embedder instead of building it again.

    Raises:
        ConfigError: the place is in memory.
        UsageError: a collection of that name is there and is not Primum's, or the folder is in use.
        DatasetError: no chunks, or an id twice.
        EndpointError: the server or the embedding endpoint failed; the index is then incomplete and says so.
    """
    if settings.memory:
        raise ConfigError("an index in memory is built when it is opened; set index.path or index.url to keep one")
    manifest = manifest_of(chunks, embedder=embedder.fingerprint, dimension=embedder.dimension)
    documents = len({chunk.key.document_id for chunk in chunks})
    with QdrantCollection(settings, create=True) as collection:
        if reuse and _holds(collection, manifest):
            return IndexInfo(place=settings.place, manifest=manifest, documents=documents, reused=True)
        fill(collection, settings.place, chunks, embedder, manifest, progress)
    return IndexInfo(place=settings.place, manifest=manifest, documents=documents)


def drop_index(settings: QdrantSettings) -> bool:
    """Deletes Primum's collection, such as one that was made for a single CI run; False when there is none.

    Raises:
        UsageError: the collection is not Primum's, or the folder is in use.
        EndpointError: the server failed.
    """
    if settings.memory or (settings.path is not None and not settings.path.exists()):
        return False
    with QdrantCollection(settings, create=True) as collection:
        before = collection.metadata()
        if before is None:
            return False
        _refuse_foreign(before, settings.place)
        collection.drop()
        return True


def throwaway(settings: QdrantSettings, commit: str) -> QdrantSettings:
    """The same place with a collection of its own for a commit, so that CI runs at once do not meet.

    Raises:
        UsageError: `commit` is not a hexadecimal commit id of at least 7 digits.
    """
    if not re.fullmatch(r"[0-9a-f]{7,64}", commit):
        raise UsageError(f"{commit[:40]!r} is not a commit id; give at least its first 7 hexadecimal digits")
    return settings.model_copy(update={"collection": f"{settings.collection[:180]}-{commit[:12]}"})


def fill(
    collection: QdrantCollection,
    place: str,
    chunks: Sequence[Chunk],
    embedder: Embedder,
    manifest: IndexManifest,
    progress: Progress | None,
) -> None:
    """Writes a new collection, the mark that it is complete last."""
    before = collection.metadata()
    if before is not None:
        _refuse_foreign(before, place)
        collection.drop()
    collection.create(manifest.dimension, {MANIFEST_KEY: manifest.content(), COMPLETE_KEY: False})
    if MANIFEST_KEY not in (collection.metadata() or {}):
        raise IndexMismatchError(f"{place} does not keep what it is told of itself; it must be Qdrant 1.16 or later")
    encoder = sparse_encoder(chunks)
    for start in range(0, len(chunks), BATCH):
        batch = chunks[start : start + BATCH]
        vectors = _checked(embedder.embed([embedding_text(chunk) for chunk in batch]), len(batch), manifest.dimension)
        collection.write(
            [point_id(chunk.id) for chunk in batch],
            vectors,
            encoder.vectors([chunk.id for chunk in batch]),
            [point_payload(chunk) for chunk in batch],
        )
        if progress is not None:
            progress(start + len(batch), len(chunks))
    written = collection.count()
    if written != manifest.points:
        raise IndexMismatchError(f"{place} holds {written} points after writing {manifest.points}; run: primum index")
    collection.mark({COMPLETE_KEY: True})


def read_manifest(metadata: Mapping[str, Any] | None, place: str) -> IndexManifest:
    """The manifest of a complete index.

    Raises:
        IndexMismatchError: no index, one that is not Primum's, or one whose build did not reach its end.
    """
    if metadata is None:
        raise IndexMismatchError(f"there is no {place}; run: primum index")
    if MANIFEST_KEY not in metadata:
        raise IndexMismatchError(f"{place} was not made by Primum; set index.collection to another name")
    if metadata.get(COMPLETE_KEY) is not True:
        raise IndexMismatchError(f"{place} is incomplete: its build did not reach its end; run: primum index")
    try:
        return IndexManifest.model_validate(metadata[MANIFEST_KEY])
    except ValidationError:
        raise IndexMismatchError(f"{place} was written by another version of Primum; run: primum index") from None


def _refuse_foreign(metadata: Mapping[str, Any], place: str) -> None:
    if MANIFEST_KEY not in metadata:
        raise UsageError(f"{place} was not made by Primum and is left alone; set index.collection to another name")


def _holds(collection: QdrantCollection, manifest: IndexManifest) -> bool:
    metadata = collection.metadata()
    return (
        metadata is not None
        and metadata.get(COMPLETE_KEY) is True
        and metadata.get(MANIFEST_KEY) == manifest.content()
        and collection.count() == manifest.points
    )


def _checked(vectors: NDArray[np.float32], rows: int, dimension: int) -> NDArray[np.float32]:
    if vectors.shape != (rows, dimension):
        raise MalformedReplyError(
            f"the embedder gave vectors of shape {vectors.shape} for {rows} texts, expected {(rows, dimension)}; "
            "check index.embedder"
        )
    if not np.isfinite(vectors).all() or not vectors.any(axis=1).all():
        raise MalformedReplyError("the embedder gave a vector that is zero or not finite; check index.embedder")
    return vectors
