"""Where judges, gates and people do not agree: what is worth a person's look."""

from enum import StrEnum
from typing import Literal, Self

from pydantic import Field, model_validator

from primum.records.base import Record, Severity, Status


class Between(StrEnum):
    """Who disagrees."""

    JUDGES = "judges"
    """Judges with each other."""
    REPETITIONS = "repetitions"
    """A judge with itself."""
    GATES = "gates"
    """A judge with a safety gate."""
    REFERENCE = "reference"
    """A judge with a reference label."""
    PEOPLE = "people"
    """A judge with people."""


class Label(Record):
    """What a person, or a reference, says of one observation by one rubric."""

    observation_id: str = Field(min_length=1)
    rubric: str = Field(min_length=1)
    rater: str = Field(min_length=1)
    """A name or pseudonym that stays the same, so that people can be compared with each other."""
    status: Literal[Status.PASS, Status.FAIL]
    score: float | None = Field(default=None, ge=0, le=1)
    """A graded label, where the rubric has grades."""
    source: Literal[Between.PEOPLE, Between.REFERENCE] = Between.PEOPLE


class Disagreement(Record):
    """One thing that two sides say differently about one observation by one rubric."""

    observation_id: str
    rubric: str
    between: Between
    passing: tuple[str, ...]
    """Who says that it passes."""
    failing: tuple[str, ...]
    """Who says that it fails."""
    margin: float = Field(ge=0, le=1)
    """How far the votes lie apart, from 0 (even) to 1 (nearly all on one side)."""
    severity: Severity
    reason: str

    @model_validator(mode="after")
    def _has_two_sides(self) -> Self:
        if not self.passing or not self.failing:
            raise ValueError("a disagreement has somebody on both sides")
        return self
