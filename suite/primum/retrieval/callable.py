"""Any Python function as a retriever."""

import asyncio
import importlib
import inspect
import sys
from collections.abc import Awaitable, Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Self, cast

from primum.corpus.index import chunks_by_id, manifest_of
from primum.digest import digest, sha256_text
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
        version: to be changed whenever what the function uses could make it rank otherwise, such as an index of its
            own; changes of the function's own module are seen.

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
            "source": sha256_text(_source(function)),
            "corpus": manifest_of(chunks, embedder="", dimension=0).corpus_digest,
        }

    @classmethod
    def from_path(cls, path: str, chunks: Sequence[Chunk], *, folder: Path | None = None, version: str = "1") -> Self:
        """The function that ``module:function`` names; dots after the colon reach into classes.

        Args:
            path: the module and the function in it.
            chunks: the corpus.
            folder: also searched for the module, after the usual places.
            version: as for the class.

        Raises:
            ConfigError: there is no such module or function.
        """
        module, _, name = path.partition(":")
        if folder is not None and str(folder) not in sys.path:
            sys.path.append(str(folder))
        try:
            found: Any = importlib.import_module(module)
            for part in name.split("."):
                found = getattr(found, part)
        except ModuleNotFoundError as error:
            raise ConfigError(
                f"{path}: there is no module {error.name!r}; install it, or start where it can be imported"
            ) from error
        except (AttributeError, ValueError) as error:
            raise ConfigError(f"{path}: {module} has no {name!r}; write module:function") from error
        if not callable(found):
            raise ConfigError(f"{path}: is not a function; name one that takes question, scope and limit")
        search: Any = found
        return cls(search, chunks, name=path, version=version)

    @property
    def fingerprint(self) -> str:
        """Covers the corpus, the name, the version and the source of the function's module."""
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


def _source(function: Search) -> str:
    try:
        return inspect.getsource(inspect.getmodule(function) or type(function))
    except (OSError, TypeError):  # built in, or defined where there is no file
        return ""
