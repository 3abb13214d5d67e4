"""What is asked, and what a good system would do: the labelled side of an evaluation."""

from enum import StrEnum
from typing import Self

from pydantic import Field, JsonValue, model_validator

from primum.records.base import Record
from primum.records.scope import Scope


class Role(StrEnum):
    """What a case may be used for."""

    DEVELOPMENT = "development"
    ACCEPTANCE = "acceptance"


class Consequence(StrEnum):
    """What a wrong answer to this question can lead to."""

    ROUTINE = "routine"
    SERIOUS = "serious"
    CRITICAL = "critical"


class Answerability(StrEnum):
    """How far the eligible corpus supports an answer."""

    ANSWERABLE = "answerable"
    PARTIAL = "partial"
    UNANSWERABLE = "unanswerable"
    UNDERSPECIFIED = "underspecified"
    """Answerable only once something that the question leaves out is known; a good system asks."""


class EvidenceLabel(Record):
    """A relevance judgment that points at text, so that it survives a change of the chunker.

    Give either a `quote` (text of the document, found when the dataset is loaded) or a `chunk_id`.
    """

    document_id: str
    document_version: str
    quote: str | None = None
    chunk_id: str | None = None
    grade: int = Field(ge=0, le=2)
    """0 not relevant, 1 partly relevant, 2 answers the question."""
    required: bool = False
    """Whether the answer cannot be given without it."""

    @model_validator(mode="after")
    def _one_pointer(self) -> Self:
        if (self.quote is None) == (self.chunk_id is None):
            raise ValueError("an evidence label has either a quote or a chunk_id")
        if self.required and self.grade == 0:
            raise ValueError("required evidence has a grade of 1 or 2")
        return self


class KeyField(StrEnum):
    """A part of the answer key that a gate or judge may ask for."""

    ANSWERABILITY = "answerability"
    STATEMENTS = "statements"
    REFERENCE = "reference"


class AnswerKey(Record):
    """The part of the answer key that a check declared it needs; what it did not declare is None."""

    answerability: Answerability | None = None
    must_have: tuple[str, ...] | None = None
    nice_to_have: tuple[str, ...] | None = None
    reference_answer: str | None = None

    def only(self, needs: frozenset[KeyField]) -> "AnswerKey":
        """The key, reduced to the parts that a check declared."""
        statements = KeyField.STATEMENTS in needs
        return AnswerKey(
            answerability=self.answerability if KeyField.ANSWERABILITY in needs else None,
            must_have=self.must_have if statements else None,
            nice_to_have=self.nice_to_have if statements else None,
            reference_answer=self.reference_answer if KeyField.REFERENCE in needs else None,
        )


class Case(Record):
    """One wording (variant) of one user need (family), with its labels."""

    family: str = Field(min_length=1)
    variant: str = Field(min_length=1)
    question: str = Field(min_length=1)
    kind: str = Field(min_length=1)
    """Kind of question, such as plain, table, cross_patient or injected."""
    role: Role
    scope: Scope
    audience: str = Field(min_length=1)
    """Who asks, such as prescriber, nurse, pharmacist or patient."""
    consequence: Consequence
    answerability: Answerability
    expected_behaviour: str
    """What a good system does here, in a sentence, for people who review the case."""
    evidence: tuple[EvidenceLabel, ...] = ()
    must_have: tuple[str, ...] = ()
    nice_to_have: tuple[str, ...] = ()
    reference_answer: str | None = None
    disclaimer_required: bool = False
    output_schema: dict[str, JsonValue] | None = None
    """JSON Schema that the raw answer must satisfy, when the system answers in JSON."""

    @property
    def id(self) -> str:
        """``family/variant``, unique in a dataset."""
        return f"{self.family}/{self.variant}"

    def key(self, needs: frozenset[KeyField]) -> AnswerKey:
        """The answer key, reduced to the parts that a check declared."""
        return AnswerKey(
            answerability=self.answerability,
            must_have=self.must_have,
            nice_to_have=self.nice_to_have,
            reference_answer=self.reference_answer,
        ).only(needs)
