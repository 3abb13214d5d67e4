"""Embeddings against a real server on the loopback interface."""

import asyncio

import numpy as np
import pytest

from primum.endpoint import Endpoint
from primum.endpoint.embeddings import embed
from primum.errors import AuthenticationError, MalformedReplyError, RateLimitError, UnavailableError
from primum.testing import FakeEndpoint, FakeReply, FakeRequest


def endpoint(server: FakeEndpoint, **settings: object) -> Endpoint:
    """An embedding endpoint with quick retries."""
    given = {"model": "openai/fake-embedding", "api_base": server.url, "backoff_seconds": 0.01}
    return Endpoint.model_validate(given | settings)


def test_vectors_come_in_the_order_of_the_texts() -> None:
    """Across requests of a batch each."""
    with FakeEndpoint() as server:
        vectors = asyncio.run(embed(endpoint(server), ["a", "bb", "ccc", "dddd", "eeeee"], batch=2))
    assert vectors.shape == (5, 2)
    assert vectors.dtype == np.float32
    assert vectors[:, 0].tolist() == [1, 2, 3, 4, 5]
    assert [len(request.body["input"]) for request in server.requests] == [2, 2, 1]


def test_rows_that_come_in_another_order_are_put_right() -> None:
    """The index counts, not the place."""

    def reply(request: FakeRequest) -> FakeReply:
        del request
        return FakeReply(body=b'{"data": [{"index": 1, "embedding": [2.0]}, {"index": 0, "embedding": [1.0]}]}')

    with FakeEndpoint(reply) as server:
        assert asyncio.run(embed(endpoint(server), ["a", "b"])).tolist() == [[1.0], [2.0]]


@pytest.mark.parametrize(
    "body",
    [
        b'{"data": [{"index": 0, "embedding": [1.0]}]}',
        b'{"data": [{"index": 0, "embedding": [1.0]}, {"index": 0, "embedding": [1.0]}]}',
        b'{"data": [{"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": [1.0, 2.0]}]}',
        b'{"data": [{"index": 0, "embedding": []}, {"index": 1, "embedding": []}]}',
        b'{"data": [{"index": 0, "embedding": [NaN]}, {"index": 1, "embedding": [1.0]}]}',
        b'{"data": [{"index": 0, "embedding": ["x"]}, {"index": 1, "embedding": [1.0]}]}',
    ],
)
def test_vectors_that_cannot_be_used_are_an_error(body: bytes) -> None:
    """Too few, twice the same, of different lengths, empty, or not finite."""
    with FakeEndpoint([FakeReply(body=body)]) as server, pytest.raises((MalformedReplyError, UnavailableError)):
        asyncio.run(embed(endpoint(server, attempts=1), ["a", "b"]))


@pytest.mark.parametrize(
    ("status", "error", "requests"),
    [(429, RateLimitError, 3), (500, UnavailableError, 3), (401, AuthenticationError, 1)],
)
def test_a_failure_is_one_of_our_errors(status: int, error: type[Exception], requests: int) -> None:
    """One request an attempt."""
    with FakeEndpoint([FakeReply(status=status)]) as server, pytest.raises(error):
        asyncio.run(embed(endpoint(server), ["a"]))
    assert len(server.requests) == requests


def test_nothing_to_embed_is_a_mistake_of_the_caller() -> None:
    """There is no shape to give back."""
    with pytest.raises(ValueError, match="at least one"):
        asyncio.run(embed(Endpoint(model="openai/x"), []))
