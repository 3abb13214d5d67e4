"""Recorded answers are read with their passages and defects."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from primum.datasets import AnswerDefect, PassageRef, RecordedAnswer, load_recorded_answers
from primum.errors import DatasetError
from primum.records import Citation, Outcome, Severity

Row = dict[str, Any]
Write = Callable[[Path, list[Row]], Path]


def answer(**fields: Any) -> Row:
    return {"case_id": "dose-a/plain", "text": "Give 50 mg once daily [mono-a]."} | fields


def mistake(path: Path) -> str:
    with pytest.raises(DatasetError) as caught:
        load_recorded_answers(path)
    return str(caught.value).removeprefix(str(path))


def test_an_answer_needs_no_more_than_case_and_text(tmp_path: Path, write_jsonl: Write) -> None:
    """What is not recorded is None, which is not the same as an empty list."""
    [found] = load_recorded_answers(write_jsonl(tmp_path / "a.jsonl", [answer()]))
    assert found == RecordedAnswer(case_id="dose-a/plain", text="Give 50 mg once daily [mono-a].")
    assert (found.repetition, found.outcome, found.citations, found.context, found.retrieved) == (
        0,
        None,
        (),
        None,
        None,
    )


def test_everything_that_can_be_recorded_is_read(tmp_path: Path, write_jsonl: Write) -> None:
    """Outcome, citations, passages, note and defect."""
    ref = {"document_id": "mono-a", "document_version": "1", "quote": "5 mg"}
    row = answer(
        repetition=2,
        outcome="answered",
        citations=[{"target": "mono-a"}],
        context=[ref],
        retrieved=[],
        note="tenfold",
        defect={"kind": "tenfold", "gate": "dose", "severity": "critical", "quote": "50 mg"},
    )
    [found] = load_recorded_answers(write_jsonl(tmp_path / "a.jsonl", [row]))
    assert (found.repetition, found.outcome, found.citations) == (2, Outcome.ANSWERED, (Citation(target="mono-a"),))
    assert found.context == (PassageRef(document_id="mono-a", document_version="1", quote="5 mg"),)
    assert found.retrieved == ()
    assert found.defect == AnswerDefect(kind="tenfold", gate="dose", severity=Severity.CRITICAL, quote="50 mg")


def test_a_repetition_is_there_once(tmp_path: Path, write_jsonl: Write) -> None:
    """Both lines are named."""
    path = write_jsonl(tmp_path / "a.jsonl", [answer(), answer(repetition=1), answer()])
    assert mistake(path).startswith(f":3: the same case_id and repetition is at {path}:1; ")


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"outcome": "refused"}, ":1: outcome has a value that is not allowed; it is one of: abstained, answered"),
        ({"citations": ["mono-a"]}, ":1: citations[0] is not an object; put it in { }"),
        ({"context": {}}, ":1: context is not a list; put it in [ ]"),
        ({"repetition": "0"}, ":1: repetition is not a whole number; write it without quotes"),
        ({"repetition": -1}, ":1: repetition: input should be greater than or equal to 0; change the value"),
        (
            {"context": [{"document_id": "a", "document_version": "1"}]},
            ":1: context[0]: give either a quote or a chunk_id; change the record",
        ),
        (
            {"defect": {"kind": "unit", "gate": "dose", "rubric": "x", "severity": "critical"}},
            ":1: defect: a defect has either a gate or a rubric that must object; change the record",
        ),
        (
            {"defect": {"kind": "unit", "gate": "dose", "severity": "critical", "quote": "5 ml"}},
            ":1: defect.quote is not in the text; change the record",
        ),
        ({"texts": ""}, ":1: the field texts is not known; did you mean 'text'?"),
    ],
)
def test_a_bad_answer_is_named(tmp_path: Path, write_jsonl: Write, fields: Row, expected: str) -> None:
    """Each mistake has its line, field and fix."""
    assert mistake(write_jsonl(tmp_path / "a.jsonl", [answer(**fields)])).startswith(expected)
