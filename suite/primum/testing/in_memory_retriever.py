"""A retriever over passages that are given to it."""

import re
from collections.abc import Iterable

from primum.digest import digest
from primum.records import Hit, Passage, Ranking, Retrieval, Scope


class InMemoryRetriever:
    """Ranks the eligible passages by the share of the question's words that they hold; equal shares keep their order.

    Args:
        passages: What can be found; ids must be unique.
        leak: Ids that are returned first whatever the scope, to test what guards against it.

    Example:
        >>> import asyncio
        >>> from primum.records import Passage, Scope
        >>> from primum.testing import InMemoryRetriever
        >>> retriever = InMemoryRetriever([Passage(id="a", document_id="d", document_version="1", text="dose 5 mg")])
        >>> asyncio.run(retriever.retrieve("which dose?", Scope(tenant="t"), 3)).ranking.ids
        ('a',)
    """

    def __init__(self, passages: Iterable[Passage], *, leak: Iterable[str] = ()) -> None:
        self._passages = tuple(passages)
        self._leak = tuple(leak)
        ids = [passage.id for passage in self._passages]
        if len(set(ids)) != len(ids):
            raise ValueError("passage ids must be unique")
        self.asked: list[tuple[str, Scope, int]] = []
        """Question, scope and limit of each call."""

    @property
    def fingerprint(self) -> str:
        """Digest of the passages."""
        return digest({"in_memory": [passage.content() for passage in self._passages], "leak": list(self._leak)})

    async def retrieve(self, question: str, scope: Scope, limit: int) -> Retrieval:
        """At most `limit` passages, best first."""
        self.asked.append((question, scope, limit))
        words = _words(question)
        leaked = [passage for passage in self._passages if passage.id in self._leak]
        scored = [
            (len(words & _words(f"{passage.title} {passage.text}")) / max(1, len(words)), passage)
            for passage in self._passages
            if passage.id not in self._leak and passage.eligible(scope)
        ]
        scored.sort(key=lambda pair: -pair[0])
        best = ([(1.0, passage) for passage in leaked] + scored)[:limit]
        return Retrieval(
            ranking=Ranking(hits=tuple(Hit(chunk_id=passage.id, score=score) for score, passage in best)),
            passages=tuple(passage for _, passage in best),
        )


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.casefold()))
