"""Primum evaluates a retrieval-augmented generation system and decides whether it may be released.

Importing this package starts nothing and loads nothing heavy: the records that it hands on are loaded when first used.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from primum.records import (
        Answer,
        AnswerKey,
        Case,
        Chunk,
        Decision,
        Document,
        Exchange,
        Finding,
        GateResult,
        Observation,
        Outcome,
        Passage,
        Scope,
        Severity,
        Status,
        Verdict,
    )

__version__ = "0.1.0"

__all__ = [
    "Answer",
    "AnswerKey",
    "Case",
    "Chunk",
    "Decision",
    "Document",
    "Exchange",
    "Finding",
    "GateResult",
    "Observation",
    "Outcome",
    "Passage",
    "Scope",
    "Severity",
    "Status",
    "Verdict",
    "__version__",
]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from primum import records

    return getattr(records, name)
