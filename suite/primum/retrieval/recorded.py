"""Rankings that another system made earlier; those in a TREC run file are read by `primum.metrics.trec.read_run`."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from pydantic import Field

from primum.corpus.index import chunks_by_id, manifest_of
from primum.datasets.jsonl import read_jsonl
from primum.digest import digest
from primum.errors import DatasetError, EndpointError
from primum.records import Case, Chunk, Hit, Ranking, Record, Retrieval, Scope
from primum.retrieval.candidates import checked_limit, retrieval


class RecordedRanking(Record):
    """One line of a file of recorded rankings."""

    case_id: str = Field(min_length=1)
    """The case's id, ``family/variant``."""
    hits: tuple[Hit, ...]
    """Best first."""


def read_rankings(path: Path) -> Mapping[str, Ranking]:
    """Rankings by case id, from JSON Lines of `RecordedRanking`.

    Raises:
        DatasetError: with ``file:line`` of each mistake, a case twice included.
    """
    rankings: dict[str, Ranking] = {}
    for line in read_jsonl(path, RecordedRanking):
        if line.record.case_id in rankings:
            raise DatasetError(f"{line.place}: case {line.record.case_id} is recorded twice; keep one of the lines")
        rankings[line.record.case_id] = Ranking(hits=line.record.hits)
    return rankings


class RecordedRetriever:
    """Hands on what was recorded for the case with this question and scope.

    Args:
        rankings: by case id.
        cases: the cases that are asked; question and scope lead to the case.
        chunks: the corpus, which says what an id stands for and who may see it.

    Raises:
        DatasetError: a recorded chunk is not in the corpus, or two cases with the same question and scope have
            different rankings.
    """

    def __init__(self, rankings: Mapping[str, Ranking], cases: Iterable[Case], chunks: Sequence[Chunk]) -> None:
        by_id = chunks_by_id(chunks)
        for case_id, ranking in rankings.items():
            for chunk_id in ranking.ids:
                if chunk_id not in by_id:
                    raise DatasetError(
                        f"the recorded ranking of case {case_id} names {chunk_id}, which is no chunk of this corpus; "
                        "record with the same documents and chunking"
                    )
        self._chunks = by_id
        self._rankings: dict[tuple[str, str], Ranking | None] = {}
        for case in cases:
            recorded = rankings.get(case.id)
            if self._rankings.setdefault(_asked(case.question, case.scope), recorded) != recorded:
                raise DatasetError(f"case {case.id} asks what another case asks, but its recorded ranking differs")
        self._identity = {
            "rankings": {case_id: ranking.content() for case_id, ranking in rankings.items()},
            "corpus": manifest_of(chunks, embedder="", dimension=0).corpus_digest,
        }

    @property
    def fingerprint(self) -> str:
        """Covers the rankings and the corpus."""
        return f"recorded@{digest(self._identity)}"

    async def retrieve(self, question: str, scope: Scope, limit: int) -> Retrieval:
        """The first `limit` recorded results, forbidden passages included: the gates must see them.

        Raises:
            EndpointError: nothing was recorded for this question and scope.
        """
        checked_limit(limit)
        recorded = self._rankings.get(_asked(question, scope))
        if recorded is None:
            raise EndpointError("no ranking was recorded for this case; record it, or leave the case out")
        return retrieval((self._chunks[hit.chunk_id].passage(), hit.score) for hit in recorded.hits[:limit])


def _asked(question: str, scope: Scope) -> tuple[str, str]:
    return question, scope.digest()
