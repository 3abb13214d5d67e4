"""One Qdrant collection: embedded or on a server, by the same calls. The only module that imports qdrant_client.

A folder of an embedded Qdrant holds pickled points, so open only folders that Primum or you wrote.
"""

import os
import pickle
import sqlite3
import warnings
import weakref
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

import httpx
import numpy as np
import portalocker  # comes with qdrant_client, which locks its folders with it
from numpy.typing import NDArray
from qdrant_client import QdrantClient, models
from qdrant_client.common.client_exceptions import ResourceExhaustedResponse
from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse

from primum.corpus.index import FusionSettings, QdrantSettings, SearchSettings
from primum.corpus.sparse import SparseVector
from primum.errors import (
    AuthenticationError,
    ConfigError,
    EndpointTimeoutError,
    IndexMismatchError,
    MalformedReplyError,
    RateLimitError,
    UnavailableError,
    UsageError,
)
from primum.records import SHARED_TENANT, PublicationState, Scope

DENSE: Final = "dense"
"""Name of the vector that embeddings are kept under."""
SPARSE: Final = "bm25"
"""Name of the vector that weighted words are kept under."""

_PAGE: Final = 256
_FILTERED: Final = ("state", "tenant", "patient_id")


@dataclass(frozen=True)
class Query:
    """What is searched for: a dense vector, a sparse one, or both to be fused."""

    dense: NDArray[np.float32] | None = None
    sparse: SparseVector | None = None

    def __post_init__(self) -> None:
        if self.dense is None and self.sparse is None:
            raise ValueError("a query needs a dense vector, a sparse one, or both")


@dataclass(frozen=True)
class FoundPoint:
    """One point as a search returned it."""

    id: str
    score: float
    payload: Mapping[str, Any]


def eligibility(scope: Scope) -> models.Filter:
    """What every search must satisfy: published, own or shared tenant, own patient or none.

    "None" means a stored null: a point without the field was not written by Primum and stays invisible.
    """
    patients: list[models.Condition] = [models.IsNullCondition(is_null=models.PayloadField(key="patient_id"))]
    if scope.patient_id is not None:
        own = models.MatchValue(value=scope.patient_id)
        patients.append(models.FieldCondition(key="patient_id", match=own))
    return models.Filter(
        must=[
            models.FieldCondition(key="state", match=models.MatchValue(value=PublicationState.PUBLISHED.value)),
            models.FieldCondition(key="tenant", match=models.MatchAny(any=[scope.tenant, SHARED_TENANT])),
            models.Filter(should=patients),
        ]
    )


class QdrantCollection:
    """A connection to one collection. Close it, or use it as a context manager.

    Args:
        settings: the place.
        create: whether a missing folder may be made; without it, a missing folder is an error.

    Raises:
        IndexMismatchError: the folder is missing (without `create`) or cannot be read.
        UsageError: another process uses the folder.
        ConfigError: the environment variable of the key is not set.
    """

    def __init__(self, settings: QdrantSettings, *, create: bool = False) -> None:
        self._settings = settings
        self._name = settings.collection
        self._client = _connect(settings, create=create)
        # Also closes what nobody closed, before the interpreter is taken apart: the client itself would fail then.
        self._closer = weakref.finalize(self, self._client.close)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Frees the folder's lock or the connection; may be called twice."""
        self._closer()

    @property
    def embedded(self) -> bool:
        """Whether the collection is searched in this process, always exactly."""
        return self._settings.url is None

    def metadata(self) -> Mapping[str, Any] | None:
        """What is kept with the collection; None when there is no such collection."""
        with _translated(self._settings):
            if not self._client.collection_exists(self._name):
                return None
            return self._client.get_collection(self._name).config.metadata or {}

    def create(self, dimension: int, metadata: Mapping[str, Any]) -> None:
        """Makes the collection, empty."""
        with _translated(self._settings):
            self._client.create_collection(
                self._name,
                vectors_config={DENSE: models.VectorParams(size=dimension, distance=models.Distance.COSINE)},
                sparse_vectors_config={SPARSE: models.SparseVectorParams()},
                metadata=dict(metadata),
            )
            if not self.embedded:  # an embedded Qdrant filters without payload indexes, and warns of them
                for field in _FILTERED:
                    self._client.create_payload_index(self._name, field, models.PayloadSchemaType.KEYWORD)

    def drop(self) -> None:
        """Deletes the collection."""
        with _translated(self._settings):
            self._client.delete_collection(self._name)

    def mark(self, metadata: Mapping[str, Any]) -> None:
        """Adds to what is kept with the collection."""
        with _translated(self._settings):
            self._client.update_collection(self._name, metadata=dict(metadata))

    def write(
        self,
        ids: Sequence[str],
        dense: NDArray[np.float32],
        sparse: Sequence[SparseVector],
        payloads: Sequence[Mapping[str, Any]],
    ) -> None:
        """Writes points and waits until they can be read."""
        points = [
            models.PointStruct(id=point, vector={DENSE: vector.tolist(), SPARSE: _sparse(words)}, payload=dict(payload))
            for point, vector, words, payload in zip(ids, dense, sparse, payloads, strict=True)
        ]
        with _translated(self._settings):
            self._client.upsert(self._name, points, wait=True)

    def count(self) -> int:
        """Exact number of points."""
        with _translated(self._settings):
            return self._client.count(self._name, exact=True).count

    def points(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Streams id and payload of every point."""
        offset: Any = None
        while True:
            with _translated(self._settings):
                page, offset = self._client.scroll(self._name, limit=_PAGE, offset=offset, with_payload=True)
            for record in page:
                yield str(record.id), record.payload or {}
            if offset is None:
                return

    def vectors(self, ids: Sequence[str]) -> Mapping[str, tuple[NDArray[np.float32], SparseVector]]:
        """The stored vectors of those points that are there and have both."""
        with _translated(self._settings):
            records = self._client.retrieve(self._name, list(ids), with_payload=False, with_vectors=True)
        found: dict[str, tuple[NDArray[np.float32], SparseVector]] = {}
        for record in records:
            vectors: Mapping[str, Any] = record.vector if isinstance(record.vector, dict) else {}
            dense, sparse = vectors.get(DENSE), vectors.get(SPARSE)
            if dense is not None and isinstance(sparse, models.SparseVector):
                weights = dict(zip(sparse.indices, sparse.values, strict=True))
                ordered = sorted(weights)
                words = SparseVector(tuple(ordered), tuple(weights[number] for number in ordered))
                found[str(record.id)] = np.asarray(dense, dtype=np.float32), words
        return found

    def search(
        self, query: Query, scope: Scope, limit: int, search: SearchSettings, fusion: FusionSettings | None = None
    ) -> list[FoundPoint]:
        """The best `limit` points that `scope` may see, in Qdrant's order."""
        return self._search(query, eligibility(scope), limit, search, fusion or FusionSettings())

    def search_unfiltered(
        self, query: Query, limit: int, search: SearchSettings, fusion: FusionSettings | None = None
    ) -> list[FoundPoint]:
        """The best `limit` points whoever may see them. For diagnostics: nothing of it may reach a generator."""
        return self._search(query, None, limit, search, fusion or FusionSettings())

    def _search(
        self, query: Query, allowed: models.Filter | None, limit: int, search: SearchSettings, fusion: FusionSettings
    ) -> list[FoundPoint]:
        # An embedded Qdrant always searches exactly, and warns when it is told to.
        exactly = None if self.embedded else models.SearchParams(exact=search.exact, hnsw_ef=search.hnsw_ef)
        words = None if query.sparse is None else _sparse(query.sparse)
        arguments: dict[str, Any]
        if query.dense is None:
            arguments = {"query": words, "using": SPARSE}
        elif words is None:
            arguments = {"query": query.dense.tolist(), "using": DENSE, "search_params": exactly}
        else:
            depth = max(limit, fusion.depth)
            dense = query.dense.tolist()
            sources = [models.Prefetch(query=dense, using=DENSE, filter=allowed, limit=depth, params=exactly)]
            if words.indices:  # a question without a known word has no sparse ranking
                sources.append(models.Prefetch(query=words, using=SPARSE, filter=allowed, limit=depth))
            arguments = {"prefetch": sources, "query": _fusion(fusion, len(sources))}
        with _translated(self._settings):
            response = self._client.query_points(
                self._name,
                query_filter=allowed,
                limit=limit,
                score_threshold=search.min_score,
                with_payload=True,
                **arguments,
            )
        return [FoundPoint(str(point.id), point.score, point.payload or {}) for point in response.points]


def _sparse(vector: SparseVector) -> models.SparseVector:
    return models.SparseVector(indices=list(vector.indices), values=list(vector.values))


def _fusion(fusion: FusionSettings, sources: int) -> models.FusionQuery | models.RrfQuery:
    if fusion.method == "dbsf":
        return models.FusionQuery(fusion=models.Fusion.DBSF)
    weights = None if fusion.weights is None else list(fusion.weights[:sources])
    return models.RrfQuery(rrf=models.Rrf(k=fusion.k, weights=weights))


def _connect(settings: QdrantSettings, *, create: bool) -> QdrantClient:
    if settings.url is not None:
        key = _api_key(settings)
        with warnings.catch_warnings():
            if settings.loopback:
                # On this machine a key needs no TLS; elsewhere the client warns of it, rightly.
                warnings.filterwarnings("ignore", "Api key is used with an insecure connection")
            # The check at connect time would send a request of its own and only warn.
            return QdrantClient(
                url=settings.url, api_key=key, timeout=settings.timeout_seconds, check_compatibility=False
            )
    if settings.path is None:
        return QdrantClient(location=":memory:", force_disable_check_same_thread=True)
    if not create and not (settings.path / "meta.json").is_file():
        raise IndexMismatchError(f"there is no index in {settings.path}; run: primum index")
    with _translated(settings):
        _refuse_used(settings.path)
        return QdrantClient(path=str(settings.path), force_disable_check_same_thread=True)


def _api_key(settings: QdrantSettings) -> str | None:
    if settings.api_key_env is None:
        return None
    key = os.environ.get(settings.api_key_env)
    if not key:
        raise ConfigError(f"set the environment variable {settings.api_key_env} to the key of {settings.place}")
    return key


def _refuse_used(folder: Path) -> None:
    """Asks for the folder's lock first: the client would read everything before it finds the folder taken."""
    lock = folder / ".lock"
    if not lock.exists():
        return
    with lock.open("r+") as file:
        try:
            portalocker.lock(file, portalocker.LockFlags.EXCLUSIVE | portalocker.LockFlags.NON_BLOCKING)
        except portalocker.exceptions.LockException:
            raise _used(folder) from None
        portalocker.unlock(file)


def _used(folder: Path) -> UsageError:
    return UsageError(
        f"the index in {folder} is in use by another process; wait until it ends, "
        "or set index.url to a Qdrant server, which several processes can use at once"
    )


@contextmanager
def _translated(settings: QdrantSettings) -> Generator[None]:
    """Maps the client's exceptions to ours."""
    try:
        yield
    except (UnexpectedResponse, ResourceExhaustedResponse, ResponseHandlingException) as error:
        raise _server_error(error, settings) from None
    except (sqlite3.Error, pickle.UnpicklingError, EOFError, OSError, RuntimeError, ValueError, KeyError) as error:
        if settings.url is not None:
            raise _not_qdrant(settings) from None
        raise _folder_error(error, settings) from error
    except AssertionError:  # the client's way to say that a reply has no result
        raise _not_qdrant(settings) from None


def _folder_error(error: Exception, settings: QdrantSettings) -> Exception:
    if settings.path is not None and "already accessed" in str(error):
        return _used(settings.path)
    if isinstance(error, sqlite3.OperationalError | OSError):
        return IndexMismatchError(
            f"{settings.place} cannot be read or written ({type(error).__name__}); check the disk and the folder's "
            "permissions, or delete the folder and run: primum index"
        )
    return IndexMismatchError(
        f"{settings.place} is damaged ({type(error).__name__}); delete the folder and run: primum index"
    )


def _server_error(error: Exception, settings: QdrantSettings) -> Exception:
    """Replies are not quoted: they can hold payloads."""
    place = settings.place
    if isinstance(error, ResourceExhaustedResponse):
        return RateLimitError(f"{place}: the server asks to slow down", retry_after=error.retry_after_s)
    if isinstance(error, UnexpectedResponse):
        return _http_error(error.status_code or 0, place)
    source = error.source if isinstance(error, ResponseHandlingException) else None
    if isinstance(source, httpx.TimeoutException):
        seconds = settings.timeout_seconds
        return EndpointTimeoutError(f"{place}: no reply within {seconds} s; look at the server, or allow it more time")
    if isinstance(source, httpx.TransportError):
        return UnavailableError(f"{place}: cannot be reached; check index.url and that Qdrant runs")
    return _not_qdrant(settings)


def _not_qdrant(settings: QdrantSettings) -> MalformedReplyError:
    return MalformedReplyError(f"{settings.place}: the reply is not Qdrant's; check index.url")


def _http_error(status: int, place: str) -> Exception:
    if status in (401, 403):
        return AuthenticationError(f"{place}: the key was refused ({status}); check index.api_key_env")
    if status == 429:
        return RateLimitError(f"{place}: the server asks to slow down")
    if status >= 500:
        return UnavailableError(f"{place}: the server failed ({status}); try again later")
    return MalformedReplyError(f"{place}: the server refused the request ({status}); it must be Qdrant 1.16 or later")
