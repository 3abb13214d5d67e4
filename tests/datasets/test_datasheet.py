"""The counts in a datasheet are those of the files."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from primum.datasets import load_dataset
from primum.datasets.datasheet import BEGIN, END, counts, counts_of, main, with_counts, write_counts
from primum.errors import DatasetError, UsageError
from primum.resources import shipped

Row = dict[str, Any]
Write = Callable[[Path, list[Row]], Path]


@pytest.mark.parametrize("name", ["demo", "qualification"])
def test_a_shipped_datasheet_has_the_counts_of_today(name: str) -> None:
    """After a change of the set run: python -m primum.datasets.datasheet datasets/NAME."""
    folder = shipped("datasets") / name
    text = (folder / "README.md").read_text(encoding="utf-8")
    assert text == with_counts(text, counts_of(folder), folder / "README.md")


def test_documents_are_counted_by_type_and_state(folder: Path) -> None:
    """Each type has a row, each state that occurs a column, and both have a sum."""
    note = folder / "documents" / "note-one.md"
    note.write_text(note.read_text().replace("state: published", "state: draft"))
    table = counts(load_dataset(folder)).split("\n\n")[0]
    assert table.splitlines() == [
        "| document type | published | draft | all |",
        "| --- | --- | --- | --- |",
        "| monograph | 1 | 0 | 1 |",
        "| patient_note | 0 | 1 | 1 |",
        "| all | 1 | 1 | 2 |",
    ]


def test_cases_and_families_are_counted_apart(folder: Path, case: Callable[..., Row], write_jsonl: Write) -> None:
    """Two wordings of one need are one family."""
    rows = [case(), case(variant="other", kind="dose"), case(family="b", consequence="routine")]
    write_jsonl(folder / "cases.jsonl", rows)
    text = counts(load_dataset(folder))
    assert (
        "| kind | cases | families |\n| --- | --- | --- |\n| dose | 1 | 1 |\n| plain | 2 | 2 |\n| all | 3 | 2 |" in text
    )
    assert "| routine | 1 | 1 |\n| serious | 2 | 1 |" in text


def test_answers_are_counted_by_file_and_defect(folder: Path, write_jsonl: Write) -> None:
    """Good and bad answers, and whoever must object to the bad ones."""
    answers: list[Row] = [
        {"case_id": "dose-a/plain", "text": "5 mg"},
        {
            "case_id": "dose-a/plain",
            "repetition": 1,
            "text": "50 mg",
            "defect": {"kind": "tenfold", "gate": "dose", "severity": "critical", "quote": "50 mg"},
        },
    ]
    write_jsonl(folder / "answers" / "a.jsonl", answers)
    text = counts(load_dataset(folder))
    assert "| `a.jsonl` | 2 | 1 | 1 |" in text
    assert "| tenfold | dose | 1 |\n| all |  | 1 |" in text


def test_counts_are_written_between_the_marks_only(folder: Path) -> None:
    """What people wrote stays; a second run changes nothing."""
    (folder / "README.md").write_text(f"# Set\n\n{BEGIN}\nold\n{END}\n\nMore.\n")
    assert write_counts(folder)
    text = (folder / "README.md").read_text()
    assert text.startswith(f"# Set\n\n{BEGIN}\n| document type |")
    assert text.endswith(f"|\n{END}\n\nMore.\n")
    assert not write_counts(folder)


@pytest.mark.parametrize("text", ["", BEGIN, END + BEGIN, BEGIN + BEGIN + END, BEGIN + END + END])
def test_marks_that_do_not_fit_are_an_error(folder: Path, text: str) -> None:
    """Nothing is overwritten by guesswork."""
    (folder / "README.md").write_text(text)
    with pytest.raises(DatasetError, match="once each, where the counts belong"):
        write_counts(folder)


def test_a_missing_datasheet_is_an_error(folder: Path) -> None:
    """The command says which file it wants, and that it wants one folder."""
    with pytest.raises(DatasetError, match=r"README\.md: there is no datasheet"):
        main([str(folder)])
    with pytest.raises(UsageError, match="give one dataset folder"):
        main([])
