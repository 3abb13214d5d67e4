"""What a retrieval evaluation came to: the one input of its reports."""

from collections.abc import Mapping
from enum import StrEnum

from pydantic import Field, JsonValue

from primum.records.base import Rate, Record
from primum.records.case import Consequence
from primum.records.decision import Decision
from primum.records.interval import Interval
from primum.records.observation import Failure, FailureKind
from primum.records.retrieval_baseline import BaselineComparison, RetrievalBasis
from primum.records.retrieval_diagnostics import EvidenceFate, Exposure, IndexRecall, PrefixCheck, Sweep


class MeasureResult(Record):
    """The mean of one measure over families, each family counted once."""

    measure: str
    """The measure's full definition, such as ``nDCG(gain=exp)@5``."""
    mean: float | None = Field(ge=0, le=1)
    """None when no case has a value."""
    interval: Interval | None
    """Over families; None with fewer than two."""
    families: int
    cases: int
    """Cases with a value."""
    undefined: int
    """Cases for which the measure is undefined; they are in no mean."""
    higher_is_better: bool = True


class MeasureGroup(Record):
    """The measures of the cases of one kind or one family."""

    name: str
    families: int
    cases: int
    failed: int
    """Cases without a ranking; they are in no mean."""
    measures: tuple[MeasureResult, ...]
    """The same measures in the same order as overall; empty when no case has relevant evidence and a ranking."""


class ForbiddenKind(StrEnum):
    """Why a scope may not see a chunk; told from the sources, never from what was returned."""

    OTHER_PATIENT = "other_patient"
    OTHER_TENANT = "other_tenant"
    SUPERSEDED = "superseded"
    UNPUBLISHED = "unpublished"
    """Draft or withdrawn."""


class ForbiddenSlot(Record):
    """One place of a ranking taken by a chunk that the case must not be shown."""

    case_id: str
    rank: int = Field(ge=1)
    chunk_id: str
    kinds: tuple[ForbiddenKind, ...] = Field(min_length=1)


class Forbidden(Record):
    """Forbidden chunks anywhere in the rankings; one of them blocks. Slots, cases and documents are counted apart."""

    slots: Rate
    """Places in the rankings."""
    cases: Rate
    """Cases with at least one, of those with a ranking."""
    documents: int
    """Distinct documents behind them."""
    kinds: Mapping[ForbiddenKind, int]
    """Slots by reason; one slot can have several."""
    found: tuple[ForbiddenSlot, ...]
    """The first of them, by case and rank."""


class CutoffTie(Record):
    """Results that share the score at a cutoff: which of them made the first k is arbitrary."""

    k: int
    cases: Rate
    """Cases with such a tie, of those where one could be seen: scored, and with more than k results."""
    slots: int
    """Results that the ties concern, inside and outside the first k."""


class Expected(Record):
    """A relevant chunk of a case and where it came."""

    chunk_id: str
    title: str
    heading: str
    text: str
    """Its beginning."""
    grade: int
    required: bool
    rank: int | None
    """None when it was not retrieved."""


class Returned(Record):
    """A result that stands where evidence should have been."""

    rank: int
    chunk_id: str
    title: str
    heading: str
    text: str
    """Its beginning; empty, as title and heading are, for a chunk that the case must not be shown."""
    score: float | None
    grade: int | None
    """None without a judgment."""
    forbidden: tuple[ForbiddenKind, ...] = ()


class Miss(Record):
    """A case whose required evidence, or, where none is required, all evidence is not among the first k results."""

    case_id: str
    family: str
    kind: str
    consequence: Consequence
    question: str
    expected: tuple[Expected, ...]
    """Every relevant chunk, required ones first, then by falling grade."""
    instead: tuple[Returned, ...]
    """The first k results."""
    failure: Failure | None = None
    """Why there is no ranking."""


class CaseResult(Record):
    """One case."""

    case_id: str
    family: str
    variant: str
    kind: str
    case_digest: str
    """Of the case and its judgments."""
    returned: int | None
    """Number of results; None when retrieval failed."""
    relevant: int
    """Number of relevant chunks; 0 for a question that the corpus does not support."""
    values: Mapping[str, float | None]
    """By measure; None where it is undefined. Empty without relevant evidence, and when retrieval failed."""
    forbidden: int = 0
    """Slots."""
    failure: FailureKind | None = None


class Verification(Record):
    """What was compared before anything was scored: the index with the sources, the embedder with the index."""

    place: str
    points: int
    """Exact number of points; each identity and payload was read back."""
    eligible: int
    """Chunks that at least one case may see."""
    embedder: str
    """Fingerprint that index and query side agree on."""
    probed: int
    """Stored texts that were embedded again and gave the stored vectors."""


class RetrievalSummary(Record):
    """A finished retrieval evaluation."""

    title: str
    notes: tuple[str, ...] = ()
    """What a reader must know first."""
    retriever: str
    """Fingerprint."""
    described: str
    """What was evaluated, in words."""
    search: Mapping[str, JsonValue] = {}
    """The settings that it searched with, such as ``exact`` and ``hnsw_ef``."""
    limit: int
    """Results asked for, once for each case; every measure is read from these."""
    miss_at: int
    """The k of the list of misses."""
    basis: RetrievalBasis
    verification: Verification | None
    """None for a retriever without an index of ours."""
    families: int
    retrieved: Rate
    """Cases with a ranking, an empty one included, of all cases."""
    scored: Rate
    """Cases with a ranking, of those with relevant evidence; the means rest on them."""
    failures: Mapping[FailureKind, int] = {}
    overall: tuple[MeasureResult, ...]
    by_kind: tuple[MeasureGroup, ...]
    by_family: tuple[MeasureGroup, ...]
    forbidden: Forbidden
    ties: tuple[CutoffTie, ...]
    missed: Rate
    """Cases that are misses, of those with relevant evidence."""
    misses: tuple[Miss, ...]
    """Worst first; the first of them when there are many."""
    cases: tuple[CaseResult, ...]
    """By id."""
    unsupported: Rate
    """Questions without relevant evidence that got any passage, of those with a ranking."""
    sweep: Sweep | None
    """None when the retriever gives no scores, or nothing was returned."""
    exposure: Exposure | None = None
    index_recall: IndexRecall | None = None
    prefixes: PrefixCheck | None = None
    fate: EvidenceFate | None = None
    comparison: BaselineComparison | None = None
    decision: Decision
