"""What all records share."""

from enum import StrEnum
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, model_validator

from primum.digest import digest


class Record(BaseModel):
    """A frozen, keyword-only value; unknown fields, NaN and infinities are refused."""

    # Schemas are built when first used, so that importing the records stays cheap.
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, defer_build=True)

    def content(self) -> dict[str, Any]:
        """The record as plain JSON data."""
        return self.model_dump(mode="json")

    def digest(self) -> str:
        """SHA-256 of the record's canonical JSON."""
        return digest(self.content())


class Status(StrEnum):
    """What a check came to. The five never stand for one another."""

    PASS = "pass"  # noqa: S105 - a status, not a password
    FAIL = "fail"
    NOT_APPLICABLE = "not_applicable"
    INCONCLUSIVE = "inconclusive"
    ERROR = "error"


class Severity(StrEnum):
    """How much harm a finding can do."""

    WARNING = "warning"
    SERIOUS = "serious"
    CRITICAL = "critical"


class Outcome(StrEnum):
    """What the system did with a question."""

    ANSWERED = "answered"
    ABSTAINED = "abstained"
    CLARIFIED = "clarified"
    FAILED = "failed"


class Rate(Record):
    """A share that never hides how many it rests on."""

    numerator: int
    denominator: int

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if not 0 <= self.numerator <= self.denominator:
            raise ValueError(f"a rate needs 0 <= numerator <= denominator, not {self.numerator}/{self.denominator}")
        return self

    @property
    def value(self) -> float | None:
        """The share in [0, 1]; None, not 0, when nothing was counted."""
        return self.numerator / self.denominator if self.denominator else None

    def __str__(self) -> str:
        return f"{self.numerator}/{self.denominator}"
