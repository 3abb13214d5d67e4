"""A retriever behind an HTTP endpoint."""

import asyncio
import json
import os
import time
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Final, Self, cast
from urllib.parse import urlsplit

import httpx
from pydantic import Field, field_validator

from primum.corpus.index import chunks_by_id, manifest_of
from primum.digest import digest
from primum.errors import (
    AuthenticationError,
    ConfigError,
    EndpointError,
    EndpointTimeoutError,
    MalformedReplyError,
    RateLimitError,
    UnavailableError,
)
from primum.records import Chunk, Record, Retrieval, Scope
from primum.retrieval.candidates import checked_limit, retrieval
from primum.retrieval.returned import Result, passage_of

_LARGEST_REPLY: Final = 16 * 1024 * 1024


class HTTPRetrieverSettings(Record):
    """Where the retriever is and how it is asked."""

    url: str
    """Takes a POST of ``{"question", "tenant", "patient_id", "limit"}``."""
    api_key_env: str | None = None
    """The environment variable whose value is sent as a bearer token."""
    timeout_seconds: float = Field(default=30, gt=0)
    """Until the reply is complete."""

    @field_validator("url")
    @classmethod
    def _url_is_an_address(cls, url: str) -> str:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("url must be like http://localhost:8000/search")
        return url

    @property
    def place(self) -> str:
        """The address without what could be secret in it."""
        parts = urlsplit(self.url)
        port = f":{parts.port}" if parts.port else ""
        return f"the retriever at {parts.scheme}://{parts.hostname}{port}"


class HTTPRetriever:
    """Asks an endpoint and ties what it returns to the corpus. Close it, or use it as a context manager.

    The reply is ``{"results": [...]}``, best first; each result is a chunk id, or an object with ``id`` and, if there
    are, ``score`` and ``text`` (what the system really used).

    Args:
        settings: where and how.
        chunks: the corpus, which says what an id stands for and who may see it.

    Raises:
        ConfigError: the environment variable of the key is not set.
    """

    def __init__(self, settings: HTTPRetrieverSettings, chunks: Sequence[Chunk]) -> None:
        self._settings = settings
        self._chunks = chunks_by_id(chunks)
        self._corpus = manifest_of(chunks, embedder="", dimension=0).corpus_digest
        self._client = httpx.Client(timeout=settings.timeout_seconds, headers=_headers(settings))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections; may be called twice."""
        self._client.close()

    @property
    def fingerprint(self) -> str:
        """Covers the address and the corpus; what runs behind the address cannot be seen."""
        return f"http@{digest({'url': self._settings.url, 'corpus': self._corpus})}"

    async def retrieve(self, question: str, scope: Scope, limit: int) -> Retrieval:
        """What the endpoint returned, in its order, forbidden passages included: the gates must see them.

        Raises:
            EndpointError: one of its kinds, with nothing of the reply in the message.
        """
        checked_limit(limit)
        asked = {"question": question, "tenant": scope.tenant, "patient_id": scope.patient_id, "limit": limit}
        results = _results(await asyncio.to_thread(self._ask, asked), self._settings.place)
        return retrieval(passage_of(item, self._chunks, self._settings.place) for item in results[:limit])

    def _ask(self, asked: dict[str, Any]) -> bytes:
        place = self._settings.place
        deadline = time.monotonic() + self._settings.timeout_seconds
        late = f"{place}: no complete reply within {self._settings.timeout_seconds:g} s"
        try:
            with self._client.stream("POST", self._settings.url, json=asked) as response:
                if response.status_code != 200:
                    raise _refusal(response, place)
                body = bytearray()
                for part in response.iter_bytes():
                    body += part
                    if len(body) > _LARGEST_REPLY:
                        raise MalformedReplyError(f"{place}: the reply is larger than 16 MiB")
                    if time.monotonic() > deadline:  # the client's own timeout is for each read
                        raise EndpointTimeoutError(late)
                return bytes(body)
        except httpx.TimeoutException:
            raise EndpointTimeoutError(late) from None
        except httpx.HTTPError:
            raise UnavailableError(f"{place}: cannot be reached, or broke off; check the address") from None


def _headers(settings: HTTPRetrieverSettings) -> dict[str, str]:
    if settings.api_key_env is None:
        return {}
    key = os.environ.get(settings.api_key_env, "").strip()
    if not key:
        raise ConfigError(f"set the environment variable {settings.api_key_env} to the key of {settings.place}")
    return {"authorization": f"Bearer {key}"}


def _refusal(response: httpx.Response, place: str) -> EndpointError:
    status = response.status_code
    if status in (401, 403):
        return AuthenticationError(f"{place}: the key was refused ({status})")
    if status == 429:
        after = response.headers.get("retry-after", "")
        return RateLimitError(f"{place}: asks to slow down", retry_after=float(after) if after.isdecimal() else None)
    if status >= 500:
        return UnavailableError(f"{place}: failed ({status})")
    return MalformedReplyError(f"{place}: answered {status} where 200 was expected")


def _results(body: bytes, place: str) -> list[object]:
    try:
        reply: Any = json.loads(body)
        results: list[object] = list(reply["results"])
        return [_as_result(cast("Mapping[str, Any]", item)) if isinstance(item, dict) else item for item in results]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise MalformedReplyError(
            f'{place}: the reply is not {{"results": [...]}} with chunk ids or objects that have an id'
        ) from None


def _as_result(item: Mapping[str, Any]) -> Result:
    return Result(chunk_id=item["id"], score=item.get("score"), text=item.get("text"))
