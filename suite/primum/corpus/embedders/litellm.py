"""Any embedding model that litellm knows, by its name."""

import asyncio
import threading
import weakref
from collections.abc import Sequence
from concurrent.futures import Future

import numpy as np
from numpy.typing import NDArray

from primum.digest import digest
from primum.endpoint import Endpoint
from primum.endpoint.embeddings import embed
from primum.errors import MalformedReplyError


class LiteLLMEmbedder:
    """Embeds through an endpoint and gives unit vectors.

    The requests run on an event loop of the embedder's own, so that `embed` can be called from any thread, within a
    running loop or outside, and connections are kept between calls.

    Args:
        endpoint: the embedding model and how to ask it.
        dimension: length of its vectors; another length in a reply is an error.
    """

    def __init__(self, endpoint: Endpoint, *, dimension: int) -> None:
        self._endpoint = endpoint
        self._dimension = dimension
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lock = threading.Lock()
        self._tasks: set[asyncio.Task[object]] = set()

    @property
    def fingerprint(self) -> str:
        """Covers the model, its address and parameters. What the provider changes behind a name only a probe shows."""
        identity = {
            "model": self._endpoint.model,
            "api_base": self._endpoint.api_base,
            "parameters": dict(self._endpoint.parameters),
            "dimension": self._dimension,
            "norm": "L2",
        }
        return f"{self._endpoint.model}@{digest(identity)}"

    @property
    def dimension(self) -> int:
        """As given."""
        return self._dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors of shape ``(len(texts), dimension)``.

        Raises:
            EndpointError: the endpoint failed, or its vectors cannot be used.
        """
        if not texts:
            return np.empty((0, self._dimension), dtype=np.float32)
        pending = asyncio.run_coroutine_threadsafe(self._embed(texts), self._running_loop())
        try:
            vectors = pending.result()
        except BaseException:
            pending.cancel()
            raise
        if vectors.shape != (len(texts), self._dimension):
            raise MalformedReplyError(
                f"{self._endpoint.model} gave vectors of shape {vectors.shape} for {len(texts)} texts; "
                f"index.embedder.dimension is {self._dimension}"
            )
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not norms.all():
            raise MalformedReplyError(f"{self._endpoint.model} gave a vector of zeros, which has no direction")
        unit: NDArray[np.float32] = (vectors / norms).astype(np.float32)
        return unit

    async def _embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        try:
            return await embed(self._endpoint, texts)
        finally:
            # litellm's background task is for the loop that used it last, and a loop holds its tasks only weakly:
            # held here, it is cancelled with this loop instead of being lost when another loop asks a model.
            self._tasks = {task for task in asyncio.all_tasks() if task is not asyncio.current_task()}

    def _running_loop(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                started: Future[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = Future()
                thread = threading.Thread(
                    target=lambda: asyncio.run(_wait(started)), name="primum-embedder", daemon=True
                )
                thread.start()
                self._loop, stop = started.result()
                weakref.finalize(self, _end, self._loop, stop, thread)
            return self._loop


async def _wait(started: "Future[tuple[asyncio.AbstractEventLoop, asyncio.Event]]") -> None:
    stop = asyncio.Event()
    started.set_result((asyncio.get_running_loop(), stop))
    await stop.wait()


def _end(loop: asyncio.AbstractEventLoop, stop: asyncio.Event, thread: threading.Thread) -> None:
    loop.call_soon_threadsafe(stop.set)
    thread.join()
