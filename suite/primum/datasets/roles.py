"""Who gave a family of cases its role, when and why: the ledger ``roles.jsonl``, to which lines are only added.

A held-out case that was looked at while a system was tuned is held out no longer. The ledger makes such a move visible:
without it, nobody could tell later on which cases a figure is honest.
"""

import datetime as dt
from collections.abc import Iterable
from pathlib import Path
from typing import Final, Self

from pydantic import Field, model_validator

from primum.datasets.jsonl import Line, collect_jsonl
from primum.datasets.problems import Problems
from primum.records import Case, Record, Role

LEDGER: Final = "roles.jsonl"


class RoleEntry(Record):
    """One line of the ledger: a family got its role, or got another one."""

    family: str = Field(min_length=1)
    was: Role | None = None
    """The role before; None in the family's first line."""
    role: Role
    """The role from then on, of all variants of the family."""
    date: str = Field(pattern=r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$")
    """ISO 8601, ``YYYY-MM-DD``."""
    by: str = Field(min_length=1)
    """Who decided."""
    reason: str = Field(min_length=1)

    @model_validator(mode="after")
    def _changes_something(self) -> Self:
        if self.was is self.role:
            raise ValueError("was and role are the same, so that nothing changes")
        try:
            dt.date.fromisoformat(self.date)
        except ValueError:
            raise ValueError("date is not a day of the calendar") from None
        return self


def collect_roles(folder: Path, cases: Iterable[Line[Case]], problems: Problems) -> tuple[RoleEntry, ...]:
    """The folder's ledger, held against the cases; mistakes go to `problems`. Without the file, nothing is checked."""
    path = folder / LEDGER
    if not path.exists():
        return ()
    before = len(problems.errors)
    lines = collect_jsonl(path, RoleEntry, problems)
    # A line that could not be read would make its family look as if it had no entry.
    if len(problems.errors) == before:
        _check_cases(cases, _last_entries(lines, problems), path, problems)
    return tuple(line.record for line in lines)


def _last_entries(lines: Iterable[Line[RoleEntry]], problems: Problems) -> dict[str, Line[RoleEntry]]:
    last: dict[str, Line[RoleEntry]] = {}
    newest: Line[RoleEntry] | None = None
    for line in lines:
        entry = line.record
        if newest is not None and entry.date < newest.record.date:
            problems.error(line.place, f"the date is before that of {newest.place}", "add new lines at the end")
        else:
            newest = line
        previous = last.get(entry.family)
        role = previous.record.role if previous else None
        if entry.was is not role:
            place = f"at {previous.place}" if previous else "before, since this is its first line"
            message = (
                f"was is {entry.was or 'null'}, and the family had {f'the role {role}' if role else 'no role'} {place}"
            )
            problems.error(line.place, message, "write the role that the family had")
        last[entry.family] = line
    return last


def _check_cases(cases: Iterable[Line[Case]], last: dict[str, Line[RoleEntry]], path: Path, problems: Problems) -> None:
    seen: set[str] = set()
    for line in cases:
        case = line.record
        entry = last.get(case.family)
        if entry is None and case.family not in seen:
            problems.error(line.place, f"the family has no line in {path.name}", "add one with its role and the reason")
        elif entry is not None and entry.record.role is not case.role:
            message = f"the role is {case.role}, and {entry.record.role} at {entry.place}"
            problems.error(line.place, message, "record the change in the ledger, or take it back")
        seen.add(case.family)
    for family, entry in last.items():
        if family not in seen:
            problems.error(entry.place, "no case has this family", "correct the name; lines are never deleted")
