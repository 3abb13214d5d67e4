"""What a run came to: the one input of every report."""

from collections.abc import Mapping

from primum.records.base import Outcome, Rate, Record, Status
from primum.records.case import Answerability, Case, Consequence, Role
from primum.records.comparison import Comparison
from primum.records.decision import Decision
from primum.records.finding import Finding
from primum.records.manifest import RunManifest
from primum.records.observation import FailureKind, Observation
from primum.records.panel import PanelSummary
from primum.records.qualification import NOT_EXAMINED, Qualification
from primum.records.retrieval_summary import RetrievalSummary
from primum.records.verdict import Verdict
from primum.records.waiver import WaiverUse


class Coverage(Record):
    """How much of what was planned was done."""

    observed: Rate
    """Stored observations, of those planned; failures are observed too."""
    answered: Rate
    """Observations with an answer of any kind, of those planned."""
    gated: Rate
    """Observations on which every gate ran to a result, of those stored."""
    judged: Rate
    """Verdicts that passed or failed, of those that apply."""


class OutcomeCount(Record):
    """What the system did with the questions of one answerability."""

    answerability: Answerability
    counts: Mapping[Outcome, int]


class MeasureSummary(Record):
    """One rank measure: the mean over families, each family counted once."""

    measure: str
    """The measure's full definition, such as ``nDCG(gain=exp)@5``."""
    mean: float | None
    """None when no case has relevant evidence."""
    families: int
    cases: int


class GateSummary(Record):
    """One gate over all observations of a system."""

    gate: str
    bounded: bool = False
    """Whether the policy bounds the share that fails, instead of blocking on each."""
    counts: Mapping[Status, int]
    failed: Rate
    """Observations that fail, of those to which the gate applies."""
    failed_families: Rate


class JudgeSummary(Record):
    """One judge and rubric over all observations of a system."""

    judge: str
    rubric: str
    counts: Mapping[Status, int]
    mean: float | None
    """Mean score over families, each family counted once; None when nothing was scored."""
    families: int
    qualification: Qualification = NOT_EXAMINED
    """Whether its verdicts count; if not, they are shown only."""


class FamilySummary(Record):
    """One family: how its variants and repetitions are spread."""

    family: str
    kind: str
    role: Role
    consequence: Consequence
    observations: int
    outcomes: Mapping[Outcome, int]
    gate_failures: Mapping[str, int]
    """Observations that fail, by gate; gates without a failure are left out."""
    judge_scores: Mapping[str, tuple[float, ...]]
    """Scores by rubric, in the order of the observations."""
    measures: Mapping[str, float]
    """Mean over the family's cases, by measure."""


class Measured(Record):
    """All that was measured of one system; what the decision rests on."""

    system: str
    generator: str
    """What answered, in words."""
    coverage: Coverage
    failures: Mapping[FailureKind, int]
    """Observations without an answer, by why."""
    answer_troubles: Mapping[str, int] = {}
    """Observations without an answer, by what was said of them."""
    judge_troubles: Mapping[str, int] = {}
    """Verdicts that were not reached, by why."""
    outcomes: tuple[OutcomeCount, ...]
    over_refusal: Rate
    """Questions that the sources answer, wholly or in part, and that were declined, of those that were gated."""
    unsupported_answered: Rate
    """Unanswerable questions that were answered, of those that were gated."""
    measures: tuple[MeasureSummary, ...]
    gates: tuple[GateSummary, ...]
    judges: tuple[JudgeSummary, ...]
    families: tuple[FamilySummary, ...]


class SystemSummary(Measured):
    """What was measured of one system and what was decided."""

    decision: Decision
    waivers: tuple[WaiverUse, ...] = ()
    """Waivers that hold, each with what it covers."""
    comparison: Comparison | None = None
    """With the last accepted run, on acceptance cases; None when there is no such run."""
    development: Comparison | None = None
    """The same on development cases. Nothing is decided from it: they were tuned on."""
    panels: tuple[PanelSummary, ...] = ()
    """Votes by rubric, where several judges judged or one did so several times."""


class Objection(Record):
    """One finding of a gate with all that is needed to look at it."""

    case: Case
    observation: Observation
    gate: str
    finding: Finding
    blocks: bool
    """Whether it blocks under the policy of this run."""
    fingerprint: str
    """What a waiver names it by."""
    waiver: str | None = None
    """Id of the waiver that covers it."""


class JudgedCase(Record):
    """One verdict with what it is about."""

    case: Case
    observation: Observation
    verdict: Verdict


class RunReport(Record):
    """A finished run as reports show it."""

    title: str
    manifest: RunManifest
    notes: tuple[str, ...]
    """What a reader must know first, such as that no model judged."""
    release: str
    """The system whose decision the exit code stands for."""
    systems: tuple[SystemSummary, ...]
    retrieval: RetrievalSummary | None = None
    """What the system that may be released was shown, measured at every k."""
    objections: tuple[Objection, ...]
    """Worst first: blocking before warnings, critical before serious."""
    failures: tuple[Observation, ...]
    """Observations without an answer."""
    doubtful: tuple[JudgedCase, ...]
    """Verdicts that did not pass, lowest score first; inconclusive ones last."""
    shown_of: Mapping[str, int]
    """How many objections, failures and doubtful verdicts there are in all, when the lists are cut."""
