"""What happened between a question and its answer: the one frozen input of gates and judges."""

from typing import Annotated, Self

from pydantic import Field, JsonValue, model_validator

from primum.records.base import Outcome, Record
from primum.records.corpus import Passage
from primum.records.scope import Person, Scope


class Citation(Record):
    """A citation that the system gave as data, beside those written in the text."""

    target: str
    """A passage id, a document id, ``document_id@version``, or the 1-based position in the context."""


class Answer(Record):
    """What the system said, to the letter."""

    text: str
    outcome: Outcome | None = None
    """What the system says it did, when it says so; checks compare it with the text."""
    citations: tuple[Citation, ...] = ()


class Exchange(Record):
    """Question, scope, retrieved and final context, and answer. It never holds the answer key."""

    id: str
    question: str
    scope: Scope
    retrieved: tuple[Passage, ...] = ()
    """Every passage that retrieval returned, best first."""
    context: tuple[Passage, ...] = ()
    """The passages that reached the prompt, in prompt order."""
    answer: Answer | None = None
    """None when the system failed before it answered."""
    roster: tuple[Person, ...] = ()
    """Known patients other than the active one, to recognise them in an answer."""
    disclaimer_required: bool = False
    canaries: tuple[Annotated[str, Field(min_length=6)], ...] = ()
    """Secret texts of the system prompt, planted there to see whether an answer shows them."""
    output_schema: dict[str, JsonValue] | None = None


class Span(Record):
    """A stretch of a text, in code points, with the words themselves so that it can be checked."""

    start: int = Field(ge=0)
    end: int
    text: str

    @model_validator(mode="after")
    def _length(self) -> Self:
        if self.end - self.start != len(self.text):
            raise ValueError(f"a span of {self.end - self.start} characters does not hold {len(self.text)}")
        return self


class PassageSpan(Record):
    """A stretch of one passage's text."""

    passage_id: str
    span: Span
