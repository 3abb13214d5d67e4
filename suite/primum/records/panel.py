"""What several judges, or one judge several times, came to."""

from collections.abc import Mapping

from primum.records.base import Rate, Record, Status


class PanelSummary(Record):
    """The votes of all judges by one rubric over all observations of a system. A missing vote is never a vote."""

    rubric: str
    judges: tuple[str, ...]
    """Who should have voted; each has one vote, the majority of its repetitions."""
    quorum: int
    """Votes that must be cast for the panel to say anything of an observation."""
    counts: Mapping[Status, int]
    """Observations by what the panel came to; a tie and too few votes are inconclusive."""
    votes: Rate
    """Votes cast, of those expected where there was something to judge."""
    margin: float | None
    """Mean over observations of how far the votes lie apart, from 0 (even) to 1 (all alike)."""
    flips: Rate
    """Verdicts that changed between repetitions, of those with two or more."""
    agreement: float | None
    """Krippendorff's alpha of the judges, corrected for chance; None when it says nothing."""
    agreement_on: int
    """Observations with two votes or more, which it rests on."""
    no_agreement: str | None
    """Why there is none."""
