"""Two runs on the same cases: what each came to, and what changed between them."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from primum.records.base import Rate, Record
from primum.records.case import Consequence, Role
from primum.records.interval import Interval
from primum.records.standing import Standing


class CaseOutcome(Record):
    """One case under one system, over its repetitions."""

    case_id: str
    family: str
    variant: str
    case_digest: str
    """A case that changed is another case."""
    role: Role
    consequence: Consequence
    standings: tuple[Standing, ...] = Field(min_length=1)
    """By repetition."""
    scores: Mapping[str, Annotated[float, Field(ge=0, le=1)]] = {}
    """Mean over repetitions by ``judge:RUBRIC`` or ``retrieval:MEASURE``; what has no value is left out."""

    @property
    def acceptable(self) -> Rate:
        """Acceptable repetitions, of all."""
        return Rate(numerator=sum(s.acceptable for s in self.standings), denominator=len(self.standings))

    @property
    def worst(self) -> Standing:
        """The worst standing of any repetition: repeats never vote a failure away."""
        return max(self.standings, key=list(Standing).index)


class Basis(Record):
    """What must be equal for two runs to be compared case by case."""

    dataset: str
    corpus: str
    policy: str


class SystemOutcomes(Record):
    """What one system came to, case by case; the content of a baseline file."""

    format: int = Field(default=1, ge=1, le=1)
    run: str
    system: str
    created_at: str
    """UTC, ISO 8601: when the run was started."""
    basis: Basis
    """SHA-256 digests."""
    cases: tuple[CaseOutcome, ...]


class NonInferiority(StrEnum):
    """What a paired difference shows against a margin."""

    NON_INFERIOR = "non_inferior"
    """The one-sided lower bound lies above minus the margin."""
    REGRESSED = "regressed"
    """The one-sided upper bound lies below minus the margin."""
    INCONCLUSIVE = "inconclusive"


class FlipKind(StrEnum):
    """How a case changed; in the order in which a reader should look."""

    WORSE = "worse"
    """Acceptable before, unacceptable now."""
    UNMEASURED = "unmeasured"
    """Acceptable before, not measured now."""
    BETTER = "better"
    """Unacceptable or unmeasured before, acceptable now."""


class Flip(Record):
    """One case that changed between the two runs, by the worst of its repetitions."""

    case_id: str
    family: str
    consequence: Consequence
    kind: FlipKind
    before: Standing
    after: Standing


class FamilyChange(Record):
    """One family in both runs, so that no total hides it."""

    family: str
    consequence: Consequence
    before: Rate
    """Acceptable observations, of all."""
    after: Rate


class Difference(Record):
    """Candidate minus base of one measure, by families."""

    measure: str
    """``acceptable``, ``judge:RUBRIC`` or ``retrieval:MEASURE``."""
    families: int
    before: float
    """Mean over families, each counted once."""
    after: float
    interval: Interval | None
    """Of the difference; two-sided, t over families."""
    margin: float | None
    """How far the candidate may be worse; None for measures that do not gate."""
    finding: NonInferiority | None
    """None for measures that do not gate."""
    p_worse: float | None
    """Exact one-sided sign-flip test for a fall; None when there are too many sums to count."""
    p_adjusted: float | None = None
    """Holm, over the measures that gate."""
    detectable: float | None
    """Smallest difference that so many families show with power 0.8 at 0.05; None with fewer than two."""

    @property
    def difference(self) -> float:
        """After minus before."""
        return self.after - self.before


class Comparison(Record):
    """A candidate compared with the last accepted run, on the cases of one role that both hold unchanged."""

    base_run: str
    base_system: str
    role: Role
    pairs: int
    added: tuple[str, ...]
    """Cases of the candidate that the base does not have."""
    removed: tuple[str, ...]
    changed: tuple[str, ...]
    """Cases whose question or labels changed; not paired."""
    flips: tuple[Flip, ...]
    """Worse first, then no longer measured, then better; critical before serious before routine."""
    two_sided_p: float
    """Exact McNemar over cases; 1 when nothing flipped."""
    families: tuple[FamilyChange, ...]
    """The families that changed, largest fall first."""
    differences: tuple[Difference, ...]
    """``acceptable`` first. What is unmeasured counts against the candidate and for the base."""
    few_families: bool
    """Whether there are fewer than 15, which makes intervals rough."""
