"""A small OpenAI-compatible server for tests of whatever talks to a model, over real HTTP on the loopback interface."""

import contextlib
import json
import socket
import struct
import threading
from collections.abc import Callable, Iterable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Final, Self

from primum.testing.fake_reply import FakeReply, FakeRequest

_LONGEST_HANG: Final = 60.0


class FakeEndpoint:
    """Answers ``/v1/chat/completions`` and ``/v1/embeddings`` as scripted; use it as a context manager.

    Args:
        replies: Either the replies in order, the last of which is repeated, or a function of the request.
        key: When given, requests that do not bear it are refused with 401.

    Example:
        >>> from primum.testing import FakeEndpoint, FakeReply
        >>> with FakeEndpoint([FakeReply(text="5 mg once daily")]) as server:
        ...     server.url.startswith("http://127.0.0.1:"), len(server.requests)
        (True, 0)
    """

    def __init__(
        self, replies: Iterable[FakeReply] | Callable[[FakeRequest], FakeReply] = (), *, key: str | None = None
    ) -> None:
        self._reply = replies if callable(replies) else _in_order(replies)
        self._key = key
        self._lock = threading.Lock()
        self._requests: list[FakeRequest] = []
        self._over = threading.Event()
        self._server: _Server | None = None

    @property
    def requests(self) -> tuple[FakeRequest, ...]:
        """What was received so far, in the order of arrival."""
        with self._lock:
            return tuple(self._requests)

    @property
    def url(self) -> str:
        """The ``api_base`` to give to a client; only inside of the ``with`` block."""
        if self._server is None:
            raise RuntimeError("the fake endpoint is not running; use it in a with statement")
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> Self:
        self._over.clear()
        self._server = _Server(self)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        if self._server is not None:
            self._server.shutdown()
            self._server.drop_connections()
            self._server.server_close()
            self._thread.join()
            self._server = None

    def answer(self, request: FakeRequest) -> FakeReply:
        """Logs the request and chooses its reply."""
        with self._lock:
            self._requests.append(request)
            if self._key is not None and request.headers.get("authorization") != f"Bearer {self._key}":
                return FakeReply(status=401)
            return self._reply(request)

    def wait(self, seconds: float) -> bool:
        """Waits, or returns True at once when the server is being closed."""
        return self._over.wait(seconds)


def _in_order(replies: Iterable[FakeReply]) -> Callable[[FakeRequest], FakeReply]:
    left = list(replies) or [FakeReply(text="A fake reply.")]

    def next_reply(_: FakeRequest) -> FakeReply:
        return left.pop(0) if len(left) > 1 else left[0]

    return next_reply


class _Server(ThreadingHTTPServer):
    daemon_threads = False  # closing the server waits for them, so that no thread outlives it

    def __init__(self, endpoint: FakeEndpoint) -> None:
        self.endpoint = endpoint
        self._connections: set[socket.socket] = set()
        super().__init__(("127.0.0.1", 0), _Handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Remembers the connection: a client may keep it open for more requests."""
        self._connections.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """Forgets the connection."""
        self._connections.discard(request)
        super().shutdown_request(request)

    def drop_connections(self) -> None:
        """Ends the connections that clients keep open."""
        for connection in tuple(self._connections):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that leaves early is part of the tests, not an error to print."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = _LONGEST_HANG

    def do_POST(self) -> None:
        endpoint = self._endpoint()
        raw = self.rfile.read(int(self.headers.get("content-length", "0")))
        body: Any = json.loads(raw)
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = FakeRequest(path=self.path, headers=headers, body=body)
        reply = endpoint.answer(request)
        if reply.fault == "hang":
            endpoint.wait(reply.seconds or _LONGEST_HANG)
            self.close_connection = True
            return
        if reply.fault == "reset":
            # Linger of 0 makes close() send RST instead of FIN.
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
            self.close_connection = True
            return
        if reply.fault is None and reply.seconds:
            endpoint.wait(reply.seconds)
        payload = reply.payload(request)
        self.send_response(reply.status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(payload)))
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.end_headers()
        for piece in _pieces(payload, reply):
            self.wfile.write(piece)
            if reply.fault == "drip" and endpoint.wait(reply.seconds or 0.01):
                break
        if reply.fault == "cut":
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name that http.server uses
        """Nothing is printed; requests are in `FakeEndpoint.requests`."""

    def _endpoint(self) -> FakeEndpoint:
        if not isinstance(self.server, _Server):
            raise TypeError("the handler belongs to a fake endpoint")
        return self.server.endpoint


def _pieces(payload: bytes, reply: FakeReply) -> Iterator[bytes]:
    if reply.fault == "cut":
        yield payload[: len(payload) // 2]
    elif reply.fault == "drip":
        for at in range(len(payload)):
            yield payload[at : at + 1]
    else:
        yield payload
