"""Ranked cases and evaluations, built directly."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from primum.evaluation import Evaluated, RankedCase
from primum.evaluation.ranked import ChunkText
from primum.metrics import Judgments, Unjudged, default_measures, score_ranking
from primum.records import Consequence, Failure, FailureKind, Hit, Ranking
from primum.records.retrieval_baseline import RetrievalBasis

MEASURES = default_measures((1, 3))
FAILURE = Failure(stage="retrieve", kind=FailureKind.TIMEOUT, message="late")


def ranked(case_id: str, ids: Sequence[str] | None, grades: Mapping[str, int], **fields: Any) -> RankedCase:
    """A case ``family/variant``; no ids at all stand for a failure."""
    family, _, variant = case_id.partition("/")
    judgments = (
        Judgments(grades=grades, required=fields.pop("required", frozenset()), unjudged=Unjudged.IRRELEVANT)
        if grades
        else None
    )
    scores = fields.pop("scores", None) or [None] * len(ids or ())
    values: dict[str, Any] = {
        "family": family,
        "variant": variant,
        "kind": "plain",
        "consequence": Consequence.ROUTINE,
        "question": f"what of {case_id}?",
        "case_digest": f"digest of {case_id}",
        "judgments": judgments,
        "ranking": None
        if ids is None
        else Ranking(hits=tuple(Hit(chunk_id=i, score=s) for i, s in zip(ids, scores, strict=True))),
        "failure": FAILURE if ids is None else None,
        "values": score_ranking(MEASURES, ids, judgments) if ids is not None and judgments else {},
        **fields,
    }
    return RankedCase(case_id=case_id, **values)


def look_up(chunk_id: str) -> ChunkText:
    return ChunkText(document_id=chunk_id[0], title="T", heading="", text=f"text of {chunk_id}")


def evaluated(**fields: Any) -> Evaluated:
    values: dict[str, Any] = {
        "title": "ward",
        "retriever": "r@1",
        "described": "a retriever",
        "limit": 3,
        "miss_at": 1,
        "measures": MEASURES,
        "cutoffs": (1, 3),
        "basis": RetrievalBasis(dataset="d", corpus="c", settings="s"),
        "look_up": look_up,
        **fields,
    }
    return Evaluated(**values)


@pytest.fixture(scope="session")
def make_ranked() -> Any:
    return ranked


@pytest.fixture(scope="session")
def make_evaluated() -> Any:
    return evaluated
