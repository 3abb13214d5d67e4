"""Retrieval evaluated: from rankings to what they came to, and whether that may pass. Pure functions."""

from primum.evaluation.baseline import baseline_of, compare_with_baseline
from primum.evaluation.eligibility import Eligibility
from primum.evaluation.ranked import RankedCase
from primum.evaluation.summary import Evaluated, summarise

__all__ = ["Eligibility", "Evaluated", "RankedCase", "baseline_of", "compare_with_baseline", "summarise"]
