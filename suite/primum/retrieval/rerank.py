"""A second look at what a retriever found."""

import asyncio
import inspect
import math
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from primum.digest import digest
from primum.errors import MalformedReplyError
from primum.protocols import Retriever
from primum.records import Passage, Retrieval, Scope
from primum.retrieval.candidates import checked_limit, retrieval

Rerank = Callable[[str, Sequence[Passage]], Sequence[float] | Awaitable[Sequence[float]]]
"""Called with the question and the passages; gives a score for each, higher is better."""


class RerankedRetriever:
    """Orders the passages of another retriever by a function's scores; equal scores keep the first order.

    Args:
        retriever: what finds the passages.
        rerank: what scores them, plain or async; a plain one runs in a thread.
        name: names it in messages and in the fingerprint.
        version: to be changed whenever it could score otherwise.
        depth: passages that are scored, or as many as are wanted in the end, if that is more.
    """

    def __init__(self, retriever: Retriever, rerank: Rerank, *, name: str, version: str = "1", depth: int = 50) -> None:
        self._retriever = retriever
        self._rerank: Any = rerank  # whatever it really returns is checked
        self._name = name
        self._version = version
        self._depth = depth

    @property
    def fingerprint(self) -> str:
        """Covers the retriever, the name, the version and the depth."""
        identity = [self._retriever.fingerprint, self._name, self._version, self._depth]
        return f"reranked@{digest(identity)}"

    async def retrieve(self, question: str, scope: Scope, limit: int) -> Retrieval:
        """At most `limit` passages by falling score of the function.

        Raises:
            MalformedReplyError: not a finite score for each passage.
        """
        depth = max(checked_limit(limit), self._depth)
        passages = (await self._retriever.retrieve(question, scope, depth)).passages
        if inspect.iscoroutinefunction(self._rerank):
            returned = await self._rerank(question, passages)
        else:
            returned = await asyncio.to_thread(self._rerank, question, passages)
            if inspect.isawaitable(returned):
                returned = await returned
        try:
            scores = [float(score) for score in returned]
        except (TypeError, ValueError):
            scores = []
        if len(scores) != len(passages) or not all(math.isfinite(score) for score in scores):
            raise MalformedReplyError(f"{self._name} must return a finite score for each of the passages, in order")
        order = sorted(range(len(scores)), key=lambda number: -scores[number])
        return retrieval((passages[number], scores[number]) for number in order[:limit])
