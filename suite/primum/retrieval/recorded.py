"""Rankings that another system made earlier, from JSON Lines or a TREC run file."""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from pydantic import Field

from primum.corpus.index import chunks_by_id, manifest_of
from primum.datasets.jsonl import read_jsonl
from primum.datasets.problems import Problems
from primum.datasets.text import read_lines
from primum.digest import digest
from primum.errors import DatasetError, EndpointError, at
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


def read_trec_run(path: Path) -> Mapping[str, Ranking]:
    """Rankings by query id, from lines ``query Q0 chunk rank score tag``.

    The order is that of the rank column: what the system returned. (trec_eval orders by score instead.)

    Raises:
        DatasetError: with ``file:line`` of the first mistake, a rank or a chunk twice included.
    """
    problems = Problems()
    lines = read_lines(path, problems)
    problems.raise_errors()
    ranked: dict[str, dict[int, Hit]] = defaultdict(dict)
    seen: set[tuple[str, str]] = set()
    for number, line in enumerate(lines, start=1):
        if not line or not line.strip():
            continue
        place = at(path, number)
        query, rank, hit = _trec_line(line, place)
        if rank in ranked[query]:
            raise DatasetError(f"{place}: rank {rank} of query {query} is there twice; number the ranks through")
        if (query, hit.chunk_id) in seen:
            raise DatasetError(f"{place}: chunk {hit.chunk_id} is ranked twice for query {query}; keep the better rank")
        seen.add((query, hit.chunk_id))
        ranked[query][rank] = hit
    return {query: Ranking(hits=tuple(hits[rank] for rank in sorted(hits))) for query, hits in ranked.items()}


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


def _trec_line(line: str, place: str) -> tuple[str, int, Hit]:
    fields = line.split()
    if len(fields) != 6:
        raise DatasetError(f"{place}: {len(fields)} fields, expected 6: query Q0 chunk rank score tag")
    query, _, chunk_id, rank, score, _ = fields
    try:
        value = float(score)
        number = int(rank)
    except ValueError:
        raise DatasetError(f"{place}: rank must be a whole number and score a number") from None
    if not math.isfinite(value):
        raise DatasetError(f"{place}: the score is not finite; write a number")
    return query, number, Hit(chunk_id=chunk_id, score=value)
