"""Frozen values that pass between the stages; nothing here does any work."""

from primum.records.base import Outcome, Rate, Record, Severity, Status
from primum.records.case import (
    Answerability,
    AnswerKey,
    Case,
    Consequence,
    EvidenceLabel,
    KeyField,
    Role,
)
from primum.records.corpus import SHARED_TENANT, Chunk, ChunkKey, Document, Passage, PublicationState
from primum.records.decision import Decision, DecisionKind, Reason
from primum.records.exchange import Answer, Citation, Exchange, PassageSpan, Span
from primum.records.finding import Finding, GateReport, GateResult
from primum.records.observation import (
    Attempt,
    Failure,
    FailureKind,
    Generation,
    Hit,
    ModelCall,
    Observation,
    Ranking,
    Retrieval,
    Timing,
    Usage,
    observation_id,
)
from primum.records.scope import Person, Scope
from primum.records.verdict import ClaimLabel, ClaimVerdict, Verdict

__all__ = [
    "SHARED_TENANT",
    "Answer",
    "AnswerKey",
    "Answerability",
    "Attempt",
    "Case",
    "Chunk",
    "ChunkKey",
    "Citation",
    "ClaimLabel",
    "ClaimVerdict",
    "Consequence",
    "Decision",
    "DecisionKind",
    "Document",
    "EvidenceLabel",
    "Exchange",
    "Failure",
    "FailureKind",
    "Finding",
    "GateReport",
    "GateResult",
    "Generation",
    "Hit",
    "KeyField",
    "ModelCall",
    "Observation",
    "Outcome",
    "Passage",
    "PassageSpan",
    "Person",
    "PublicationState",
    "Ranking",
    "Rate",
    "Reason",
    "Record",
    "Retrieval",
    "Role",
    "Scope",
    "Severity",
    "Span",
    "Status",
    "Timing",
    "Usage",
    "Verdict",
    "observation_id",
]
