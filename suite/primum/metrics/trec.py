"""TREC run and qrels files, the exchange format of retrieval evaluation.

A run line is ``query Q0 chunk rank score tag``, a qrels line ``query 0 chunk grade``; fields are separated by blanks,
so ids that hold blanks cannot be written. trec_eval ignores the rank and sorts by score, ties by id. Here the rank
counts, because the order that the retriever returned is what a user saw; a run is therefore written with scores n..1
unless asked otherwise, and trec_eval then sees the same order.
"""

import math
from collections.abc import Iterator, Mapping
from pathlib import Path

from primum.errors import DatasetError, at
from primum.records import Hit, Ranking


def read_run(path: Path) -> dict[str, Ranking]:
    """The rankings of a run file, by query, in the order of their ranks.

    Raises:
        DatasetError: With ``file:line``, when the file cannot be read, a line has not six fields, a rank is no whole
            number or stands there twice, a score is not finite, or a chunk is ranked twice for one query.
    """
    runs: dict[str, dict[int, Hit]] = {}
    seen: set[tuple[str, str]] = set()
    for place, (query, _, chunk_id, rank, score, _) in _rows(path, fields=6, form="query Q0 chunk rank score tag"):
        ranks = runs.setdefault(query, {})
        number = _whole(rank, place, "rank")
        if number in ranks:
            raise DatasetError(f"{place}: rank {number} of this query is there twice; number its results from 1")
        if (query, chunk_id) in seen:
            raise DatasetError(f"{place}: chunk {chunk_id!r} is ranked twice for this query; keep its best rank")
        seen.add((query, chunk_id))
        ranks[number] = Hit(chunk_id=chunk_id, score=_finite(score, place))
    return {query: Ranking(hits=tuple(ranks[number] for number in sorted(ranks))) for query, ranks in runs.items()}


def write_run(path: Path, rankings: Mapping[str, Ranking], *, tag: str, own_scores: bool = False) -> None:
    """Writes rankings as a run file. Queries with an empty ranking leave no line: the format cannot say it.

    Args:
        path: File to write; an existing one is replaced.
        rankings: Ranking of each query.
        tag: Name of the system.
        own_scores: Writes the retriever's scores instead of n..1; trec_eval will then sort by them.

    Raises:
        DatasetError: When an id or the tag holds a blank or is empty, or a score is missing with `own_scores`.
    """
    lines: list[str] = []
    for query, ranking in rankings.items():
        for rank, hit in enumerate(ranking.hits, start=1):
            score: float | None = hit.score if own_scores else len(ranking.hits) - rank + 1
            if score is None:
                raise DatasetError(f"query {query!r} has a result without score; write the run without own_scores")
            lines.append(f"{_field(query)} Q0 {_field(hit.chunk_id)} {rank} {score!r} {_field(tag)}\n")
    path.write_text("".join(lines), encoding="utf-8", newline="\n")


def read_qrels(path: Path) -> dict[str, dict[str, int]]:
    """The grades of a qrels file, by query and chunk; `Judgments` checks that they are on its scale.

    Raises:
        DatasetError: With ``file:line``, when the file cannot be read, a line has not four fields, a grade is no whole
            number, or a chunk is judged twice for one query.
    """
    grades: dict[str, dict[str, int]] = {}
    for place, (query, _, chunk_id, grade) in _rows(path, fields=4, form="query 0 chunk grade"):
        judged = grades.setdefault(query, {})
        if chunk_id in judged:
            raise DatasetError(f"{place}: chunk {chunk_id!r} is judged twice for this query; decide which one holds")
        judged[chunk_id] = _whole(grade, place, "grade")
    return grades


def write_qrels(path: Path, grades: Mapping[str, Mapping[str, int]]) -> None:
    """Writes grades as a qrels file.

    Raises:
        DatasetError: When an id holds a blank or is empty.
    """
    lines = [
        f"{_field(query)} 0 {_field(chunk_id)} {grade}\n"
        for query, judged in grades.items()
        for chunk_id, grade in judged.items()
    ]
    path.write_text("".join(lines), encoding="utf-8", newline="\n")


def _rows(path: Path, *, fields: int, form: str) -> Iterator[tuple[str, list[str]]]:
    """The lines of a file as (place, fields); blank lines are skipped, as trec_eval does."""
    try:
        # Split at line feeds only: an id may hold U+2028 and the like.
        lines = path.read_text(encoding="utf-8").split("\n")
    except OSError as error:
        raise DatasetError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise DatasetError(f"{path}: is not UTF-8 at byte {error.start}; convert it") from error
    for number, line in enumerate(lines, start=1):
        # Only blanks and tabs separate, so that an id with a no-break space survives.
        row = line.replace("\t", " ").split(" ")
        row = [field for field in row if field]
        if not row:
            continue
        if len(row) != fields:
            raise DatasetError(f"{at(path, number)}: {len(row)} fields; a line is: {form}")
        yield at(path, number), row


def _whole(text: str, place: str, what: str) -> int:
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 10):
        raise DatasetError(f"{place}: the {what} is {text[:40]!r}, not a whole number")
    return int(text)


def _finite(text: str, place: str) -> float:
    try:
        score = float(text)
    except ValueError:
        score = math.nan
    if not math.isfinite(score):
        raise DatasetError(f"{place}: the score is {text[:40]!r}, not a finite number")
    return score


def _field(text: str) -> str:
    if not text or any(blank in text for blank in " \t\r\n"):
        raise DatasetError(f"{text!r} is empty or holds a blank, which a TREC file cannot say; use other ids for it")
    return text
