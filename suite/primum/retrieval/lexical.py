"""Retrieval by words alone: the baselines that a dense retriever must beat, on the same eligible chunks."""

# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false
# (bm25s has no types.)

import asyncio
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Mapping, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from primum.corpus.sparse import K1, SPARSE_VERSION, B, words_of
from primum.digest import digest
from primum.records import Chunk, Retrieval, Scope
from primum.retrieval.candidates import Candidates, checked_limit

if TYPE_CHECKING:
    from bm25s import BM25

_SCOPES: Final = 32
"""Sets of eligible chunks whose index is kept; scopes that may see the same chunks share one."""


class Postings:
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

    def weights(self, question: str, eligible: NDArray[np.bool_]) -> Mapping[str, float]:
        """Weight of each word of the question: how often it is asked, times its idf among the eligible chunks."""
        total = int(eligible.sum())
        found: dict[str, float] = {}
        for word, times in Counter(words_of(question)).items():
            holding = int(eligible[self.of(word)[0]].sum())
            if holding:
                found[word] = times * float(np.log1p((total - holding + 0.5) / (holding + 0.5)))
        return found


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

    def __init__(self, chunks: Sequence[Chunk], *, k1: float = K1, b: float = B) -> None:
        self._candidates = Candidates(chunks)
        self._indexes: OrderedDict[bytes, tuple[NDArray[np.int64], BM25]] = OrderedDict()
        self._lock = Lock()
        self._k1 = k1
        self._b = b

    @property
    def fingerprint(self) -> str:
        """Covers the corpus, the parameters and the way texts are split."""
        identity = {"corpus": self._candidates.digest, "k1": self._k1, "b": self._b, "words": SPARSE_VERSION}
        return f"bm25@{digest(identity)}"

    async def retrieve(self, question: str, scope: Scope, limit: int) -> Retrieval:
        """At most `limit` passages by falling BM25 score."""
        checked_limit(limit)
        return await asyncio.to_thread(self._retrieve, question, scope, limit)

    def _retrieve(self, question: str, scope: Scope, limit: int) -> Retrieval:
        eligible = self._candidates.eligible(scope)
        scores, words = np.zeros(len(eligible)), words_of(question)
        if words and eligible.any():
            numbers, index = self._index(eligible)
            # bm25s follows Lucene and leaves out a factor that is the same for every chunk.
            scores[numbers] = (self._k1 + 1) * index.get_scores(words)
        return self._candidates.best(scores, limit)

    def _index(self, eligible: NDArray[np.bool_]) -> "tuple[NDArray[np.int64], BM25]":
        """The eligible chunks, by their numbers, and an index of them alone."""
        from bm25s import BM25

        key = np.packbits(eligible).tobytes()
        with self._lock:
            if key not in self._indexes:
                numbers = np.flatnonzero(eligible)
                index = BM25(method="lucene", k1=self._k1, b=self._b, dtype="float64")
                index.index([self._candidates.words[number] for number in numbers.tolist()], show_progress=False)
                self._indexes[key] = (numbers, index)
                if len(self._indexes) > _SCOPES:
                    self._indexes.popitem(last=False)
            self._indexes.move_to_end(key)
            return self._indexes[key]


class JaccardRetriever:
    """The share of common words: words in both texts over words in either. Ties and misses as in `BM25Retriever`."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self._candidates = Candidates(chunks)
        self._postings = Postings(self._candidates.words)
        self._sizes = np.array([len(set(words)) for words in self._candidates.words], dtype=np.float64)

    @property
    def fingerprint(self) -> str:
        """Covers the corpus and the way texts are split."""
        return f"jaccard@{digest({'corpus': self._candidates.digest, 'words': SPARSE_VERSION})}"

    async def retrieve(self, question: str, scope: Scope, limit: int) -> Retrieval:
        """At most `limit` passages by falling Jaccard similarity, in (0, 1]."""
        checked_limit(limit)
        return await asyncio.to_thread(self._retrieve, question, scope, limit)

    def _retrieve(self, question: str, scope: Scope, limit: int) -> Retrieval:
        words = set(words_of(question))
        common = np.zeros(len(self._sizes))
        for word in words:
            common[self._postings.of(word)[0]] += 1
        either = np.maximum(len(words) + self._sizes - common, 1)
        return self._candidates.best(np.where(self._candidates.eligible(scope), common / either, 0.0), limit)
