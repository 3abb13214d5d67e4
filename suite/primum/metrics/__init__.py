"""Rank measures: did retrieval find the required evidence?

A measure is a value that prints and parses its own definition. Input that cannot be scored is an error, never a 0.
"""

from primum.metrics.aggregate import CaseScores, MeasureMean, MeasureTable, aggregate_families
from primum.metrics.average_precision import AveragePrecision
from primum.metrics.evidence_complete import EvidenceComplete
from primum.metrics.forbidden import Forbidden
from primum.metrics.golden import GoldenQuery, GradedChunk, read_golden, write_golden
from primum.metrics.hit import HitRate
from primum.metrics.judged import Judged
from primum.metrics.judgments import HIGHEST_GRADE, Judgments, Unjudged
from primum.metrics.measure import Measure
from primum.metrics.ndcg import NDCG, Gain
from primum.metrics.parse import DEFAULT_CUTOFFS, default_measures, parse_measure
from primum.metrics.precision import Precision
from primum.metrics.r_precision import RPrecision
from primum.metrics.recall import Recall
from primum.metrics.reciprocal_rank import ReciprocalRank
from primum.metrics.score import score_ranking, score_rankings
from primum.metrics.ties import CutoffTies, ties_at
from primum.metrics.tolerance import DEFAULT_TOLERANCE, within_tolerance
from primum.metrics.trec import read_qrels, read_run, write_qrels, write_run

__all__ = [
    "DEFAULT_CUTOFFS",
    "DEFAULT_TOLERANCE",
    "HIGHEST_GRADE",
    "NDCG",
    "AveragePrecision",
    "CaseScores",
    "CutoffTies",
    "EvidenceComplete",
    "Forbidden",
    "Gain",
    "GoldenQuery",
    "GradedChunk",
    "HitRate",
    "Judged",
    "Judgments",
    "Measure",
    "MeasureMean",
    "MeasureTable",
    "Precision",
    "RPrecision",
    "Recall",
    "ReciprocalRank",
    "Unjudged",
    "aggregate_families",
    "default_measures",
    "parse_measure",
    "read_golden",
    "read_qrels",
    "read_run",
    "score_ranking",
    "score_rankings",
    "ties_at",
    "within_tolerance",
    "write_golden",
    "write_qrels",
    "write_run",
]
