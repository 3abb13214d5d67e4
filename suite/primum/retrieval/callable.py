"""Any Python function as a retriever."""

import asyncio
import importlib
import inspect
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, Self, cast

from primum.corpus.index import chunks_by_id, manifest_of
from primum.digest import digest
from primum.errors import ConfigError, MalformedReplyError
from primum.records import Chunk, Retrieval, Scope
from primum.retrieval.candidates import checked_limit, retrieval
from primum.retrieval.returned import Returned, passage_of

Search = Callable[[str, Scope, int], Sequence[Returned] | Awaitable[Sequence[Returned]]]
"""Called with the question, the scope and the most results wanted."""


class CallableRetriever:
    """Asks a function of the user's own, which may be async; a plain one runs in a thread.

    Args:
        function: what finds passages. Results beyond the limit are left out.
        chunks: the corpus, which says what an id stands for and who may see it.
        name: names the function in messages and in the fingerprint.
        version: to be changed whenever the function could rank otherwise; Primum cannot see that by itself.

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

    def __init__(self, function: Search, chunks: Sequence[Chunk], *, name: str, version: str = "1") -> None:
        self._function: Any = function  # whatever it really returns is checked
        self._chunks = chunks_by_id(chunks)
        self._name = name
        self._identity = {
            "name": name,
            "version": version,
            "corpus": manifest_of(chunks, embedder="", dimension=0).corpus_digest,
        }

    @classmethod
    def from_path(cls, path: str, chunks: Sequence[Chunk], *, version: str = "1") -> Self:
        """The function that ``module:function`` names.

        Raises:
            ConfigError: there is no such module or function.
        """
        module, _, name = path.partition(":")
        try:
            function: Any = getattr(importlib.import_module(module), name)
        except ImportError as error:
            raise ConfigError(
                f"the retriever {path} cannot be imported: {error}; check the path and PYTHONPATH"
            ) from error
        except AttributeError:
            raise ConfigError(f"the module {module} has no {name}; name the retriever as module:function") from None
        if not callable(function):
            raise ConfigError(f"{path} is not a function; name the retriever as module:function")
        search: Any = function
        return cls(search, chunks, name=path, version=version)

    @property
    def fingerprint(self) -> str:
        """Covers the corpus, the name and the version; not the function's code."""
        return f"callable@{digest(self._identity)}"

    async def retrieve(self, question: str, scope: Scope, limit: int) -> Retrieval:
        """What the function returned, in its order, forbidden passages included: the gates must see them.

        Raises:
            MalformedReplyError: a result that is no chunk of the corpus.
        """
        checked_limit(limit)
        if inspect.iscoroutinefunction(self._function):
            results: Any = await self._function(question, scope, limit)
        else:
            results = await asyncio.to_thread(self._function, question, scope, limit)
            if inspect.isawaitable(results):
                results = await results
        if not isinstance(results, Iterable) or isinstance(results, str | bytes):
            raise MalformedReplyError(f"{self._name} returned a {type(results).__name__}; return a list, best first")
        items = list(cast("Iterable[object]", results))[:limit]
        return retrieval(passage_of(item, self._chunks, self._name) for item in items)
