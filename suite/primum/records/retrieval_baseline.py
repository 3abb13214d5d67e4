"""The accepted state of a retriever, case by case, and how it differs now."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from primum.records.base import Record

Value = Annotated[float, Field(ge=0, le=1)]


class RetrievalBasis(Record):
    """What a retrieval evaluation rests on; SHA-256 digests."""

    dataset: str
    corpus: str
    settings: str
    """Of what can change a ranking or a measure, the retriever's own settings included."""


class BaselineCase(Record):
    """What one case came to."""

    family: str
    variant: str
    kind: str
    case_digest: str
    """Of the case and its judgments; a case that changed is another case."""
    values: Mapping[str, Value | None] = {}
    """By measure; None where the measure is undefined. Empty without relevant evidence."""


class RetrievalBaseline(Record):
    """The content of a baseline file."""

    format: int = Field(default=1, ge=1, le=1)
    basis: RetrievalBasis
    measures: tuple[str, ...]
    cases: Mapping[str, BaselineCase]
    """By case id."""


class MeasureChange(Record):
    """One measure then and now, over the cases that both hold unchanged; families equally weighted."""

    measure: str
    before: float | None
    after: float | None
    tolerance: str
    """How far it may get worse, as a decimal; a change of exactly this passes."""
    families: int
    holds: bool
    """Whether it is within the tolerance; a value that is missing is not."""


class FamilyRegression(Record):
    """One family that got worse in one measure, also when the mean rose."""

    family: str
    kind: str
    measure: str
    before: float
    after: float


class BaselineComparison(Record):
    """A retrieval evaluation beside the accepted one."""

    basis: RetrievalBasis
    """Of the baseline."""
    differs: tuple[str, ...]
    """Parts of the basis that differ: dataset, corpus, settings."""
    paired: int
    """Cases that both hold unchanged."""
    added: tuple[str, ...]
    """Ids of cases that the baseline does not have."""
    removed: tuple[str, ...]
    """Ids of cases that only the baseline has."""
    changed: tuple[str, ...]
    """Ids of cases whose question, scope or judgments changed; not paired."""
    failed: tuple[str, ...]
    """Ids of paired cases whose retrieval failed now; each of their values counts as the worst."""
    measures: tuple[MeasureChange, ...]
    families: tuple[FamilyRegression, ...]
    """Largest fall first."""

    @property
    def holds(self) -> bool:
        """Whether every measure is within its tolerance."""
        return all(change.holds for change in self.measures)
