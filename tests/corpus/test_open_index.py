"""An index is built whole, verified whenever it is opened, and refused when anything differs."""

import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from qdrant_client import QdrantClient, models

from primum.corpus.build import build_index, drop_index, throwaway
from primum.corpus.embedders.minilm import MiniLMEmbedder
from primum.corpus.index import QdrantSettings, point_id
from primum.corpus.open import open_index
from primum.corpus.qdrant import Query
from primum.errors import ConfigError, DatasetError, IndexMismatchError, MalformedReplyError, UsageError
from primum.records import Chunk, Scope


class ShiftedEmbedder:
    """Claims to be MiniLM and embeds other words: an embedder whose model was swapped under its name."""

    def __init__(self, real: MiniLMEmbedder) -> None:
        self._real = real
        self.fingerprint = real.fingerprint
        self.dimension = real.dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._real.embed([text[::-1] for text in texts])


class StoppingEmbedder(ShiftedEmbedder):
    """Fails at the second batch."""

    calls = 0

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.calls += 1
        if self.calls == 2:
            raise KeyboardInterrupt
        return self._real.embed(texts)


class BrokenEmbedder(ShiftedEmbedder):
    """Gives a vector that is not a number."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.full((len(texts), self.dimension), np.nan, dtype=np.float32)


@pytest.fixture
def at(tmp_path: Path) -> QdrantSettings:
    return QdrantSettings(path=tmp_path / "index")


def raw(settings: QdrantSettings) -> QdrantClient:
    """A client that changes the index behind Primum's back."""
    return QdrantClient(path=str(settings.path))


def test_an_index_in_memory_is_built_when_opened(chunks: Sequence[Chunk], embedder: MiniLMEmbedder) -> None:
    """Nothing has to be run before, and the progress reaches the end."""
    told: list[tuple[int, int]] = []

    def progress(done: int, total: int) -> None:
        told.append((done, total))

    with open_index(QdrantSettings(memory=True), embedder, chunks, progress=progress) as index:
        assert index.manifest.points == len(chunks)
        assert told[-1] == (len(chunks), len(chunks))


def test_an_index_in_a_folder_outlives_its_process(
    chunks: Sequence[Chunk], embedder: MiniLMEmbedder, at: QdrantSettings
) -> None:
    """What was built can be opened again and searched."""
    info = build_index(at, chunks, embedder)
    assert (info.manifest.points, info.documents, info.reused) == (5, 4, False)
    with open_index(at, embedder, chunks) as index:
        query = embedder.embed(["How much velatrine does a grown-up take?"])[0]
        found = index.search(Query(dense=query), Scope(tenant="north"), 3)
        assert found[0].payload["chunk_id"] == "chunk-0"


def test_the_fingerprint_does_not_depend_on_the_place(
    chunks: Sequence[Chunk], embedder: MiniLMEmbedder, at: QdrantSettings
) -> None:
    """Equal content in memory and in a folder ranks equally and says so."""
    build_index(at, chunks, embedder)
    with open_index(at, embedder, chunks) as kept, open_index(QdrantSettings(memory=True), embedder, chunks) as passing:
        assert kept.fingerprint == passing.fingerprint


def test_a_complete_index_of_the_same_corpus_is_reused(
    chunks: Sequence[Chunk], embedder: MiniLMEmbedder, at: QdrantSettings
) -> None:
    """With reuse nothing is embedded again, unless the corpus changed."""
    build_index(at, chunks, embedder)
    assert build_index(at, chunks, embedder, reuse=True).reused
    assert not build_index(at, chunks[:-1], embedder, reuse=True).reused


def test_a_missing_index_says_what_to_run(
    chunks: Sequence[Chunk], embedder: MiniLMEmbedder, at: QdrantSettings
) -> None:
    """Opening does not make an empty folder either."""
    with pytest.raises(IndexMismatchError, match="primum index"):
        open_index(at, embedder, chunks)
    assert at.path is not None
    assert not at.path.exists()


def test_an_interrupted_build_is_refused_and_can_be_built_again(
    chunks: Sequence[Chunk], embedder: MiniLMEmbedder, at: QdrantSettings
) -> None:
    """Half an index is never read as a whole one."""
    many = [
        chunk.model_copy(update={"key": chunk.key.model_copy(update={"chunk_id": f"{chunk.id}-{n}"})})
        for n in range(8)
        for chunk in chunks
    ]
    with pytest.raises(KeyboardInterrupt):
        build_index(at, many, StoppingEmbedder(embedder))
    with pytest.raises(IndexMismatchError, match="incomplete"):
        open_index(at, embedder, many)
    build_index(at, many, embedder, reuse=True)
    open_index(at, embedder, many).close()


def test_another_embedder_by_name_is_refused(
    chunks: Sequence[Chunk], embedder: MiniLMEmbedder, at: QdrantSettings
) -> None:
    """The stored fingerprint is compared before anything is searched."""
    build_index(at, chunks, embedder)
    other = ShiftedEmbedder(embedder)
    other.fingerprint = "another"
    with pytest.raises(IndexMismatchError, match="another embedder"):
        open_index(at, other, chunks)


def test_another_embedder_under_the_same_name_is_refused(
    chunks: Sequence[Chunk], embedder: MiniLMEmbedder, at: QdrantSettings
) -> None:
    """The probe embeds stored texts again, so a swapped model is caught although all names agree."""
    build_index(at, chunks, embedder)
    with pytest.raises(IndexMismatchError, match="cosine"):
        open_index(at, ShiftedEmbedder(embedder), chunks)


def test_a_changed_corpus_is_refused(chunks: Sequence[Chunk], embedder: MiniLMEmbedder, at: QdrantSettings) -> None:
    """One changed word in the sources makes the index stale."""
    build_index(at, chunks, embedder)
    changed = [*chunks[:-1], chunks[-1].model_copy(update={"text": "The patient has no known allergies."})]
    with pytest.raises(IndexMismatchError, match="other documents"):
        open_index(at, embedder, changed)


def test_a_lost_point_is_caught(chunks: Sequence[Chunk], embedder: MiniLMEmbedder, at: QdrantSettings) -> None:
    """The exact count is compared."""
    build_index(at, chunks, embedder)
    client = raw(at)
    client.delete("primum", points_selector=[point_id("chunk-2")])
    client.close()
    with pytest.raises(IndexMismatchError, match="holds 4 points, expected 5"):
        open_index(at, embedder, chunks)


def test_a_swapped_point_is_caught(chunks: Sequence[Chunk], embedder: MiniLMEmbedder, at: QdrantSettings) -> None:
    """The right number of points is not enough: their identities are read back."""
    build_index(at, chunks, embedder)
    client = raw(at)
    client.delete("primum", points_selector=[point_id("chunk-2")])
    stranger = models.PointStruct(id=point_id("stranger"), vector={"dense": [1.0] * 384}, payload={})
    client.upsert("primum", [stranger])
    client.close()
    with pytest.raises(IndexMismatchError, match="1 of 5 points missing, such as chunk-2"):
        open_index(at, embedder, chunks)


@pytest.mark.parametrize(
    ("field", "value"), [("patient_id", None), ("tenant", "shared"), ("text", "No allergies."), ("state", "draft")]
)
def test_a_changed_payload_is_caught(
    chunks: Sequence[Chunk], embedder: MiniLMEmbedder, at: QdrantSettings, field: str, value: str | None
) -> None:
    """Whoever edits a payload, such as the patient of a note, makes the index unusable."""
    build_index(at, chunks, embedder)
    client = raw(at)
    client.set_payload("primum", {field: value}, points=[point_id("chunk-4")])
    client.close()
    with pytest.raises(IndexMismatchError, match="1 of 5 points changed, such as chunk-4"):
        open_index(at, embedder, chunks)


def test_changed_weights_of_words_are_caught(
    chunks: Sequence[Chunk], embedder: MiniLMEmbedder, at: QdrantSettings
) -> None:
    """The probe covers the sparse vectors too."""
    build_index(at, chunks, embedder)
    client = raw(at)
    client.update_vectors(
        "primum",
        [
            models.PointVectors(id=point_id(chunk.id), vector={"bm25": models.SparseVector(indices=[7], values=[1.0])})
            for chunk in chunks
        ],
    )
    client.close()
    with pytest.raises(IndexMismatchError, match="other weights of words"):
        open_index(at, embedder, chunks)


def test_a_folder_in_use_is_named(chunks: Sequence[Chunk], embedder: MiniLMEmbedder, at: QdrantSettings) -> None:
    """A second process is told why, and the first goes on."""
    build_index(at, chunks, embedder)
    script = (
        "import sys; from pathlib import Path; from primum.corpus.qdrant import QdrantCollection, QdrantSettings\n"
        "from primum.errors import UsageError\n"
        "try: QdrantCollection(QdrantSettings(path=Path(sys.argv[1])))\n"
        "except UsageError as error: print(error)\n"
    )
    with open_index(at, embedder, chunks):
        second = subprocess.run(
            [sys.executable, "-c", script, str(at.path)], capture_output=True, text=True, check=True, timeout=60
        )
    assert "in use by another process" in second.stdout
    open_index(at, embedder, chunks).close()


def test_an_index_that_nobody_closed_ends_quietly(
    chunks: Sequence[Chunk], embedder: MiniLMEmbedder, at: QdrantSettings
) -> None:
    """A script that stops with an exception shows its own traceback only."""
    build_index(at, chunks, embedder)
    script = (
        "import sys; from pathlib import Path; from primum.corpus.qdrant import QdrantCollection, QdrantSettings\n"
        "collection = QdrantCollection(QdrantSettings(path=Path(sys.argv[1])))\n"
        "def work(opened): raise SystemExit(3)\n"
        "work(collection)\n"
    )
    command = [sys.executable, "-c", script, str(at.path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (3, "")


def test_a_collection_of_somebody_else_is_left_alone(
    chunks: Sequence[Chunk], embedder: MiniLMEmbedder, at: QdrantSettings
) -> None:
    """A build never deletes what Primum did not write."""
    client = raw(at)
    client.create_collection("primum", vectors_config=models.VectorParams(size=4, distance=models.Distance.DOT))
    client.upsert("primum", [models.PointStruct(id=1, vector=[1.0, 0.0, 0.0, 0.0], payload={"mine": True})])
    client.close()
    with pytest.raises(UsageError, match="not made by Primum"):
        build_index(at, chunks, embedder)
    with pytest.raises(IndexMismatchError, match="not made by Primum"):
        open_index(at, embedder, chunks)
    with pytest.raises(UsageError, match="not made by Primum"):
        drop_index(at)
    client = raw(at)
    assert client.count("primum").count == 1
    client.close()


def test_a_throwaway_collection_lives_beside_the_usual_one(
    chunks: Sequence[Chunk], embedder: MiniLMEmbedder, at: QdrantSettings
) -> None:
    """CI makes one for a commit and drops it; the usual one stays."""
    build_index(at, chunks, embedder)
    passing = throwaway(at, "0123456789abcdef")
    assert passing.collection == "primum-0123456789ab"
    build_index(passing, chunks[:2], embedder)
    open_index(passing, embedder, chunks[:2]).close()
    assert (drop_index(passing), drop_index(passing)) == (True, False)
    open_index(at, embedder, chunks).close()
    with pytest.raises(UsageError, match="not a commit id"):
        throwaway(at, "main; rm -rf")


def test_dropping_what_is_not_there_makes_nothing(at: QdrantSettings) -> None:
    """No folder appears, and memory has nothing to drop."""
    assert not drop_index(at)
    assert at.path is not None
    assert not at.path.exists()
    assert not drop_index(QdrantSettings(memory=True))


def test_vectors_that_are_no_numbers_are_not_indexed(
    chunks: Sequence[Chunk], embedder: MiniLMEmbedder, at: QdrantSettings
) -> None:
    """NaN stops the build rather than ending up in a ranking."""
    with pytest.raises(MalformedReplyError, match="not finite"):
        build_index(at, chunks, BrokenEmbedder(embedder))


def test_a_damaged_folder_says_what_to_do(
    chunks: Sequence[Chunk], embedder: MiniLMEmbedder, at: QdrantSettings
) -> None:
    """Truncated files are an error with a way out, not a traceback of another library."""
    build_index(at, chunks, embedder)
    assert at.path is not None
    storage = at.path / "collection" / "primum" / "storage.sqlite"
    storage.write_bytes(storage.read_bytes()[:1000])
    with pytest.raises(IndexMismatchError, match="primum index") as caught:
        open_index(at, embedder, chunks)
    assert isinstance(caught.value.__cause__, sqlite3.Error)
    (at.path / "meta.json").write_text('{"collec', encoding="utf-8")
    with pytest.raises(IndexMismatchError, match="primum index"):
        open_index(at, embedder, chunks)


def test_a_chunk_id_twice_is_refused(chunks: Sequence[Chunk], embedder: MiniLMEmbedder) -> None:
    """Two chunks of one id would overwrite each other."""
    with pytest.raises(DatasetError, match="chunk-0 appears twice"):
        open_index(QdrantSettings(memory=True), embedder, [*chunks, chunks[0].model_copy()])


def test_no_chunks_are_refused(embedder: MiniLMEmbedder) -> None:
    """An empty corpus is a mistake in the configuration."""
    with pytest.raises(DatasetError, match="no chunks"):
        open_index(QdrantSettings(memory=True), embedder, [])


def test_an_index_in_memory_cannot_be_built_ahead(chunks: Sequence[Chunk], embedder: MiniLMEmbedder) -> None:
    """It would be gone before anybody opened it."""
    with pytest.raises(ConfigError, match="built when it is opened"):
        build_index(QdrantSettings(memory=True), chunks, embedder)


@pytest.mark.parametrize("wrong", [{}, {"memory": True, "path": "x"}, {"path": "x", "url": "http://localhost:6333"}])
def test_exactly_one_place_is_given(wrong: dict[str, object]) -> None:
    """None and two are both refused."""
    with pytest.raises(ValueError, match="exactly one"):
        QdrantSettings.model_validate(wrong)
