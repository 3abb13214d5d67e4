"""TREC files and golden sets, read and written."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.property.strategies import chunk_ids

from primum.errors import DatasetError, RankingError
from primum.metrics import (
    GoldenQuery,
    Judgments,
    parse_measure,
    read_golden,
    read_qrels,
    read_run,
    score_ranking,
    write_golden,
    write_qrels,
    write_run,
)
from primum.records import Hit, Ranking

writable = chunk_ids.filter(lambda text: not set(text) & set(" \t\r\n"))
into_one_file = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@into_one_file
@given(st.dictionaries(writable, st.lists(writable, min_size=1, max_size=5, unique=True), max_size=4))
def test_a_run_is_read_back_as_it_was_written(tmp_path: Path, rankings: dict[str, list[str]]) -> None:
    """Ids may hold any text without blanks; the order stays."""
    path = tmp_path / "run"
    write_run(
        path,
        {query: Ranking(hits=tuple(Hit(chunk_id=chunk) for chunk in chunks)) for query, chunks in rankings.items()},
        tag="primum",
    )
    read = read_run(path)
    assert {query: list(ranking.ids) for query, ranking in read.items()} == rankings
    # Falling scores, so that trec_eval sees the same order.
    assert all(hit.score == len(ranking.hits) - at for ranking in read.values() for at, hit in enumerate(ranking.hits))


@into_one_file
@given(st.dictionaries(writable, st.dictionaries(writable, st.integers(-2, 4), min_size=1, max_size=5), max_size=4))
def test_qrels_are_read_back_as_they_were_written(tmp_path: Path, grades: dict[str, dict[str, int]]) -> None:
    """Grades off the scale are refused when they are used, not lost when they are read."""
    path = tmp_path / "qrels"
    write_qrels(path, grades)
    assert read_qrels(path) == grades


def test_the_rank_orders_a_run_and_the_score_is_kept(tmp_path: Path) -> None:
    """Lines may stand in any order, and scores may rise."""
    path = tmp_path / "run"
    path.write_text("q1 Q0 b 2 9.5 x\nq1\tQ0\ta\t1\t-1e-3\tx\r\n\n", encoding="utf-8")
    assert read_run(path) == {"q1": Ranking(hits=(Hit(chunk_id="a", score=-0.001), Hit(chunk_id="b", score=9.5)))}


def test_a_retrievers_own_scores_can_be_written(tmp_path: Path) -> None:
    """When there is one for each result."""
    path = tmp_path / "run"
    write_run(path, {"q": Ranking(hits=(Hit(chunk_id="a", score=0.25),))}, tag="x", own_scores=True)
    assert path.read_text(encoding="utf-8") == "q Q0 a 1 0.25 x\n"
    with pytest.raises(DatasetError, match="without score"):
        write_run(path, {"q": Ranking(hits=(Hit(chunk_id="a"),))}, tag="x", own_scores=True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("q Q0 a 1 0.5", "5 fields"),
        ("q Q0 a first 0.5 x", "rank"),
        ("q Q0 a 1 nan x", "score"),
        ("q Q0 a 1 high x", "score"),
        ("q Q0 a 1 0.5 x\nq Q0 b 1 0.4 x", "run:2: rank 1"),
        ("q Q0 a 1 0.5 x\nq Q0 a 2 0.4 x", "run:2: chunk 'a'"),
    ],
)
def test_a_broken_run_is_refused_with_its_line(tmp_path: Path, text: str, message: str) -> None:
    """The message says where."""
    path = tmp_path / "run"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DatasetError, match=message):
        read_run(path)


@pytest.mark.parametrize("text", ["q 0 a", "q 0 a 1.5", "q 0 a 1\nq 0 a 2", "q 0 a \u0661"])
def test_broken_qrels_are_refused(tmp_path: Path, text: str) -> None:
    """Fields missing, half grades, two grades for one chunk, digits that trec_eval cannot read."""
    path = tmp_path / "qrels"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DatasetError, match="qrels:"):
        read_qrels(path)


def test_an_id_with_a_blank_cannot_be_written(tmp_path: Path) -> None:
    """It would come back as two fields."""
    with pytest.raises(DatasetError, match="holds a blank"):
        write_qrels(tmp_path / "qrels", {"q": {"a b": 1}})


def test_missing_and_foreign_files_are_dataset_errors(tmp_path: Path) -> None:
    """Not tracebacks."""
    (tmp_path / "latin").write_bytes(b"q 0 \xe9 1\n")
    for read in (read_run, read_qrels, read_golden):
        with pytest.raises(DatasetError, match="cannot be read"):
            read(tmp_path / "absent")
        with pytest.raises(DatasetError, match="not UTF-8"):
            read(tmp_path / "latin")


def test_a_golden_set_is_read_written_and_scored(tmp_path: Path) -> None:
    """Plain ids are grade 1; graded entries keep theirs."""
    path = tmp_path / "golden.jsonl"
    path.write_text('{"id": "q1", "query": "Why?", "relevant": ["a", {"id": "b", "grade": 2}]}\n\n', encoding="utf-8")
    (query,) = read_golden(path)
    assert query.judgments().grades == {"a": 1, "b": 2}
    p2 = parse_measure("P@2")
    assert score_ranking([p2], ["b", "unknown"], query.judgments()) == {p2: 0.5}
    write_golden(path, [query])
    assert read_golden(path) == (query,)


@pytest.mark.parametrize(
    "line",
    [
        "[]",
        "{",
        '{"id": "q", "query": "?"}',
        '{"id": "", "query": "?", "relevant": []}',
        '{"id": "q", "query": "?", "relevant": ["a", "a"]}',
        '{"id": "q", "query": "?", "relevant": [{"id": "a", "grade": 3}]}',
        '{"id": "q", "query": "?", "relevant": [{"id": "a", "grade": true}]}',
        '{"id": "q", "id": "r", "query": "?", "relevant": []}',
        '{"id": "q", "query": "?", "relevant": [], "extra": 1}',
        "[" * 100_000,
    ],
)
def test_a_broken_golden_line_is_refused_with_its_place(tmp_path: Path, line: str) -> None:
    """Also keys given twice and unknown ones."""
    path = tmp_path / "golden.jsonl"
    path.write_text("\n" + line, encoding="utf-8")
    with pytest.raises(DatasetError, match=r"golden\.jsonl:2: "):
        read_golden(path)


def test_a_golden_id_is_there_once(tmp_path: Path) -> None:
    """Two queries with one id would overwrite each other."""
    path = tmp_path / "golden.jsonl"
    write_golden(path, [GoldenQuery(id="q", query="?", relevant=("a",))] * 2)
    with pytest.raises(DatasetError, match=r"golden\.jsonl:2: the id 'q' is there twice"):
        read_golden(path)


def test_negative_trec_grades_are_refused_where_they_would_be_used(tmp_path: Path) -> None:
    """Collections use them for spam; what they mean is for the user to decide."""
    path = tmp_path / "qrels"
    path.write_text("q 0 a -2\n", encoding="utf-8")
    with pytest.raises(RankingError):
        Judgments(grades=read_qrels(path)["q"])
