"""Answers that were recorded earlier, by a real system or by hand, with labels on the bad ones."""

from typing import Self

from pydantic import Field, model_validator

from primum.records import Citation, Outcome, Record, Severity


class PassageRef(Record):
    """Points at a passage by words of its document, so that it survives a change of the chunker.

    Give either a `quote` or a `chunk_id`.
    """

    document_id: str
    document_version: str
    quote: str | None = None
    chunk_id: str | None = None

    @model_validator(mode="after")
    def _one_pointer(self) -> Self:
        if (self.quote is None) == (self.chunk_id is None):
            raise ValueError("give either a quote or a chunk_id")
        return self


class AnswerDefect(Record):
    """The one thing that is wrong with an answer, and who must object."""

    kind: str = Field(min_length=1)
    """Kind of defect, such as tenfold, unit, look_alike_name, foreign_citation or needless_refusal."""
    gate: str | None = None
    """Id of the gate that must fail."""
    rubric: str | None = None
    """Id of the rubric on which judges must fail the answer."""
    severity: Severity
    quote: str | None = None
    """The wrong words of the answer, to the letter; None when something is missing."""
    replaces: str | None = None
    """What a good answer to the same case says in place of `quote`, or what is missing; empty when `quote` is too much.
    None when the answer has no good twin."""

    @model_validator(mode="after")
    def _somebody_objects(self) -> Self:
        if (self.gate is None) == (self.rubric is None):
            raise ValueError("a defect has either a gate or a rubric that must object")
        return self


class RecordedAnswer(Record):
    """One line of ``answers/*.jsonl``; a file holds the answers of one system."""

    case_id: str = Field(min_length=1)
    """``family/variant``."""
    repetition: int = Field(default=0, ge=0)
    text: str
    outcome: Outcome | None = None
    citations: tuple[Citation, ...] = ()
    retrieved: tuple[PassageRef, ...] | None = None
    """What the recorded system retrieved, best first, when it is not what the run's retriever finds."""
    context: tuple[PassageRef, ...] | None = None
    """What reached its prompt, in prompt order, when it is not what the run would put there."""
    note: str | None = None
    """For people who read the file."""
    defect: AnswerDefect | None = None

    @model_validator(mode="after")
    def _defect_is_in_the_text(self) -> Self:
        quote = self.defect.quote if self.defect else None
        if quote is not None and (not quote or quote not in self.text):
            raise ValueError("defect.quote is not in the text")
        return self
