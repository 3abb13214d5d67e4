"""The same index on a server: every request goes over real HTTP to an embedded Qdrant that plays the server."""

import asyncio
import json
import os
import threading
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from qdrant_client import QdrantClient, models

from primum.corpus.build import build_index
from primum.corpus.embedders.minilm import MiniLMEmbedder
from primum.corpus.index import FusionSettings, QdrantSettings, SearchSettings, point_id
from primum.corpus.open import open_index
from primum.corpus.qdrant import eligibility
from primum.errors import (
    AuthenticationError,
    ConfigError,
    EndpointTimeoutError,
    IndexMismatchError,
    MalformedReplyError,
    RateLimitError,
    UnavailableError,
)
from primum.records import Chunk, Scope
from primum.retrieval.qdrant import DenseRetriever, FusedRetriever, SparseRetriever

KEY = "k-4711"


class Server(ThreadingHTTPServer):
    """Hands each request to an embedded Qdrant, or answers with a fault."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.qdrant = QdrantClient(":memory:", force_disable_check_same_thread=True)
        self.lock = threading.Lock()
        self.over = threading.Event()
        self.indexed: list[str] = []
        self.queries: list[models.QueryRequest] = []
        self.keys: set[str | None] = set()
        self.status: int | None = None
        self.hang = False
        self.body: bytes | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do(self) -> None:
        server = self.server
        assert isinstance(server, Server)
        raw = self.rfile.read(int(self.headers.get("content-length", "0")))
        server.keys.add(self.headers.get("api-key"))
        if server.hang:
            server.over.wait(20)
        elif server.status is not None:
            self.reply(server.status, b'{"status": {"error": "secret payload"}}')
        elif server.body is not None:
            self.reply(200, server.body)
        else:
            with server.lock:
                result = answer(server, self.command, self.path.partition("?")[0], json.loads(raw or b"{}"))
            self.reply(200, json.dumps({"result": result, "status": "ok", "time": 0.0}).encode())

    do_GET = do_PUT = do_POST = do_PATCH = do_DELETE = do  # noqa: N815 - the names that http.server calls

    def reply(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name that http.server uses
        pass


def answer(server: Server, method: str, path: str, body: Any) -> Any:
    qdrant = server.qdrant
    name, *rest = path.removeprefix("/collections/").split("/", 1)
    done = {"operation_id": 0, "status": "completed"}
    match (method, rest[0] if rest else ""):
        case ("GET", "exists"):
            return {"exists": qdrant.collection_exists(name)}
        case ("GET", ""):
            return qdrant.get_collection(name).model_dump(mode="json")
        case ("PUT", ""):
            create = models.CreateCollection.model_validate(body)
            return qdrant.create_collection(
                name,
                vectors_config=create.vectors,
                sparse_vectors_config=create.sparse_vectors,
                metadata=create.metadata,
            )
        case ("PATCH", ""):
            return qdrant.update_collection(name, metadata=models.UpdateCollection.model_validate(body).metadata)
        case ("DELETE", ""):
            return qdrant.delete_collection(name)
        case ("PUT", "index"):
            server.indexed.append(body["field_name"])
            return done
        case ("PUT", "points"):
            qdrant.upsert(name, models.PointsList.model_validate(body).points)
            return done
        case ("POST", "points/count"):
            return qdrant.count(name, exact=body["exact"]).model_dump(mode="json")
        case ("POST", "points/scroll"):
            scroll = models.ScrollRequest.model_validate(body)
            points, after = qdrant.scroll(name, limit=scroll.limit or 10, offset=scroll.offset, with_payload=True)
            return {"points": [point.model_dump(mode="json") for point in points], "next_page_offset": after}
        case ("POST", "points"):
            asked = models.PointRequest.model_validate(body)
            found = qdrant.retrieve(name, asked.ids, with_payload=False, with_vectors=True)
            return [point.model_dump(mode="json") for point in found]
        case ("POST", "points/query"):
            query = models.QueryRequest.model_validate(body)
            server.queries.append(query)
            return qdrant.query_points(
                name,
                query=query.query,
                prefetch=query.prefetch,
                using=query.using,
                query_filter=query.filter,
                limit=query.limit or 10,
                score_threshold=query.score_threshold,
            ).model_dump(mode="json")
        case _:
            raise AssertionError(f"unexpected request {method} {path}")


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield running
        running.over.set()
        running.shutdown()
        thread.join()
        running.qdrant.close()


@pytest.fixture
def at(server: Server) -> QdrantSettings:
    return QdrantSettings(url=server.url, timeout_seconds=5)


def test_a_server_is_built_verified_and_searched_like_a_folder(
    server: Server, at: QdrantSettings, chunks: Sequence[Chunk], embedder: MiniLMEmbedder
) -> None:
    """The filter and the search parameters go with the query; the filtered fields are indexed."""
    build_index(at, chunks, embedder)
    assert build_index(at, chunks, embedder, reuse=True).reused
    with open_index(at, embedder, chunks) as index:
        search = SearchSettings(exact=False, hnsw_ef=64)
        found = asyncio.run(
            DenseRetriever(index, embedder, search).retrieve("allergic to penicillin?", Scope(tenant="north"), 5)
        )
        own = asyncio.run(
            DenseRetriever(index, embedder).retrieve(
                "allergic to penicillin?", Scope(tenant="north", patient_id="MRN-1"), 5
            )
        )
    assert "chunk-4" not in found.ranking.ids
    assert own.ranking.ids[0] == "chunk-4"
    assert sorted(server.indexed) == ["patient_id", "state", "tenant"]
    first, second = (query.params for query in server.queries)
    assert first is not None
    assert (first.exact, first.hnsw_ef) == (False, 64)
    assert second is not None
    assert second.exact is True


def test_each_part_of_a_fused_search_is_filtered(
    server: Server, at: QdrantSettings, chunks: Sequence[Chunk], embedder: MiniLMEmbedder
) -> None:
    """The filter stands in both prefetches and around them, so that no server version can leave it out."""
    build_index(at, chunks, embedder)
    with open_index(at, embedder, chunks) as index:
        retriever = FusedRetriever(index, embedder, fusion=FusionSettings(weights=(1, 2)))
        found = asyncio.run(retriever.retrieve("rash after penicillin", Scope(tenant="north"), 5))
        words = asyncio.run(SparseRetriever(index).retrieve("rash after penicillin", Scope(tenant="north"), 5))
    assert len(found.passages) == 4
    assert "chunk-4" not in found.ranking.ids + words.ranking.ids
    fused, sparse = server.queries
    assert isinstance(fused.prefetch, list)
    assert [part.filter for part in fused.prefetch] == [fused.filter, fused.filter]
    assert fused.filter == sparse.filter == eligibility(Scope(tenant="north"))


def test_folder_and_server_are_told_apart_by_the_fingerprint(
    at: QdrantSettings, chunks: Sequence[Chunk], embedder: MiniLMEmbedder
) -> None:
    """Only a server may search approximately."""
    build_index(at, chunks, embedder)
    with open_index(at, embedder, chunks) as remote, open_index(QdrantSettings(memory=True), embedder, chunks) as local:
        assert remote.fingerprint != local.fingerprint


def test_what_changed_on_the_server_is_caught(
    server: Server, at: QdrantSettings, chunks: Sequence[Chunk], embedder: MiniLMEmbedder
) -> None:
    """Somebody else may write to a server at any time."""
    build_index(at, chunks, embedder)
    server.qdrant.set_payload(at.collection, {"tenant": "south"}, points=[point_id("chunk-4")])
    with pytest.raises(IndexMismatchError, match="changed, such as chunk-4"):
        open_index(at, embedder, chunks)


def test_a_key_is_read_from_its_variable_and_sent(
    server: Server, chunks: Sequence[Chunk], embedder: MiniLMEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the variable nothing is sent; the message names the variable."""
    at = QdrantSettings(url=server.url, api_key_env="PRIMUM_TEST_QDRANT_KEY")
    assert "PRIMUM_TEST_QDRANT_KEY" not in os.environ
    with pytest.raises(ConfigError, match="PRIMUM_TEST_QDRANT_KEY"):
        build_index(at, chunks, embedder)
    assert server.keys == set()
    monkeypatch.setenv("PRIMUM_TEST_QDRANT_KEY", KEY)
    build_index(at, chunks, embedder)
    assert server.keys == {KEY}


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (401, AuthenticationError),
        (403, AuthenticationError),
        (429, RateLimitError),
        (500, UnavailableError),
        (503, UnavailableError),
        (404, MalformedReplyError),
    ],
)
def test_refusals_are_told_apart_and_not_quoted(
    server: Server,
    at: QdrantSettings,
    chunks: Sequence[Chunk],
    embedder: MiniLMEmbedder,
    status: int,
    error: type[Exception],
) -> None:
    """The server's text can hold payloads."""
    server.status = status
    with pytest.raises(error) as caught:
        open_index(at, embedder, chunks)
    assert "secret" not in str(caught.value)
    assert server.url in str(caught.value)


def test_a_server_that_does_not_answer_in_time(
    server: Server, chunks: Sequence[Chunk], embedder: MiniLMEmbedder
) -> None:
    """The deadline is the setting's."""
    server.hang = True
    with pytest.raises(EndpointTimeoutError, match="within 1 s"):
        open_index(QdrantSettings(url=server.url, timeout_seconds=1), embedder, chunks)


def test_a_server_that_is_not_there(chunks: Sequence[Chunk], embedder: MiniLMEmbedder) -> None:
    """Port 9 of this machine takes no connections; a password in the address stays out of the message."""
    with pytest.raises(UnavailableError, match=r"at http://127\.0\.0\.1:9: cannot be reached") as caught:
        open_index(QdrantSettings(url="http://me:hush@127.0.0.1:9"), embedder, chunks)
    assert "hush" not in str(caught.value)


def test_a_server_that_is_not_qdrant(
    server: Server, at: QdrantSettings, chunks: Sequence[Chunk], embedder: MiniLMEmbedder
) -> None:
    """Another service at that address."""
    for body in (b"<html>hello</html>", b'{"result": 7}', b'{"result": null}'):
        server.body = body
        with pytest.raises(MalformedReplyError, match="not Qdrant's"):
            open_index(at, embedder, chunks)
