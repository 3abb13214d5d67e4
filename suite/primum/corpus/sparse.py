"""Texts as weighted words, for Qdrant's sparse vectors: BM25 without its idf, which is the question's side."""

import hashlib
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from primum.records import Chunk, PublicationState

K1: Final = 1.2
B: Final = 0.75
SPARSE_VERSION: Final = "bm25 k1=1.2 b=0.75 words=1"
"""Changed whenever a sparse vector could become another; an index with another one is refused."""

_WORD: Final = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")


def words_of(text: str) -> list[str]:
    """Words and numbers, case folded; ``2.5mg`` gives ``2.5`` and ``mg``."""
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


@dataclass(frozen=True, slots=True)
class SparseVector:
    """Weights by term, in rising order of the terms' numbers."""

    indices: tuple[int, ...]
    values: tuple[float, ...]

    @classmethod
    def of(cls, weights: Mapping[str, float]) -> "SparseVector":
        """The vector of words with their weights; two words of one number share it, and their weights add up."""
        sums: dict[int, float] = defaultdict(float)
        for word, weight in weights.items():
            sums[_number(word)] += weight
        ordered = sorted(sums)
        return cls(tuple(ordered), tuple(sums[number] for number in ordered))


class SparseEncoder:
    """Turns chunks into BM25 weights: how often a word stands in a text, damped, and marked down for long texts.

    The mean length is that of the published chunks of the corpus.

    Args:
        texts: every chunk of the corpus, with its text that is searched.
    """

    def __init__(self, texts: Iterable[tuple[Chunk, str]]) -> None:
        self._words = {chunk.id: (chunk, words_of(text)) for chunk, text in texts}
        lengths = [len(words) for chunk, words in self._words.values() if chunk.state is PublicationState.PUBLISHED]
        self._mean = sum(lengths) / len(lengths) if lengths and sum(lengths) else 1.0

    def vectors(self, chunk_ids: Sequence[str]) -> list[SparseVector]:
        """The sparse vectors of chunks, in the order of `chunk_ids`."""
        return [self._vector(self._words[chunk_id][1]) for chunk_id in chunk_ids]

    def _vector(self, words: Sequence[str]) -> SparseVector:
        norm = K1 * (1 - B + B * len(words) / self._mean)
        return SparseVector.of({word: n * (K1 + 1) / (n + norm) for word, n in Counter(words).items()})


@lru_cache(maxsize=100_000)
def _number(word: str) -> int:
    return int.from_bytes(hashlib.sha256(word.encode("utf-8", "surrogatepass")).digest()[:4], "big")
