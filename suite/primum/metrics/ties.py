"""Score ties at the cutoff: counted and reported, never sorted away."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from primum.errors import RankingError
from primum.metrics.measure import require_k


@dataclass(frozen=True, slots=True)
class CutoffTies:
    """Neighbouring results that share the score at the cutoff: which of them made the first k is arbitrary."""

    k: int
    score: float
    inside: int
    """How many of them are among the first k."""
    outside: int
    """How many of them are just past k."""

    @property
    def count(self) -> int:
        """Results that the tie concerns."""
        return self.inside + self.outside


def ties_at(ranked: Sequence[str], scores: Sequence[float | None] | None, k: int) -> CutoffTies | None:
    """The tie across the cutoff between ranks k and k+1, or None when there is none to see.

    Args:
        ranked: Chunk ids as returned, best first.
        scores: One score for each result, or None when the retriever gives none.
        k: The cutoff. A list that ends at k hides a tie, so retrieve more than k to see one.

    Raises:
        RankingError: ``bad_k`` or ``bad_score``.
    """
    require_k(k)
    checked = check_scores(ranked, scores)
    if len(checked) <= k or checked[k - 1] != checked[k]:
        return None
    score = checked[k]
    first = k - 1
    while first > 0 and checked[first - 1] == score:
        first -= 1
    past = k + 1
    while past < len(checked) and checked[past] == score:
        past += 1
    return CutoffTies(k=k, score=score, inside=k - first, outside=past - k)


def check_scores(ranked: Sequence[str], scores: Sequence[float | None] | None) -> Sequence[float]:
    """The scores as finite numbers, one for each result; empty when the retriever gives none.

    Raises:
        RankingError: ``bad_score`` when one is missing, is not a number or is not finite.
    """
    if scores is None or all(score is None for score in scores):
        if scores is not None and len(scores) != len(ranked):
            raise RankingError(f"{len(scores)} scores for {len(ranked)} results", code="bad_score")
        return ()
    if len(scores) != len(ranked):
        raise RankingError(
            f"{len(scores)} scores for {len(ranked)} results; return one score for each result, or none at all",
            code="bad_score",
        )
    return [_finite(rank, score) for rank, score in enumerate(scores, start=1)]


def _finite(rank: int, score: object) -> float:
    if isinstance(score, bool) or not isinstance(score, int | float) or not math.isfinite(score):
        raise RankingError(f"the score at rank {rank} is {score!r}, not a finite number", code="bad_score")
    return score
