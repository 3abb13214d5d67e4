"""Several retrievers as one, by reciprocal rank fusion."""

import asyncio
from collections import defaultdict
from collections.abc import Sequence

from primum.digest import digest
from primum.errors import ConfigError
from primum.protocols import Retriever
from primum.records import Passage, Retrieval, Scope
from primum.retrieval.candidates import checked_limit, retrieval


class HybridRetriever:
    """Adds up ``weight / (k + rank)`` over the retrievers; equal sums are ordered by chunk id.

    Args:
        retrievers: at least two, over the same corpus.
        weights: one for each retriever, above 0; equal when left out.
        k: how little the first ranks stand out, 1 or more.
        depth: passages asked of each retriever. Up to this limit a short ranking is the start of a longer one.

    Raises:
        ConfigError: fewer than two retrievers, or weights that do not fit them.

    Source: Cormack, Clarke and Büttcher, Reciprocal Rank Fusion (SIGIR 2009).
    """

    def __init__(
        self,
        retrievers: Sequence[Retriever],
        *,
        weights: Sequence[float] | None = None,
        k: int = 60,
        depth: int = 100,
    ) -> None:
        weights = (1.0,) * len(retrievers) if weights is None else tuple(weights)
        if len(retrievers) < 2:
            raise ConfigError("a hybrid needs at least two retrievers")
        if len(weights) != len(retrievers) or not all(weight > 0 for weight in weights):
            raise ConfigError(f"a hybrid of {len(retrievers)} retrievers needs as many weights, each above 0")
        if k < 1 or depth < 1:
            raise ConfigError("k and depth of a hybrid must be 1 or more")
        self._retrievers = tuple(retrievers)
        self._weights = weights
        self._k = k
        self._depth = depth

    @property
    def fingerprint(self) -> str:
        """Covers the retrievers and how they are fused."""
        identity = {
            "retrievers": [retriever.fingerprint for retriever in self._retrievers],
            "weights": list(self._weights),
            "k": self._k,
            "depth": self._depth,
        }
        return f"hybrid@{digest(identity)}"

    async def retrieve(self, question: str, scope: Scope, limit: int) -> Retrieval:
        """At most `limit` passages by falling sum.

        Raises:
            ScopeLeakError: from one of the retrievers.
            EndpointError: one of the retrievers failed; the other alone would be another system.
        """
        depth = max(checked_limit(limit), self._depth)
        results = await asyncio.gather(*(retriever.retrieve(question, scope, depth) for retriever in self._retrievers))
        sums: dict[str, float] = defaultdict(float)
        passages: dict[str, Passage] = {}
        for weight, result in zip(self._weights, results, strict=True):
            for rank, passage in enumerate(result.passages, start=1):
                sums[passage.id] += weight / (self._k + rank)
                passages.setdefault(passage.id, passage)
        order = sorted(sums, key=lambda chunk_id: (-sums[chunk_id], chunk_id))
        return retrieval((passages[chunk_id], sums[chunk_id]) for chunk_id in order[:limit])
