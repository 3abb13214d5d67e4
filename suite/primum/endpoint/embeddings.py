"""Embeddings by any model that litellm knows."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from primum.endpoint.calls import CallLog, attempt
from primum.endpoint.faults import TRANSIENT, RejectedError
from primum.endpoint.records import Endpoint
from primum.errors import (
    AuthenticationError,
    EndpointError,
    EndpointTimeoutError,
    MalformedReplyError,
    RateLimitError,
    UnavailableError,
)
from primum.records import Failure, FailureKind

_ERRORS: dict[FailureKind, type[EndpointError]] = {
    FailureKind.AUTHENTICATION: AuthenticationError,
    FailureKind.RATE_LIMITED: RateLimitError,
    FailureKind.TIMEOUT: EndpointTimeoutError,
    FailureKind.UNAVAILABLE: UnavailableError,
    FailureKind.MALFORMED: MalformedReplyError,
}


async def embed(endpoint: Endpoint, texts: Sequence[str], *, batch: int = 64) -> NDArray[np.float32]:
    """Vectors of shape ``(len(texts), dimension)``, in the order of `texts`, as the model gives them (not normalised).

    Args:
        endpoint: The embedding model, such as ``openai/text-embedding-x``.
        texts: What to embed; at least one text.
        batch: Texts per request, at least 1.

    Raises:
        EndpointError: after the endpoint's attempts are used up, or at once when trying again cannot help.
    """
    if not texts:
        raise ValueError("there is nothing to embed; give at least one text")
    parts = [await _embed_batch(endpoint, texts[at : at + batch]) for at in range(0, len(texts), batch)]
    if len({part.shape[1] for part in parts}) != 1:
        raise MalformedReplyError(f"{endpoint.model} gave vectors of different lengths")
    return np.concatenate(parts)


async def _embed_batch(endpoint: Endpoint, texts: Sequence[str]) -> NDArray[np.float32]:
    from primum.endpoint.litellm_client import send_embedding

    async def once() -> NDArray[np.float32]:
        reply = await send_embedding(endpoint, texts)
        if len({len(vector) for vector in reply.vectors}) != 1 or not reply.vectors[0]:
            raise MalformedReplyError(f"{endpoint.model} gave vectors of different lengths, or empty ones")
        vectors = np.asarray(reply.vectors, dtype=np.float32)
        if not np.isfinite(vectors).all():
            raise MalformedReplyError(f"{endpoint.model} gave a vector that is not finite")
        return vectors

    log = CallLog(endpoint=endpoint, stage="embed", prompt_hash="")
    result = await attempt(log, once, again=TRANSIENT)
    if isinstance(result, Failure):
        kind = _ERRORS.get(result.kind)
        raise kind(result.message) if kind else RejectedError(result.message, kind=result.kind)
    return result
