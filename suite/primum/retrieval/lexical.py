"""Retrieval by words alone: the baselines that a dense retriever must beat, on the same eligible chunks."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from primum.digest import digest
from primum.records import Chunk, Retrieval, Scope
from primum.retrieval.candidates import Candidates, checked_limit, tokens

_TOKENS_VERSION: Final = 1
"""Raised whenever a text could be split in another way."""


class _Postings:
    """Which chunks hold a word and how often."""

    def __init__(self, texts: Sequence[Sequence[str]]) -> None:
        found: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for number, words in enumerate(texts):
            for word, times in Counter(words).items():
                found[word].append((number, times))
        self._found = {word: np.array(pairs, dtype=np.int64) for word, pairs in found.items()}

    def of(self, word: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Numbers of the chunks that hold `word`, rising, and how often each does."""
        pairs = self._found.get(word)
        if pairs is None:
            return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
        return pairs[:, 0], pairs[:, 1]


class BM25Retriever:
    """BM25 over title, heading and text. Document frequencies and lengths are those of the eligible chunks only.

    So a note of another patient cannot change a ranking, not even by its words. Equal scores are ordered by chunk id;
    chunks without a word of the question are not returned.

    Args:
        chunks: the whole corpus.
        k1: how fast repetitions of a word stop to count, 0 or more.
        b: how much long chunks are marked down, in [0, 1].

    Source: Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond (2009), with the
    never-negative idf ``ln(1 + (N - n + 0.5) / (n + 0.5))``.
    """

    def __init__(self, chunks: Sequence[Chunk], *, k1: float = 1.2, b: float = 0.75) -> None:
        self._candidates = Candidates(chunks)
        self._postings = _Postings(self._candidates.tokens)
        self._lengths = np.array([len(words) for words in self._candidates.tokens], dtype=np.float64)
        self._k1 = k1
        self._b = b

    @property
    def fingerprint(self) -> str:
        """Covers the corpus, the parameters and the way texts are split."""
        identity = {
            "corpus": self._candidates.digest,
            "k1": self._k1,
            "b": self._b,
            "tokens": _TOKENS_VERSION,
        }
        return f"bm25@{digest(identity)}"

    async def retrieve(self, question: str, scope: Scope, limit: int) -> Retrieval:
        """At most `limit` passages by falling BM25 score."""
        checked_limit(limit)
        return await asyncio.to_thread(self._retrieve, question, scope, limit)

    def _retrieve(self, question: str, scope: Scope, limit: int) -> Retrieval:
        eligible = self._candidates.eligible(scope)
        scores = np.zeros(len(eligible))
        total = int(eligible.sum())
        if total:
            mean_length = self._lengths[eligible].mean() or 1.0
            norm = self._k1 * (1 - self._b + self._b * self._lengths / mean_length)
            for word, times in Counter(tokens(question)).items():
                numbers, counts = self._postings.of(word)
                kept = eligible[numbers]
                numbers, counts = numbers[kept], counts[kept]
                idf = np.log1p((total - len(numbers) + 0.5) / (len(numbers) + 0.5))
                scores[numbers] += times * idf * counts * (self._k1 + 1) / (counts + norm[numbers])
        return self._candidates.best(scores, limit)


class JaccardRetriever:
    """The share of common words: words in both texts over words in either. Ties and misses as in `BM25Retriever`."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self._candidates = Candidates(chunks)
        self._postings = _Postings(self._candidates.tokens)
        self._sizes = np.array([len(set(words)) for words in self._candidates.tokens], dtype=np.float64)

    @property
    def fingerprint(self) -> str:
        """Covers the corpus and the way texts are split."""
        return f"jaccard@{digest({'corpus': self._candidates.digest, 'tokens': _TOKENS_VERSION})}"

    async def retrieve(self, question: str, scope: Scope, limit: int) -> Retrieval:
        """At most `limit` passages by falling Jaccard similarity, in (0, 1]."""
        checked_limit(limit)
        return await asyncio.to_thread(self._retrieve, question, scope, limit)

    def _retrieve(self, question: str, scope: Scope, limit: int) -> Retrieval:
        words = set(tokens(question))
        common = np.zeros(len(self._sizes))
        for word in words:
            common[self._postings.of(word)[0]] += 1
        either = np.maximum(len(words) + self._sizes - common, 1)
        return self._candidates.best(np.where(self._candidates.eligible(scope), common / either, 0.0), limit)
