"""The chunks that a scope may see, told from the sources: what every retriever of ours ranks."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from primum.corpus.index import chunks_by_id, embedding_text, point_payload
from primum.corpus.sparse import words_of
from primum.digest import digest
from primum.errors import UsageError
from primum.records import Chunk, Hit, Passage, Ranking, Retrieval, Scope


def checked_limit(limit: int) -> int:
    """The limit.

    Raises:
        UsageError: it is below 1.
    """
    if limit < 1:
        raise UsageError(f"at least one passage must be asked for, not {limit}; set retrieval.limit to 1 or more")
    return limit


class Candidates:
    """The chunks of a corpus in the order of their ids, which breaks ties.

    Raises:
        DatasetError: no chunks, or an id twice.
    """

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        by_id = chunks_by_id(chunks)
        self.ids = sorted(by_id)
        self.passages = tuple(by_id[chunk_id].passage() for chunk_id in self.ids)
        self.words = tuple(words_of(embedding_text(by_id[chunk_id])) for chunk_id in self.ids)
        """Words of what is embedded too: title, heading and text."""
        self.digest = digest([point_payload(by_id[chunk_id]) for chunk_id in self.ids])
        # Chunks that agree in these three are eligible together, so that one of each is asked.
        examples: dict[tuple[str, str, str | None], Passage] = {}
        for passage in self.passages:
            examples.setdefault(_audience(passage), passage)
        self._examples = tuple(examples.values())
        numbers = {audience: number for number, audience in enumerate(examples)}
        self._group = np.array([numbers[_audience(passage)] for passage in self.passages])

    def eligible(self, scope: Scope) -> NDArray[np.bool_]:
        """Which chunks `scope` may see, in the order of `ids`."""
        allowed = np.array([example.eligible(scope) for example in self._examples])
        mask: NDArray[np.bool_] = allowed[self._group]
        return mask

    def best(self, scores: NDArray[np.float64], limit: int) -> Retrieval:
        """The `limit` best chunks with a score above 0; equal scores by rising id."""
        order: list[int] = np.argsort(-scores, kind="stable")[:limit].tolist()
        return retrieval((self.passages[number], float(scores[number])) for number in order if scores[number] > 0)


def retrieval(ranked: Iterable[tuple[Passage, float | None]]) -> Retrieval:
    """Passages and their scores, best first, as a retriever hands them on."""
    pairs = list(ranked)
    return Retrieval(
        ranking=Ranking(hits=tuple(Hit(chunk_id=passage.id, score=score) for passage, score in pairs)),
        passages=tuple(passage for passage, _ in pairs),
    )


def _audience(passage: Passage) -> tuple[str, str, str | None]:
    return passage.state.value, passage.tenant, passage.patient_id
