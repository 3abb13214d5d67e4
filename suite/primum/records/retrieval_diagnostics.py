"""What is found out about a retriever beside its measures: thresholds, the filter, the index, the way to the prompt."""

from itertools import pairwise
from typing import Self

from pydantic import Field, model_validator

from primum.records.base import Rate, Record


class SweepRow(Record):
    """One threshold: passages with a lower score would not be returned."""

    threshold: float
    recall: float | None
    """Of the supported questions: mean over families of the mean over their cases; None without such cases."""
    relevant: Rate
    """Relevant chunks returned, of all relevant chunks."""
    answerable: Rate
    """Supported questions that still get a relevant chunk."""
    accepted: Rate
    """Unsupported questions that still get any passage."""


class Sweep(Record):
    """Rows by rising threshold, and the two scores at which something breaks."""

    rows: tuple[SweepRow, ...] = Field(min_length=1)
    recall_holds_to: float | None
    """The highest threshold that costs no relevant chunk; None when none was retrieved."""
    accepts_to: float | None
    """The highest threshold at which an unsupported question still gets a passage; None when none does."""

    @model_validator(mode="after")
    def _rising(self) -> Self:
        if any(first.threshold >= second.threshold for first, second in pairwise(self.rows)):
            raise ValueError("the thresholds of a sweep rise")
        return self

    @property
    def separable(self) -> bool:
        """Whether some threshold rejects every unsupported question and costs no relevant chunk."""
        if self.accepts_to is None:
            return True
        return self.recall_holds_to is not None and self.accepts_to < self.recall_holds_to


class Exposure(Record):
    """What an unfiltered search would have shown to somebody who may not see it."""

    limit: int
    slots: Rate
    """Places in the rankings taken by forbidden chunks."""
    cases: Rate
    """Cases with at least one forbidden chunk."""
    documents: int
    """Distinct documents behind the forbidden chunks."""


class IndexRecall(Record):
    """How much of the exact ranking the approximate search found."""

    limit: int
    slots: Rate
    """Chunks of the exact rankings that are in the approximate ones."""
    cases: Rate
    """Cases whose two rankings hold the same chunks."""
    differing: tuple[str, ...]
    """Ids of the other cases."""


class PrefixBreak(Record):
    """A ranking that is not the start of the longer one."""

    case_id: str
    limit: int
    longer: int


class PrefixCheck(Record):
    """Whether the ranking at each k is the start of the one at the largest; else one retrieval cannot serve all k."""

    limits: tuple[int, ...]
    cases: int
    """Cases that were looked at."""
    breaks: tuple[PrefixBreak, ...]


class EvidenceFate(Record):
    """What became of the relevant chunks: the three rates share one denominator and add up to it."""

    in_context: Rate
    """Reached the generator."""
    lost_in_selection: Rate
    """Retrieved, but not among the final context."""
    not_retrieved: Rate
    failed: int
    """Cases without a ranking; their chunks are in no rate."""
