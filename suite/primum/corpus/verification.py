"""Whether an index holds what it should, told from the sources and never from what a search returned."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from primum.corpus.index import IndexManifest, embedding_text, point_id, point_payload
from primum.corpus.sparse import SparseEncoder, SparseVector
from primum.errors import IndexMismatchError
from primum.protocols import Embedder
from primum.records import Chunk

PROBE_SIZE: Final = 8
"""Stored texts that are embedded again."""

MIN_PROBE_COSINE: Final = 0.999
"""Two runs of one model differ in the last bits, and hosted models a little more; two models differ far more."""

_REBUILD: Final = "run: primum index"


def check_manifest(found: IndexManifest, expected: IndexManifest, place: str) -> None:
    """Compares what the index says of itself with what it should say.

    Raises:
        IndexMismatchError: naming the first thing that differs.
    """
    reasons = {
        "format": "was written by another version of Primum",
        "embedder": "was built with another embedder than the one that queries it",
        "dimension": "holds vectors of another length than the embedder's",
        "sparse": "weighs words in another way than this version of Primum",
        "chunking_version": "holds chunks of another chunking",
        "corpus_digest": "was built from other documents",
        "points": "was built from another number of chunks",
    }
    for field, reason in reasons.items():
        was, should = getattr(found, field), getattr(expected, field)
        if was != should:
            raise IndexMismatchError(f"{place} {reason} ({field}: {was}, expected {should}); {_REBUILD}")


def check_points(stored: Iterable[tuple[str, Mapping[str, Any]]], chunks: Mapping[str, Chunk], place: str) -> None:
    """Compares every stored id and payload with the chunks it should hold; `stored` is read as a stream.

    Raises:
        IndexMismatchError: saying how many chunks are missing, changed or unknown, and naming one.
    """
    expected = {point_id(chunk_id): chunk for chunk_id, chunk in chunks.items()}
    seen: set[str] = set()
    unknown: list[str] = []
    changed: list[str] = []
    for point, payload in stored:
        seen.add(point)
        chunk = expected.get(point)
        if chunk is None:
            unknown.append(point)
        elif payload != point_payload(chunk):
            changed.append(chunk.id)
    missing = [chunk.id for point, chunk in expected.items() if point not in seen]
    for kind, names in (("missing", missing), ("changed", changed), ("unknown", unknown)):
        if names:
            raise IndexMismatchError(
                f"{place} does not hold the corpus: {len(names)} of {len(expected)} points {kind}, "
                f"such as {min(names)}; {_REBUILD}"
            )


def probe_sample(chunks: Mapping[str, Chunk], size: int = PROBE_SIZE) -> Sequence[Chunk]:
    """The same chunks each time: half of them the longest, which show another length limit, half spread evenly."""
    longest = sorted(chunks.values(), key=lambda chunk: (-len(chunk.text), chunk.id))[: size // 2]
    ordered = [chunks[chunk_id] for chunk_id in sorted(chunks)]
    step = max(1, len(ordered) // (size - len(longest)))
    return list({chunk.id: chunk for chunk in [*longest, *ordered[::step]]}.values())[:size]


def check_vectors(
    sample: Sequence[Chunk],
    stored: Mapping[str, tuple[NDArray[np.float32], SparseVector]],
    embedder: Embedder,
    encoder: SparseEncoder,
    place: str,
) -> None:
    """Embeds the sample again and compares with the stored vectors, which are by point id.

    Raises:
        IndexMismatchError: a vector is missing, or is not the one that `embedder` or `encoder` gives.
    """
    fresh = embedder.embed([embedding_text(chunk) for chunk in sample])
    words = encoder.vectors([chunk.id for chunk in sample])
    for chunk, vector, weights in zip(sample, fresh, words, strict=True):
        kept = stored.get(point_id(chunk.id))
        if kept is None or kept[0].shape != vector.shape:
            raise IndexMismatchError(f"{place} lacks a vector of the right length for chunk {chunk.id}; {_REBUILD}")
        dense, sparse = kept
        cosine = float(np.dot(dense, vector))
        if not cosine >= MIN_PROBE_COSINE:
            raise IndexMismatchError(
                f"{place} was built with another embedder than the one that queries it: embedding chunk {chunk.id} "
                f"again gives another vector (cosine {cosine:.4f}, at least {MIN_PROBE_COSINE} expected); {_REBUILD}"
            )
        if sparse.indices != weights.indices or not np.allclose(sparse.values, weights.values, rtol=1e-5):
            raise IndexMismatchError(f"{place} holds other weights of words for chunk {chunk.id}; {_REBUILD}")
