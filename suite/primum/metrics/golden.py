"""Golden sets as JSON Lines: ``{"id": ..., "query": ..., "relevant": [...]}``, one query a line.

An entry of ``relevant`` is a chunk id, which counts as grade 1, or ``{"id": ..., "grade": ...}``.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

from pydantic import Field, ValidationError

from primum.errors import DatasetError, RankingError, at
from primum.metrics.judgments import HIGHEST_GRADE, Judgments, Unjudged
from primum.records.base import Record

Id = Annotated[str, Field(min_length=1)]


class GradedChunk(Record):
    """A relevant chunk with its grade."""

    id: Id
    grade: int = Field(ge=0, le=HIGHEST_GRADE, strict=True)


class GoldenQuery(Record):
    """A query and the chunks that are known to answer it."""

    id: Id
    query: Id
    relevant: tuple[Id | GradedChunk, ...]

    def judgments(self, unjudged: Unjudged = Unjudged.IRRELEVANT) -> Judgments:
        """The labels; a golden set seldom judges everything, so what it leaves out counts as not relevant.

        Raises:
            RankingError: ``duplicate_id`` when a chunk is listed twice.
        """
        grades: dict[str, int] = {}
        for entry in self.relevant:
            chunk_id, grade = (entry, 1) if isinstance(entry, str) else (entry.id, entry.grade)
            if chunk_id in grades:
                raise RankingError(
                    f"query {self.id!r} lists chunk {chunk_id!r} twice; decide which grade holds", code="duplicate_id"
                )
            grades[chunk_id] = grade
        return Judgments(grades=grades, unjudged=unjudged)


def read_golden(path: Path) -> tuple[GoldenQuery, ...]:
    """The queries of a golden set, in the order of the file; blank lines are skipped.

    Raises:
        DatasetError: With ``file:line``, when the file cannot be read, a line is not such an object, or an id is there
            twice.
    """
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except OSError as error:
        raise DatasetError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise DatasetError(f"{path}: is not UTF-8 at byte {error.start}; convert it") from error
    queries: dict[str, GoldenQuery] = {}
    for number, line in enumerate(lines, start=1):
        if line.strip():
            query = _query(line, at(path, number))
            if query.id in queries:
                raise DatasetError(f"{at(path, number)}: the id {query.id!r} is there twice; give each query its own")
            queries[query.id] = query
    return tuple(queries.values())


def write_golden(path: Path, queries: Iterable[GoldenQuery]) -> None:
    """Writes a golden set; an existing file is replaced."""
    lines = [json.dumps(query.content(), ensure_ascii=False, allow_nan=False) + "\n" for query in queries]
    path.write_text("".join(lines), encoding="utf-8", newline="\n")


def _query(line: str, place: str) -> GoldenQuery:
    try:
        query = GoldenQuery.model_validate(json.loads(line, object_pairs_hook=_unique))
        query.judgments()
    except ValidationError as error:
        mistake = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, mistake["loc"]))
        raise DatasetError(f"{place}: {where or 'the line'}: {mistake['msg']}") from error
    except (ValueError, RecursionError) as error:
        raise DatasetError(f"{place}: is not one JSON object with each key once: {error}") from error
    except RankingError as error:
        raise DatasetError(f"{place}: {error}") from error
    return query


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    keys = dict(pairs)
    if len(keys) != len(pairs):
        raise ValueError("a key is there twice")
    return keys
