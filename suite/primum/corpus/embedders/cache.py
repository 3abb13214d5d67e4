"""Vectors kept on disk, so that a question that was embedded once is not embedded again."""

import hashlib
import sqlite3
import threading
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from primum.errors import StoreError
from primum.protocols import Embedder

MIN_PROBE_COSINE: Final = 0.999
"""Below this, the model behind the embedder's name is another one than when the cache was filled."""

_PROBE: Final = "Primum asks this sentence to see whether the embedding model is still the same."
_SCHEMA: Final = """
    CREATE TABLE IF NOT EXISTS vectors (
        embedder TEXT NOT NULL, text_sha256 TEXT NOT NULL, vector BLOB NOT NULL,
        PRIMARY KEY (embedder, text_sha256)
    ) WITHOUT ROWID
"""


class CachedEmbedder:
    """Embeds through another embedder and keeps what it gave, by its fingerprint and the text.

    Use it for questions only: verifying an index needs the embedder itself. Before the first use one sentence is
    embedded anew; when its vector differs from the kept one, a hosted model was swapped under its name, and everything
    that is kept of it is dropped. Texts are kept as hashes. Close it, or use it as a context manager.

    Args:
        embedder: what embeds a text that is not kept.
        path: the SQLite file, made when it is missing.

    Raises:
        StoreError: the file cannot be read or written.
    """

    def __init__(self, embedder: Embedder, path: Path) -> None:
        self._embedder = embedder
        self._path = path
        self._lock = threading.Lock()
        self._probed = False
        with self._translated():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(mode=0o600)
            # Every use holds the lock, so that threads may share the connection.
            self._database = sqlite3.connect(path, timeout=30, check_same_thread=False)
        try:
            with self._translated(), self._database:
                self._database.execute(_SCHEMA)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file; may be called twice."""
        self._database.close()

    @property
    def fingerprint(self) -> str:
        """That of the embedder: the vectors are its own."""
        return self._embedder.fingerprint

    @property
    def dimension(self) -> int:
        """That of the embedder."""
        return self._embedder.dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors of shape ``(len(texts), dimension)``; only texts that are not kept reach the embedder.

        Raises:
            EndpointError: from the embedder.
            StoreError: the file cannot be read or written.
        """
        self._probe()
        kept = self._read(texts)
        new = [text for text in dict.fromkeys(texts) if text not in kept]
        if new:
            fresh = dict(zip(new, self._embedder.embed(new), strict=True))
            self._write(fresh)
            kept = {**kept, **fresh}
        rows = [kept[text] for text in texts]
        return np.stack(rows) if rows else np.empty((0, self.dimension), dtype=np.float32)

    def _probe(self) -> None:
        with self._lock:
            if self._probed:
                return
            vector = self._embedder.embed([_PROBE])[0]
            with self._translated(), self._database:
                kept = self._select([_PROBE]).get(_PROBE)
                if kept is not None and not float(np.dot(kept, vector)) >= MIN_PROBE_COSINE:
                    self._database.execute("DELETE FROM vectors WHERE embedder = ?", (self.fingerprint,))
                self._insert([(_PROBE, vector)])
            self._probed = True

    def _read(self, texts: Iterable[str]) -> Mapping[str, NDArray[np.float32]]:
        with self._lock, self._translated():
            return self._select(texts)

    def _write(self, vectors: Mapping[str, NDArray[np.float32]]) -> None:
        with self._lock, self._translated(), self._database:
            self._insert(vectors.items())

    def _select(self, texts: Iterable[str]) -> dict[str, NDArray[np.float32]]:
        found: dict[str, NDArray[np.float32]] = {}
        for text in dict.fromkeys(texts):
            row: tuple[bytes] | None = self._database.execute(
                "SELECT vector FROM vectors WHERE embedder = ? AND text_sha256 = ?", (self.fingerprint, _hash(text))
            ).fetchone()
            if row is not None and len(row[0]) == 4 * self.dimension:
                found[text] = np.frombuffer(row[0], dtype="<f4").astype(np.float32)
        return found

    def _insert(self, vectors: Iterable[tuple[str, NDArray[np.float32]]]) -> None:
        rows = [(self.fingerprint, _hash(text), vector.astype("<f4").tobytes()) for text, vector in vectors]
        self._database.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)

    @contextmanager
    def _translated(self) -> Generator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise StoreError(
                f"the cache of embeddings {self._path} cannot be read or written ({type(error).__name__}); "
                "it can be deleted at any time"
            ) from error


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
