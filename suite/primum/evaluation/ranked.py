"""One case as a retriever ranked it, with what is needed to score it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from primum.metrics import Judgments, Measure
from primum.records import Consequence, Failure, Ranking
from primum.records.retrieval_summary import ForbiddenKind


@dataclass(frozen=True, kw_only=True)
class ChunkText:
    """What is shown of a chunk."""

    document_id: str
    title: str
    heading: str
    text: str


@dataclass(frozen=True, kw_only=True)
class RankedCase:
    """One case and its ranking."""

    case_id: str
    family: str
    variant: str
    kind: str
    consequence: Consequence
    question: str
    case_digest: str
    """Of the case and its judgments."""
    judgments: Judgments | None
    """None for a question without relevant evidence."""
    ranking: Ranking | None
    """None when retrieval failed."""
    failure: Failure | None = None
    values: Mapping[Measure, float | None] = field(default_factory=dict[Measure, float | None])
    """Empty without judgments and without a ranking."""
    forbidden: Mapping[str, tuple[ForbiddenKind, ...]] = field(default_factory=dict[str, tuple[ForbiddenKind, ...]])
    """Ids of the forbidden chunks in the ranking, with why."""
    context: frozenset[str] | None = None
    """Ids of what would reach, or reached, the generator; None when there is none."""

    @property
    def relevant(self) -> frozenset[str]:
        """Ids of the relevant chunks."""
        return (
            frozenset(chunk_id for chunk_id, grade in self.judgments.grades.items() if grade)
            if self.judgments
            else frozenset()
        )

    @property
    def ids(self) -> tuple[str, ...]:
        """The ranked ids; none when retrieval failed."""
        return self.ranking.ids if self.ranking else ()
