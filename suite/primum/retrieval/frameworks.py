"""Retriever objects of LangChain and LlamaIndex, by their shape: neither package is needed, nor imported."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from primum.errors import MalformedReplyError
from primum.records import Chunk, Scope
from primum.retrieval.callable import CallableRetriever
from primum.retrieval.returned import Result, Returned
from primum.usercode import TIMEOUT_SECONDS


class LangChainRetriever(Protocol):
    """What is used of ``langchain_core.retrievers.BaseRetriever``."""

    async def ainvoke(self, input: str, /) -> Sequence[Any]:  # noqa: A002 - LangChain's name
        """Documents with ``page_content`` and ``metadata``, best first."""
        ...


class LlamaIndexRetriever(Protocol):
    """What is used of ``llama_index.core.retrievers.BaseRetriever``."""

    async def aretrieve(self, str_or_query_bundle: str, /) -> Sequence[Any]:
        """``NodeWithScore`` objects, best first."""
        ...


def from_langchain(
    make: Callable[[Scope, int], LangChainRetriever],
    chunks: Sequence[Chunk],
    *,
    name: str,
    version: str = "1",
    id_field: str = "chunk_id",
    score_field: str = "score",
    timeout_seconds: float = TIMEOUT_SECONDS,
) -> CallableRetriever:
    """A retriever over LangChain's.

    Args:
        make: gives the LangChain retriever for a scope and a limit, such as
            ``lambda scope, limit: store.as_retriever(search_kwargs={"k": limit, "filter": {"tenant": scope.tenant}})``.
        chunks: the corpus.
        name: names it in messages and in the fingerprint.
        version: to be changed whenever it could rank otherwise.
        id_field: the metadata field that holds the chunk id.
        score_field: the metadata field that holds the score, where there is one.
        timeout_seconds: deadline of one search.
    """

    async def search(question: str, scope: Scope, limit: int) -> Sequence[Returned]:
        documents = await make(scope, limit).ainvoke(question)
        return [
            Result(
                chunk_id=_chunk_id(document.metadata, id_field, name),
                score=document.metadata.get(score_field),
                text=document.page_content,
            )
            for document in documents
        ]

    return CallableRetriever(search, chunks, name=name, version=version, timeout_seconds=timeout_seconds)


def from_llama_index(
    make: Callable[[Scope, int], LlamaIndexRetriever],
    chunks: Sequence[Chunk],
    *,
    name: str,
    version: str = "1",
    id_field: str = "chunk_id",
    timeout_seconds: float = TIMEOUT_SECONDS,
) -> CallableRetriever:
    """A retriever over LlamaIndex's; `make` gives it for a scope and a limit. Else as `from_langchain`."""

    async def search(question: str, scope: Scope, limit: int) -> Sequence[Returned]:
        found = await make(scope, limit).aretrieve(question)
        return [
            Result(
                chunk_id=_chunk_id(each.node.metadata, id_field, name),
                score=each.score,
                text=each.node.get_content(),
            )
            for each in found
        ]

    return CallableRetriever(search, chunks, name=name, version=version, timeout_seconds=timeout_seconds)


def _chunk_id(metadata: Any, field: str, name: str) -> str:
    chunk_id = metadata.get(field)
    if not isinstance(chunk_id, str):
        raise MalformedReplyError(
            f"{name} returned a document without {field!r} in its metadata; "
            "write the chunk ids there when you index, or name the field that holds them"
        )
    return chunk_id
