"""Embeddings by a named model, against a real server on the loopback interface."""

import asyncio
import gc
import threading
from typing import Any

import numpy as np
import pytest

from primum.corpus.embedders.litellm import LiteLLMEmbedder
from primum.corpus.index import QdrantSettings
from primum.corpus.open import open_index
from primum.endpoint import Endpoint
from primum.endpoint.embeddings import embed
from primum.errors import AuthenticationError, MalformedReplyError, UnavailableError
from primum.records import Chunk
from primum.testing import FakeEndpoint, FakeReply


def embedder(server: FakeEndpoint, dimension: int = 2) -> LiteLLMEmbedder:
    endpoint = Endpoint(
        model="openai/fake-embedding", api_base=server.url, attempts=1, timeout_seconds=10, backoff_seconds=0
    )
    return LiteLLMEmbedder(endpoint, dimension=dimension)


def test_vectors_are_made_unit_vectors_in_the_order_of_the_texts() -> None:
    """The fake's vector is (length of the text, 1); the direction is kept."""
    with FakeEndpoint() as server:
        vectors = embedder(server).embed(["abc", "z"])
    expected = np.array([[3, 1], [1, 1]]) / np.sqrt([[10], [2]])
    assert np.allclose(vectors, expected)
    assert vectors.dtype == np.float32


def test_no_texts_send_no_request() -> None:
    """There is nothing to ask."""
    with FakeEndpoint() as server:
        assert embedder(server).embed([]).shape == (0, 2)
        assert server.requests == ()


def test_it_can_be_called_within_a_running_loop_and_from_several_threads() -> None:
    """Retrievers call it from worker threads, commands from the main one."""
    with FakeEndpoint() as server:
        model = embedder(server)

        async def within() -> int:
            here = model.embed(["abc"])
            there = await asyncio.gather(*(asyncio.to_thread(model.embed, ["abc"]) for _ in range(4)))
            return sum(np.array_equal(here, each) for each in there)

        assert asyncio.run(within()) == 4


def test_its_thread_ends_with_it() -> None:
    """Nothing is left running once nobody holds the embedder."""
    with FakeEndpoint() as server:
        model = embedder(server)
        model.embed(["abc"])
        assert any(thread.name == "primum-embedder" for thread in threading.enumerate())
        del model
        gc.collect()
        assert not any(thread.name == "primum-embedder" for thread in threading.enumerate())


def test_two_embedders_and_another_loop_do_not_disturb_each_other() -> None:
    """A background task that litellm keeps for all loops: what it leaves behind must not surface as a warning."""
    with FakeEndpoint() as server:
        first, second = embedder(server), embedder(server)
        for _ in range(3):
            first.embed(["abc"])
            second.embed(["abc"])
            asyncio.run(embed(Endpoint(model="openai/fake", api_base=server.url), ["abc"]))
            gc.collect()


@pytest.mark.parametrize(
    ("reply", "dimension", "error"),
    [
        (FakeReply(), 3, MalformedReplyError),
        (FakeReply(data=[[0.0, 0.0]]), 2, MalformedReplyError),
        (FakeReply(data=[]), 2, MalformedReplyError),
        (FakeReply(status=401), 2, AuthenticationError),
        (FakeReply(status=503), 2, UnavailableError),
    ],
)
def test_vectors_that_cannot_be_used_are_errors(reply: FakeReply, dimension: int, error: type[Exception]) -> None:
    """Another length, zeros, too few, a refused key and a server that is down are told apart."""
    with FakeEndpoint([reply]) as server, pytest.raises(error):
        embedder(server, dimension).embed(["abc"])


def test_an_index_can_be_built_with_it(chunks: list[Chunk]) -> None:
    """The verification embeds a sample again through the same endpoint."""
    with FakeEndpoint() as server, open_index(QdrantSettings(memory=True), embedder(server), chunks) as index:
        assert index.manifest.embedder.startswith("openai/fake-embedding@")
        assert len(server.requests) == 2


def test_the_fingerprint_follows_what_can_change_a_vector() -> None:
    """Model, address, parameters and dimension; not the deadline or the key."""
    base = Endpoint(model="openai/m", api_base="http://127.0.0.1:1/v1")
    changed: list[dict[str, Any]] = [{}, {"model": "openai/n"}, {"api_base": None}, {"parameters": {"user": "x"}}]
    same: list[dict[str, Any]] = [{"timeout_seconds": 1}, {"api_key_env": "K"}, {"attempts": 1}]
    prints = {LiteLLMEmbedder(base.model_copy(update=each), dimension=2).fingerprint for each in changed}
    assert len(prints) == 4
    for each in same:
        assert LiteLLMEmbedder(base.model_copy(update=each), dimension=2).fingerprint in prints
    assert LiteLLMEmbedder(base, dimension=3).fingerprint not in prints
