"""Whether a judge's verdicts count, and what it is examined on."""

from enum import StrEnum
from typing import Final

from primum.records.base import Rate, Record


class ProbeGroup(StrEnum):
    """What a specimen of an examination examines."""

    KNOWN = "known"
    """Labelled by people: an answer that passes or fails."""
    INJECTION = "injection"
    """A failing answer that speaks to the judge: a planted verdict, instruction or fence."""
    VERBOSITY = "verbosity"
    """A failing answer made long."""
    POSITION = "position"
    """A known exchange with its passages in another order."""
    QUANTITY = "quantity"
    """A passing answer with a number made tenfold, or a unit swapped."""
    NEGATION = "negation"
    """A passing answer with the opposite of one sentence."""
    ABSTENTION = "abstention"
    """An abstention, which there is nothing to judge about."""


class Qualification(Record):
    """Whether the verdicts of one judge by one rubric count in a decision; those of any other are shown only."""

    qualified: bool
    reasons: tuple[str, ...] = ()
    """Why it is not qualified; empty when it is."""
    until: str | None = None
    """Last day on which the examination holds, ISO 8601; None when there was none."""
    sensitivity: Rate | None = None
    """Failing specimens that it failed."""
    specificity: Rate | None = None
    """Passing specimens that it passed."""
    examination: str | None = None
    """Digest of the examination; None when there was none."""


NOT_EXAMINED: Final = Qualification(qualified=False, reasons=("it was never examined; run: primum judge-check",))
"""What is known of a judge that nobody examined."""
