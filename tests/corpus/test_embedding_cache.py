"""Kept vectors are the embedder's own, and are dropped when the model behind it changes."""

import sqlite3
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from primum.corpus.embedders.cache import CachedEmbedder
from primum.corpus.embedders.minilm import MiniLMEmbedder
from primum.errors import StoreError


class Counting:
    """Counts the texts that reach the real embedder; `reverse` swaps the model under its name."""

    def __init__(self, real: MiniLMEmbedder, *, reverse: bool = False) -> None:
        self._real = real
        self._reverse = reverse
        self.fingerprint = real.fingerprint
        self.dimension = real.dimension
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked += texts
        return self._real.embed([text[::-1] if self._reverse else text for text in texts])


def test_a_text_is_embedded_once(embedder: MiniLMEmbedder, tmp_path: Path) -> None:
    """Also in a later process, here a second opening; the vectors are equal to the bit."""
    model = Counting(embedder)
    with CachedEmbedder(model, tmp_path / "cache" / "vectors.sqlite") as cache:
        first = cache.embed(["which dose?", "which route?", "which dose?"])
        assert np.array_equal(first, embedder.embed(["which dose?", "which route?", "which dose?"]))
        assert model.asked.count("which dose?") == 1
    with CachedEmbedder(model, tmp_path / "cache" / "vectors.sqlite") as cache:
        assert np.array_equal(cache.embed(["which route?", "which dose?"]), first[[1, 0]])
        assert model.asked.count("which dose?") == model.asked.count("which route?") == 1
        assert cache.embed([]).shape == (0, 384)
        assert (cache.fingerprint, cache.dimension) == (embedder.fingerprint, 384)


def test_a_model_that_changed_under_its_name_empties_the_cache(embedder: MiniLMEmbedder, tmp_path: Path) -> None:
    """The probe sees it although the fingerprint is the same."""
    path = tmp_path / "vectors.sqlite"
    with CachedEmbedder(Counting(embedder), path) as cache:
        old = cache.embed(["which dose?"])
    swapped = Counting(embedder, reverse=True)
    with CachedEmbedder(swapped, path) as cache:
        new = cache.embed(["which dose?"])
    assert "which dose?" in swapped.asked
    assert not np.allclose(old, new)


def test_another_embedder_does_not_see_what_is_kept(embedder: MiniLMEmbedder, tmp_path: Path) -> None:
    """The fingerprint is part of the key."""
    path = tmp_path / "vectors.sqlite"
    with CachedEmbedder(Counting(embedder), path) as cache:
        cache.embed(["which dose?"])
    other = Counting(embedder)
    other.fingerprint = "another"
    with CachedEmbedder(other, path) as cache:
        cache.embed(["which dose?"])
    assert "which dose?" in other.asked


def test_no_question_is_kept_in_clear(embedder: MiniLMEmbedder, tmp_path: Path) -> None:
    """A question can name a patient; the file is the owner's alone."""
    path = tmp_path / "vectors.sqlite"
    with CachedEmbedder(embedder, path) as cache:
        cache.embed(["Is Zebulon Quist allergic?"])
    assert b"Zebulon" not in path.read_bytes()
    assert path.stat().st_mode & 0o077 == 0


def test_threads_may_share_it(embedder: MiniLMEmbedder, tmp_path: Path) -> None:
    """Retrievals run at once."""
    texts = [f"question {number}" for number in range(12)]
    with CachedEmbedder(embedder, tmp_path / "vectors.sqlite") as cache, ThreadPoolExecutor(4) as pool:
        rows = list(pool.map(cache.embed, [[text] for text in texts]))
    assert np.array_equal(np.concatenate(rows), embedder.embed(texts))


def test_a_vector_of_another_length_is_not_used(embedder: MiniLMEmbedder, tmp_path: Path) -> None:
    """A truncated entry is embedded again."""
    path = tmp_path / "vectors.sqlite"
    with CachedEmbedder(embedder, path) as cache:
        first = cache.embed(["which dose?"])
    with sqlite3.connect(path) as database:
        database.execute("UPDATE vectors SET vector = substr(vector, 1, 8)")
    database.close()
    with CachedEmbedder(embedder, path) as cache:
        assert np.array_equal(cache.embed(["which dose?"]), first)


def test_a_damaged_file_can_be_deleted(embedder: MiniLMEmbedder, tmp_path: Path) -> None:
    """The message says so."""
    path = tmp_path / "vectors.sqlite"
    path.write_bytes(b"this is no database" * 100)
    with pytest.raises(StoreError, match="can be deleted"):
        CachedEmbedder(embedder, path)
    with pytest.raises(StoreError, match="can be deleted"):
        CachedEmbedder(embedder, tmp_path)
