"""The role ledger says who gave a family its role, and cases that say otherwise are refused."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from primum.datasets import load_dataset, validate_dataset
from primum.errors import DatasetError
from primum.records import Role
from primum.resources import shipped

Row = dict[str, Any]
Write = Callable[[Path, list[Row]], Path]

FIRST: Row = {"family": "dose-a", "role": "development", "date": "2026-03-01", "by": "A. Blom", "reason": "New."}
MOVED: Row = FIRST | {"was": "development", "role": "acceptance", "date": "2026-03-09", "reason": "Never used to tune."}


def told(folder: Path, rows: list[Row], write_jsonl: Write) -> list[str]:
    write_jsonl(folder / "roles.jsonl", rows)
    return [str(problem).replace(f"{folder}/", "") for problem in validate_dataset(folder)]


def test_a_ledger_that_agrees_is_loaded(folder: Path, write_jsonl: Write) -> None:
    """The entries are there, in order, and the file is among those that were read."""
    write_jsonl(folder / "roles.jsonl", [FIRST])
    dataset = load_dataset(folder)
    assert [(entry.family, entry.was, entry.role) for entry in dataset.roles] == [("dose-a", None, Role.DEVELOPMENT)]
    assert folder / "roles.jsonl" in dataset.paths


def test_a_ledger_changes_no_digest(folder: Path, write_jsonl: Write) -> None:
    """It changes no answer, so that stored observations stay valid."""
    before = load_dataset(folder)
    write_jsonl(folder / "roles.jsonl", [FIRST])
    assert load_dataset(folder).digest == before.digest
    assert before.roles == ()


def test_a_change_is_read_from_the_last_line(folder: Path, write_jsonl: Write, case: Callable[..., Row]) -> None:
    """The case must have the role of the family's last line."""
    assert told(folder, [FIRST, MOVED], write_jsonl) == [
        (
            "cases.jsonl:1: error: the role is development, and acceptance at roles.jsonl:2; "
            "record the change in the ledger, or take it back"
        )
    ]
    write_jsonl(folder / "cases.jsonl", [case(role="acceptance")])
    assert told(folder, [FIRST, MOVED], write_jsonl) == []


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (
            [FIRST, MOVED | {"was": None}],
            (
                "roles.jsonl:2: error: was is null, and the family had the role development at roles.jsonl:1; "
                "write the role that the family had"
            ),
        ),
        (
            [FIRST | {"was": "acceptance"}],
            (
                "roles.jsonl:1: error: was is acceptance, and the family had no role before, "
                "since this is its first line; write the role that the family had"
            ),
        ),
        (
            [FIRST, FIRST | {"family": "dose-b"}],
            "roles.jsonl:2: error: no case has this family; correct the name; lines are never deleted",
        ),
        (
            [FIRST | {"family": "dose-b"}],
            "cases.jsonl:1: error: the family has no line in roles.jsonl; add one with its role and the reason",
        ),
        (
            [FIRST, FIRST | {"was": "development"}],
            "roles.jsonl:2: error: was and role are the same, so that nothing changes; change the record",
        ),
        (
            [FIRST | {"date": "2026-02-30"}],
            "roles.jsonl:1: error: date is not a day of the calendar; change the record",
        ),
    ],
)
def test_a_wrong_line_is_told_with_its_place(folder: Path, write_jsonl: Write, rows: list[Row], expected: str) -> None:
    """Each mistake names the line and what to do."""
    assert expected in told(folder, rows, write_jsonl)


def test_a_line_older_than_the_one_before_was_not_added_at_the_end(
    folder: Path, write_jsonl: Write, case: Callable[..., Row]
) -> None:
    """History is added to, not edited."""
    write_jsonl(folder / "cases.jsonl", [case(role="acceptance")])
    assert told(folder, [FIRST, MOVED | {"date": "2026-02-01"}], write_jsonl) == [
        "roles.jsonl:2: error: the date is before that of roles.jsonl:1; add new lines at the end"
    ]


def test_an_unreadable_line_hides_no_family(folder: Path, write_jsonl: Write) -> None:
    """One mistake is told once, not as a missing family too."""
    assert told(folder, [FIRST | {"by": 3}], write_jsonl) == [
        "roles.jsonl:1: error: by is not text; put the value in quotes"
    ]


def test_a_dataset_that_contradicts_its_ledger_cannot_be_loaded(folder: Path, write_jsonl: Write) -> None:
    """A run never uses cases whose role is in doubt."""
    write_jsonl(folder / "roles.jsonl", [FIRST, MOVED])
    with pytest.raises(DatasetError, match="record the change in the ledger"):
        load_dataset(folder)


def test_the_demo_accounts_for_every_family() -> None:
    """The shipped ledger has one line for each family and every later change."""
    dataset = load_dataset(shipped("datasets") / "demo")
    assert {entry.family for entry in dataset.roles} == {case.family for case in dataset.cases}
