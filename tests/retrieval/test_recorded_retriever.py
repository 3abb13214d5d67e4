"""Recorded rankings."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from primum.errors import DatasetError, EndpointError
from primum.metrics.trec import read_run
from primum.records import (
    Answerability,
    Case,
    Chunk,
    Consequence,
    Hit,
    Ranking,
    Role,
    Scope,
)
from primum.retrieval.recorded import RecordedRetriever, read_rankings

NORTH = Scope(tenant="north")


def case(family: str, question: str, scope: Scope = NORTH) -> Case:
    return Case(
        family=family,
        variant="v1",
        question=question,
        kind="plain",
        role=next(iter(Role)),
        scope=scope,
        audience="nurse",
        consequence=next(iter(Consequence)),
        answerability=next(iter(Answerability)),
        expected_behaviour="says so",
    )


def ranking(*ids: str) -> Ranking:
    return Ranking(hits=tuple(Hit(chunk_id=chunk_id) for chunk_id in ids))


def test_a_case_gets_what_was_recorded_for_it(ward: Sequence[Chunk]) -> None:
    """Question and scope lead to the case; the passages are the corpus's, forbidden ones included."""
    cases = [case("f1", "Which dose?"), case("f2", "Which dose?", Scope(tenant="north", patient_id="A"))]
    retriever = RecordedRetriever({"f1/v1": ranking("dose", "note-b"), "f2/v1": ranking("note-a")}, cases, ward)
    found = asyncio.run(retriever.retrieve("Which dose?", NORTH, 5))
    assert found.ranking.ids == ("dose", "note-b")
    assert not found.passages[1].eligible(NORTH)
    own = asyncio.run(retriever.retrieve("Which dose?", Scope(tenant="north", patient_id="A"), 5))
    assert own.ranking.ids == ("note-a",)
    assert asyncio.run(retriever.retrieve("Which dose?", NORTH, 1)).ranking.ids == ("dose",)


def test_a_case_without_recording_is_a_failure_not_a_miss(ward: Sequence[Chunk]) -> None:
    """An empty ranking would be scored as 0."""
    retriever = RecordedRetriever({}, [case("f1", "Which dose?")], ward)
    for question in ("Which dose?", "Something else?"):
        with pytest.raises(EndpointError, match="no ranking was recorded"):
            asyncio.run(retriever.retrieve(question, NORTH, 5))


def test_a_recorded_chunk_that_is_not_in_the_corpus_is_refused(ward: Sequence[Chunk]) -> None:
    """Before anything is scored."""
    with pytest.raises(DatasetError, match="f1/v1 names gone"):
        RecordedRetriever({"f1/v1": ranking("gone")}, [], ward)


def test_two_recordings_for_one_question_are_refused(ward: Sequence[Chunk]) -> None:
    """The retriever is told no case id, so it could not choose."""
    cases = [case("f1", "Which dose?"), case("f2", "Which dose?")]
    with pytest.raises(DatasetError, match="f2/v1 asks what another case asks"):
        RecordedRetriever({"f1/v1": ranking("dose"), "f2/v1": ranking("renal")}, cases, ward)


def test_rankings_are_read_from_json_lines(tmp_path: Path) -> None:
    """Order and scores are kept; a case twice names the line."""
    path = tmp_path / "rankings.jsonl"
    line = '{"case_id": "f1/v1", "hits": [{"chunk_id": "b", "score": 0.5}, {"chunk_id": "a", "score": null}]}\n'
    path.write_text(line, encoding="utf-8")
    assert read_rankings(path)["f1/v1"].hits == (Hit(chunk_id="b", score=0.5), Hit(chunk_id="a"))
    path.write_text(line * 2, encoding="utf-8")
    with pytest.raises(DatasetError, match=r"rankings\.jsonl:2: case f1/v1 is recorded twice"):
        read_rankings(path)


def test_a_trec_run_can_be_replayed(ward: Sequence[Chunk], tmp_path: Path) -> None:
    """The query ids are the case ids; the rank column counts, not the score."""
    path = tmp_path / "run.txt"
    path.write_text("f1/v1 Q0 renal 2 9.0 x\nf1/v1 Q0 dose 1 3.5 x\n", encoding="utf-8")
    retriever = RecordedRetriever(read_run(path), [case("f1", "Which dose?")], ward)
    assert asyncio.run(retriever.retrieve("Which dose?", NORTH, 5)).ranking.ids == ("dose", "renal")
