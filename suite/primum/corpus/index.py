"""What a vector index is made from and what must be true of it, whichever engine holds it."""

import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Final, Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, JsonValue, StringConstraints, field_validator, model_validator

from primum.corpus.sparse import SPARSE_VERSION, SparseEncoder
from primum.digest import digest
from primum.errors import DatasetError
from primum.records import Chunk, Record

INDEX_FORMAT: Final = 2
"""Raised whenever the layout of a collection changes; an index of another format is refused."""

_NAMESPACE: Final = uuid.UUID("5a3f0b0e-6f0c-5b7d-9d1c-0d6f2f6b9c11")

CollectionName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$")]


class QdrantSettings(Record):
    """Where the collection is: in memory, in a folder of an embedded Qdrant, or on a server."""

    memory: bool = False
    """In this process only; it is built whenever it is opened."""
    path: Path | None = None
    """Folder of an embedded Qdrant, used by one process at a time."""
    url: str | None = None
    """Address of a Qdrant server (1.16 or later)."""
    collection: CollectionName = "primum"
    api_key_env: str | None = None
    """The environment variable that holds the server's key."""
    timeout_seconds: int = Field(default=30, ge=1)
    """For each request to a server."""

    @model_validator(mode="after")
    def _one_place(self) -> Self:
        if sum([self.memory, self.path is not None, self.url is not None]) != 1:
            raise ValueError("give exactly one of memory: true, path and url")
        return self

    @field_validator("url")
    @classmethod
    def _url_is_an_address(cls, url: str | None) -> str | None:
        parts = urlsplit(url or "http://localhost")
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0:
            raise ValueError("url must be like http://localhost:6333")
        return url

    @property
    def loopback(self) -> bool:
        """Whether the server is on this machine."""
        return self.url is not None and urlsplit(self.url).hostname in ("localhost", "127.0.0.1", "::1")

    @property
    def place(self) -> str:
        """The place in words for messages, free of anything secret that an address can hold."""
        if self.path is not None:
            return f"collection {self.collection} in {self.path}"
        if self.url is not None:
            parts = urlsplit(self.url)
            port = f":{parts.port}" if parts.port else ""
            return f"collection {self.collection} at {parts.scheme}://{parts.hostname}{port}"
        return f"collection {self.collection} in memory"


class SearchSettings(Record):
    """How the index is searched; each of these can change a ranking."""

    exact: bool = True
    """Compare with every eligible vector rather than through the approximate graph."""
    hnsw_ef: int | None = Field(default=None, ge=1)
    """Size of the beam when the search is approximate."""
    min_score: float | None = None
    """Cosine below which a passage is not returned."""

    @model_validator(mode="after")
    def _beam_is_approximate(self) -> Self:
        if self.exact and self.hnsw_ef is not None:
            raise ValueError("hnsw_ef has no effect on an exact search; set exact: false or leave it out")
        return self


class FusionSettings(Record):
    """How Qdrant fuses the dense and the sparse ranking."""

    method: Literal["rrf", "dbsf"] = "rrf"
    """Reciprocal rank fusion, or distribution-based score fusion."""
    k: int = Field(default=60, ge=1)
    """For rrf: how little the first ranks stand out."""
    weights: tuple[float, float] | None = None
    """For rrf: of the dense and of the sparse ranking, above 0."""
    depth: int = Field(default=100, ge=1)
    """Passages asked of each ranking, or as many as are wanted in the end, if that is more."""

    @model_validator(mode="after")
    def _weights_fit(self) -> Self:
        if self.weights is not None and (self.method != "rrf" or min(self.weights) <= 0):
            raise ValueError("weights are two numbers above 0, and go with method: rrf")
        return self


class IndexManifest(Record):
    """What an index says it was built from; kept with the collection and compared before each use."""

    format: int = INDEX_FORMAT
    embedder: str
    """Fingerprint of the embedder."""
    dimension: int
    sparse: str = SPARSE_VERSION
    """How the words of a chunk are weighed."""
    chunking_version: str
    corpus_digest: str
    points: int


class IndexInfo(Record):
    """What `build_index` made."""

    place: str
    manifest: IndexManifest
    documents: int
    reused: bool = False
    """A complete index of the same corpus and embedder was there already and was kept."""


def embedding_text(chunk: Chunk) -> str:
    """What is embedded and searched: title, heading and text, a line each; empty ones are left out."""
    return "\n".join(part for part in (chunk.title, chunk.heading, chunk.text) if part)


def sparse_encoder(chunks: Sequence[Chunk]) -> SparseEncoder:
    """What turns the chunks of a corpus into weighted words."""
    return SparseEncoder((chunk, embedding_text(chunk)) for chunk in chunks)


def point_id(chunk_id: str) -> str:
    """The Qdrant point of a chunk: a UUID that is derived from the chunk id."""
    return str(uuid.uuid5(_NAMESPACE, chunk_id))


def point_payload(chunk: Chunk) -> dict[str, JsonValue]:
    """The payload of a chunk's point, as it is written and as it must be read back."""
    return {
        "document_id": chunk.key.document_id,
        "document_version": chunk.key.document_version,
        "chunk_id": chunk.key.chunk_id,
        "chunking_version": chunk.key.chunking_version,
        "type": chunk.type,
        "state": chunk.state.value,
        "patient_id": chunk.patient_id,
        "tenant": chunk.tenant,
        "title": chunk.title,
        "heading": chunk.heading,
        "text": chunk.text,
        "ordinal": chunk.ordinal,
        "payload": dict(chunk.payload),
    }


def manifest_of(chunks: Sequence[Chunk], *, embedder: str, dimension: int) -> IndexManifest:
    """The manifest that an index of `chunks` must have.

    Raises:
        DatasetError: no chunks, an id twice, or chunks of several chunking versions.
    """
    by_id = chunks_by_id(chunks)
    versions = sorted({chunk.key.chunking_version for chunk in chunks})
    if len(versions) != 1:
        raise DatasetError(f"chunks of several chunking versions in one index: {', '.join(versions)}; chunk them anew")
    content = [point_payload(by_id[chunk_id]) for chunk_id in sorted(by_id)]
    return IndexManifest(
        embedder=embedder,
        dimension=dimension,
        chunking_version=versions[0],
        corpus_digest=digest(content),
        points=len(by_id),
    )


def chunks_by_id(chunks: Sequence[Chunk]) -> Mapping[str, Chunk]:
    """The chunks by their ids.

    Raises:
        DatasetError: no chunks, or an id twice.
    """
    if not chunks:
        raise DatasetError("there is nothing to index: the corpus has no chunks; check dataset.path")
    by_id: dict[str, Chunk] = {}
    for chunk in chunks:
        other = by_id.setdefault(chunk.id, chunk)
        if other is not chunk:
            raise DatasetError(
                f"chunk id {chunk.id} appears twice, in documents {other.key.document_id} and {chunk.key.document_id}"
            )
    return by_id
