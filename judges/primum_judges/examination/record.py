"""What an examination found, as it is stored."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal

from primum.policy import JudgeBar
from primum.records import Rate, Record, Usage
from primum.records.qualification import ProbeGroup
from primum.statistics.calibration import JudgeErrors
from primum.statistics.discrimination import Discrimination


class GroupResult(Record):
    """How a judge did on one group of specimens."""

    group: ProbeGroup
    right: Rate
    """Specimens whose verdict was the expected one in every repetition, of those whose host it judged rightly."""
    wrong: tuple[str, ...]
    """Ids of the others."""


class Spent(Record):
    """What an examination cost."""

    requests: int
    """Requests that were sent, retries and re-asks included."""
    usage: Usage | None
    """None when an endpoint did not count; never a part of the sum."""
    cost_usd: Decimal | None
    """None when a price is unknown."""
    seconds: float


class Examination(Record):
    """What an examination found. It holds for one model as returned, one rubric text and one way of asking."""

    judge: str
    rubric: str
    rubric_hash: str
    prompt_hash: str | None
    """See `Verdict.prompt_hash`."""
    models_returned: tuple[str, ...]
    """Every name under which the model answered; more than one is a finding in itself."""
    fingerprint: str | None
    """Digest of everything on the judge's side that can change a verdict; None when the judge has none."""
    specimens: str
    """Digest of what it was examined on."""
    examined_on: date
    repetitions: int
    deterministic: bool
    """Whether no model was asked, so that repetitions say nothing."""
    errors: JudgeErrors
    """On the known specimens; positive means that the answer fails. A verdict that was not reached counts as wrong."""
    discrimination: Discrimination | None
    """Of the scores of the known specimens; None when they have no more than two values."""
    groups: tuple[GroupResult, ...]
    """Those whose right verdict the rubric knows, the known specimens included."""
    flips: Rate
    """Specimens whose verdict changed between repetitions; of 0 when there was one repetition."""
    undecided: Rate
    """Verdicts that were inconclusive or errors."""
    troubles: Mapping[str, int]
    """Why they were, and how often."""
    constant: bool
    """Whether it gave all known specimens one and the same verdict."""
    spent: Spent
    bar: JudgeBar
    """What was asked of it."""
    qualified: bool
    reasons: tuple[str, ...]
    """Why it is not qualified; empty when it is."""

    @property
    def conclusive(self) -> bool:
        """Whether enough verdicts were reached to tell."""
        return self.undecided.value is not None and self.undecided.value <= self.bar.undecided
