"""Validation tells everything that is wrong with a dataset, each with its place."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from primum.datasets import ProblemSeverity, validate_dataset
from primum.resources import shipped

Row = dict[str, Any]
Make = Callable[..., Row]
Write = Callable[[Path, list[Row]], Path]

ANSWER: Row = {"case_id": "dose-a/plain", "text": "5 mg"}


def told(folder: Path) -> list[str]:
    return [str(problem).removeprefix(f"{folder}/") for problem in validate_dataset(folder)]


def test_a_right_dataset_has_no_problems(folder: Path) -> None:
    """Nothing is told without a reason."""
    assert validate_dataset(folder) == []


def test_the_shipped_demo_has_no_problems(by_schema: Callable[[str, Row], bool]) -> None:
    """The example that users copy is right, by the schemas too."""
    demo = shipped("datasets") / "demo"
    assert [str(problem) for problem in validate_dataset(demo)] == []
    for schema, path in [
        ("case", demo / "cases.jsonl"),
        ("patient", demo / "patients.jsonl"),
        ("role", demo / "roles.jsonl"),
        *(("recorded-answer", path) for path in (demo / "answers").glob("*.jsonl")),
    ]:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        assert rows
        assert [number for number, row in enumerate(rows, 1) if not by_schema(schema, row)] == []


def test_problems_of_all_kinds_are_told_together(folder: Path, case: Make, write_jsonl: Write) -> None:
    """A broken label does not hide a broken answer, nor a broken patient a broken label."""
    row = case()
    row["evidence"][0]["quote"] = "nowhere to be found"
    write_jsonl(folder / "cases.jsonl", [row])
    (folder / "patients.jsonl").write_text('{"mrn": 1}\n')
    write_jsonl(folder / "answers" / "a.jsonl", [{"case_id": "x/y", "text": ""}])
    places = [line.split(": ")[0] for line in told(folder)]
    assert places[:2] == ["patients.jsonl:1", "patients.jsonl:1"]
    assert places[-2:] == ["cases.jsonl:1", "answers/a.jsonl:1"]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, None),
        ({"case_id": "dose-a/other"}, "there is no case with this case_id; write family/variant of a case"),
        (
            {"context": [{"document_id": "mono-a", "document_version": "1", "quote": "7 mg"}]},
            "context[0]: the quote is not in the document; copy the words from the document to the letter",
        ),
        (
            {"retrieved": [{"document_id": "mono-b", "document_version": "1", "quote": "7 mg"}]},
            "retrieved[0]: there is no such document and version; correct the id, or add the document",
        ),
        ({"context": [{"document_id": "note-one", "document_version": "1", "quote": "10 mg of medicine A"}]}, None),
    ],
)
def test_recorded_answers_point_at_what_there_is(
    folder: Path, write_jsonl: Write, fields: Row, expected: str | None
) -> None:
    """Case and passages exist; what a system should not have seen may be recorded."""
    write_jsonl(folder / "answers" / "a.jsonl", [ANSWER | fields])
    assert told(folder) == ([f"answers/a.jsonl:1: error: {expected}"] if expected else [])


def test_each_document_carries_the_banner(folder: Path) -> None:
    """White space does not count; a document without the words is named."""
    (folder / "dataset.yaml").write_text("name: world\nbanner: 'Synthetic.   Adults take'\n")
    assert told(folder) == [
        f"documents/{name}.md: error: the document does not carry the banner of dataset.yaml; add it to the text"
        for name in ("mono-a", "note-one")
    ]
    (folder / "dataset.yaml").write_text("name: world\nbanner: ' Synthetic. '\n")
    assert told(folder) == []


def test_two_published_versions_are_told(folder: Path) -> None:
    """Both could be retrieved, and one of them is probably out of date."""
    text = (folder / "documents" / "mono-a.md").read_text()
    newer = folder / "documents" / "mono-a-v2.md"
    newer.write_text(text.replace('"1"', '"2"'))
    [problem] = validate_dataset(folder)
    assert problem.severity is ProblemSeverity.WARNING
    assert problem.place == f"{folder}/documents/mono-a.md"
    assert problem.message == f"another version is published too, at {newer}"
    newer.write_text(newer.read_text().replace("published", "superseded"))
    assert told(folder) == []


def test_near_duplicate_questions_across_roles_are_told(folder: Path, case: Make, write_jsonl: Write) -> None:
    """A held-out question that was tuned on is not held out; within one role it does no harm."""
    storage = [{"document_id": "mono-a", "document_version": "1", "quote": "Keep medicine A dry.", "grade": 2}]
    question = "in adults, what is THE dose of medicine A?"
    same_role = case(family="again", question=question)
    other_role = case(family="held-out", question=question, role="acceptance", evidence=storage)
    write_jsonl(folder / "cases.jsonl", [case(question="Storage?"), same_role, other_role])
    assert told(folder) == [
        (
            f"cases.jsonl:3: warning: the question is nearly that of the development case at {folder}/cases.jsonl:2; "
            "ask something else, or give both families one role"
        )
    ]


def test_passages_shared_by_both_roles_are_told_once_for_two_families(
    folder: Path, case: Make, write_jsonl: Write
) -> None:
    """What retrieval was tuned on must not be what it is accepted on; grade 0 shares nothing."""
    held_out = [
        case(family="held-out", variant=str(number), role="acceptance", question=f"Quite another one, {number}?")
        for number in range(2)
    ]
    write_jsonl(folder / "cases.jsonl", [case(), *held_out])
    [problem] = validate_dataset(folder)
    assert problem.severity is ProblemSeverity.WARNING
    assert problem.place == f"{folder}/cases.jsonl:2"
    assert problem.message.startswith("the passage mono-a@1#1-")
    assert problem.message.endswith(f"is also evidence of the case at {folder}/cases.jsonl:1")
    for row in held_out:
        row["evidence"][0]["grade"] = 0
        row["answerability"] = "unanswerable"
    write_jsonl(folder / "cases.jsonl", [case(), *held_out])
    assert told(folder) == []


TWICE = """\
---
id: guide-b
version: "1"
title: Guide
type: guideline
state: published
---
Synthetic.

## Medicine A

In adults with pain, give 5 mg of medicine A once daily.
"""


def test_an_equal_statement_without_a_grade_is_a_warning(folder: Path, case: Make, write_jsonl: Write) -> None:
    """A retriever that finds the other passage would be marked down for a right answer; a grade of 0 settles it."""
    guide = folder / "documents" / "guide-b.md"
    guide.write_text(TWICE)
    mono = folder / "documents" / "mono-a.md"
    quote = "In adults with pain, give 5 mg of medicine A once daily, with food."
    mono.write_text(mono.read_text().replace("Adults take 5 mg of medicine A once daily.", quote))
    label = {"document_id": "mono-a", "document_version": "1", "quote": quote[:55], "grade": 2}
    row = case(evidence=[label])
    write_jsonl(folder / "cases.jsonl", [row])
    (problem,) = validate_dataset(folder)
    assert problem.severity is ProblemSeverity.WARNING
    assert problem.message.startswith("the passage guide-b@1#1-")
    assert problem.message.endswith("says nearly what evidence[0] quotes, and has no grade")
    graded = label | {"document_id": "guide-b", "quote": "give 5 mg of medicine A", "grade": 0}
    write_jsonl(folder / "cases.jsonl", [case(evidence=[label, graded])])
    assert validate_dataset(folder) == []
    write_jsonl(folder / "cases.jsonl", [row])
    guide.write_text(TWICE.replace("published", "draft"))
    assert validate_dataset(folder) == []
