"""A retriever behind HTTP, against a real server on the loopback interface."""

import asyncio
import json
import threading
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from primum.errors import (
    AuthenticationError,
    ConfigError,
    EndpointTimeoutError,
    MalformedReplyError,
    RateLimitError,
    UnavailableError,
)
from primum.records import Chunk, Retrieval, Scope
from primum.retrieval.http import HTTPRetriever, HTTPRetrieverSettings

SCOPE = Scope(tenant="north", patient_id="A")


class Server(ThreadingHTTPServer):
    """Answers every POST with what it is told."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.status = 200
        self.body = b'{"results": []}'
        self.headers: dict[str, str] = {}
        self.drip = False
        self.over = threading.Event()
        self.asked: list[tuple[Any, str | None]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/search"


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        server = self.server
        assert isinstance(server, Server)
        raw = self.rfile.read(int(self.headers.get("content-length", "0")))
        server.asked.append((json.loads(raw), self.headers.get("authorization")))
        self.send_response(server.status)
        for name, value in server.headers.items():
            self.send_header(name, value)
        self.end_headers()
        for at in range(0, len(server.body), 1 if server.drip else 1_000_000):
            if server.drip and server.over.wait(0.1):
                return
            self.wfile.write(server.body[at : at + (1 if server.drip else 1_000_000)])

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name that http.server uses
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield running
        running.over.set()
        running.shutdown()
        thread.join()


def ask(server: Server, ward: Sequence[Chunk], limit: int = 5, **settings: Any) -> Retrieval:
    with HTTPRetriever(HTTPRetrieverSettings(url=server.url, **settings), ward) as retriever:
        return asyncio.run(retriever.retrieve("which dose?", SCOPE, limit))


def test_results_are_tied_to_the_corpus(server: Server, ward: Sequence[Chunk]) -> None:
    """Ids and objects; text where the system gives it; the scope goes with the question."""
    server.body = json.dumps({"results": ["dose", {"id": "note-b", "score": 0.5, "text": "as used"}]}).encode()
    found = ask(server, ward)
    assert [(hit.chunk_id, hit.score) for hit in found.ranking.hits] == [("dose", None), ("note-b", 0.5)]
    assert found.passages[1].text == "as used"
    assert found.passages[1].patient_id == "B"
    assert server.asked[0][0] == {"question": "which dose?", "tenant": "north", "patient_id": "A", "limit": 5}
    assert ask(server, ward, limit=1).ranking.ids == ("dose",)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>",
        b"[]",
        b"{}",
        b'{"results": 5}',
        b'{"results": [5]}',
        b'{"results": [{}]}',
        b'{"results": [{"id": "dose", "score": NaN}]}',
        b'{"results": [{"id": "dose", "text": 5}]}',
        b'{"results": ["gone"]}',
        b"[" * 100_000,
        b'{"results": ["' + b"x" * 17_000_000 + b'"]}',
    ],
)
def test_a_reply_that_is_not_as_agreed_is_an_error(server: Server, ward: Sequence[Chunk], body: bytes) -> None:
    """Distinct from a miss, and not quoted."""
    server.body = body
    with pytest.raises(MalformedReplyError) as caught:
        ask(server, ward)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("status", "error"),
    [(401, AuthenticationError), (403, AuthenticationError), (429, RateLimitError), (503, UnavailableError),
     (302, MalformedReplyError), (404, MalformedReplyError)],
)  # fmt: skip
def test_refusals_are_told_apart(server: Server, ward: Sequence[Chunk], status: int, error: type[Exception]) -> None:
    """What the server writes is not quoted."""
    server.status, server.body, server.headers = status, b"secret", {"retry-after": "7"}
    with pytest.raises(error) as caught:
        ask(server, ward)
    assert "secret" not in str(caught.value)
    if isinstance(caught.value, RateLimitError):
        assert caught.value.retry_after == 7


def test_a_reply_that_drips_in_ends_at_the_deadline(server: Server, ward: Sequence[Chunk]) -> None:
    """Each read is quick, the whole is not."""
    server.body, server.drip = b'{"results": [' + b" " * 1000, True
    with pytest.raises(EndpointTimeoutError, match=r"within 0\.5 s"):
        ask(server, ward, timeout_seconds=0.5)


def test_nothing_at_the_address(ward: Sequence[Chunk]) -> None:
    """A refused connection; the password in the address stays out of the message."""
    settings = HTTPRetrieverSettings(url="http://me:hush@127.0.0.1:9/search")
    with HTTPRetriever(settings, ward) as retriever, pytest.raises(UnavailableError) as caught:
        asyncio.run(retriever.retrieve("q", SCOPE, 5))
    assert "hush" not in str(caught.value)


def test_the_key_is_sent_and_never_shown(
    server: Server, ward: Sequence[Chunk], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A missing variable is named before anything is sent."""
    with pytest.raises(ConfigError, match="PRIMUM_TEST_SEARCH_KEY"):
        ask(server, ward, api_key_env="PRIMUM_TEST_SEARCH_KEY")
    monkeypatch.setenv("PRIMUM_TEST_SEARCH_KEY", "k-4711")
    ask(server, ward, api_key_env="PRIMUM_TEST_SEARCH_KEY")
    assert [key for _, key in server.asked] == ["Bearer k-4711"]


def test_only_http_addresses_are_taken() -> None:
    """No file, no bare word."""
    for url in ("file:///etc/passwd", "search", "http://"):
        with pytest.raises(ValueError, match="url must be like"):
            HTTPRetrieverSettings(url=url)
