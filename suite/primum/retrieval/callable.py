"""Any Python function as a retriever."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Self, cast

from primum.corpus.index import chunks_by_id, manifest_of
from primum.digest import digest
from primum.errors import MalformedReplyError
from primum.records import Chunk, Hit, Passage, Retrieval, Scope
from primum.retrieval.candidates import checked_limit, retrieval
from primum.retrieval.returned import Returned, passage_of
from primum.usercode import TIMEOUT_SECONDS, UserFunction, load_function, revalidated

Search = Callable[[str, Scope, int], Sequence[Returned] | Awaitable[Sequence[Returned]]]
"""Called with the question, the scope and the most results wanted."""


class CallableRetriever:
    """Asks a function of the user's own, which may be async; a plain one runs in a thread.

    An async function that blocks the event loop cannot be stopped, neither by the deadline nor by the first Ctrl-C,
    until it awaits again; let a function that blocks be a plain one.

    Args:
        function: what finds passages. Results beyond the limit are left out.
        chunks: the corpus, which says what an id stands for and who may see it.
        name: names the function in messages and in the fingerprint.
        version: to be changed whenever what the function uses could make it rank otherwise, such as an index of its
            own; changes of the function's own module are seen.
        timeout_seconds: deadline of one search, finite and above 0; no part of the fingerprint.

    Raises:
        ConfigError: `timeout_seconds` is no sensible limit.

    Example:
        >>> import asyncio
        >>> from primum.records import Chunk, ChunkKey, Scope
        >>> key = ChunkKey(document_id="d", document_version="1", chunk_id="c1", chunking_version="1")
        >>> chunk = Chunk(key=key, ordinal=0, start=0, end=4, heading="", text="dose", title="T", type="monograph",
        ...               state="published", tenant="shared", patient_id=None)
        >>> retriever = CallableRetriever(lambda question, scope, limit: [("c1", 0.9)], [chunk], name="mine")
        >>> asyncio.run(retriever.retrieve("Which dose?", Scope(tenant="north"), 5)).ranking.ids
        ('c1',)
    """

    def __init__(
        self,
        function: Search,
        chunks: Sequence[Chunk],
        *,
        name: str,
        version: str = "1",
        timeout_seconds: float = TIMEOUT_SECONDS,
    ) -> None:
        self._function = UserFunction(function, name, timeout_seconds)
        self._chunks = chunks_by_id(chunks)
        self._identity = {
            "name": name,
            "version": version,
            "source": self._function.source_digest,
            "corpus": manifest_of(chunks, embedder="", dimension=0).corpus_digest,
        }

    @classmethod
    def from_path(
        cls,
        path: str,
        chunks: Sequence[Chunk],
        *,
        folder: Path | None = None,
        version: str = "1",
        timeout_seconds: float = TIMEOUT_SECONDS,
    ) -> Self:
        """The function that ``module:function`` names; dots after the colon reach into classes.

        Args:
            path: the module and the function in it.
            chunks: the corpus.
            folder: also searched for the module, after the usual places.
            version: as for the class.
            timeout_seconds: as for the class.

        Raises:
            ConfigError: there is no such module or function, it is none, or the module cannot be imported.
        """
        search = load_function(path, folder=folder, takes=("question", "scope", "limit"))
        return cls(search, chunks, name=path, version=version, timeout_seconds=timeout_seconds)

    @property
    def fingerprint(self) -> str:
        """Covers the corpus, the name, the version and the source of the function's module."""
        return f"callable@{digest(self._identity)}"

    async def retrieve(self, question: str, scope: Scope, limit: int) -> Retrieval:
        """What the function returned, in its order, forbidden passages included: the gates must see them.

        Raises:
            MalformedReplyError: a result that is no chunk of the corpus.
            EndpointTimeoutError: no result within the deadline.
            UserCodeError: the function ended in a way that no function should, such as with `sys.exit`.
        """
        checked_limit(limit)
        return await self._function.call(question, scope, limit, finish=lambda results: self._read(results, limit))

    def _read(self, results: object, limit: int) -> Retrieval:
        name = self._function.name
        if not isinstance(results, Iterable) or isinstance(results, str | bytes):
            raise MalformedReplyError(f"{name} returned a {type(results).__name__}; return a list, best first")
        items = islice(cast("Iterable[object]", results), limit)  # it may be lazy, and endless
        return retrieval(passage_of(self._checked(item), self._chunks, name) for item in items)

    def _checked(self, item: object) -> object:
        name = self._function.name
        if isinstance(item, Passage):
            return revalidated(Passage, item, name)
        return revalidated(Hit, item, name) if isinstance(item, Hit) else item
