"""What is wrong with a dataset: all of it, each with its place and what to do."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from primum.errors import DatasetError

MOST_SHOWN: Final = 20
"""How many mistakes one file is searched for, and how many one error shows."""


class ProblemSeverity(StrEnum):
    """Whether a dataset can be used in spite of a problem."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, kw_only=True)
class Problem:
    """One mistake. Neither `message` nor `fix` repeats field values, which may be about a patient."""

    severity: ProblemSeverity
    place: str
    """``file``, ``file:line`` or ``file:line:column``, counted from 1."""
    message: str
    fix: str

    def __str__(self) -> str:
        return f"{self.place}: {self.severity}: {self.message}; {self.fix}"


@dataclass
class Problems:
    """Collects what checks find, so that a person sees everything at once."""

    found: list[Problem] = field(default_factory=list[Problem])

    def error(self, place: str, message: str, fix: str) -> None:
        """Adds a mistake that makes the dataset unusable."""
        self.found.append(Problem(severity=ProblemSeverity.ERROR, place=place, message=message, fix=fix))

    def warn(self, place: str, message: str, fix: str) -> None:
        """Adds something that a person should look at."""
        self.found.append(Problem(severity=ProblemSeverity.WARNING, place=place, message=message, fix=fix))

    @property
    def errors(self) -> list[Problem]:
        """The problems that make the dataset unusable."""
        return [problem for problem in self.found if problem.severity is ProblemSeverity.ERROR]

    def as_error(self) -> DatasetError:
        """One error that lists the mistakes, up to `MOST_SHOWN` of them."""
        errors = self.errors
        lines = [f"{problem.place}: {problem.message}; {problem.fix}" for problem in errors[:MOST_SHOWN]]
        if len(errors) > MOST_SHOWN:
            lines.append(f"and {len(errors) - MOST_SHOWN} more")
        return DatasetError("\n".join(lines))

    def raise_errors(self) -> None:
        """Raises `as_error` when there is a mistake."""
        if self.errors:
            raise self.as_error()


def shown(text: str) -> str:
    """A name out of a file, quoted, short and free of control characters, fit for a terminal."""
    return ascii(text) if len(text) <= 40 else ascii(text[:40])[:-1] + "…'"
