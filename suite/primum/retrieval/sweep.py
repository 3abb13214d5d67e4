"""What a score threshold would cost and save: evidence kept for supported questions, passages for unsupported ones."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from statistics import fmean

from primum.errors import UsageError
from primum.records import Ranking, Rate, Record
from primum.records.retrieval_diagnostics import Sweep, SweepRow


class SweepCase(Record):
    """One case as it was retrieved without a threshold."""

    case_id: str
    family: str
    ranking: Ranking
    relevant: frozenset[str] = frozenset()
    """Chunk ids that hold the evidence; empty for a question that the corpus does not support."""


def sweep(cases: Sequence[SweepCase], thresholds: Iterable[float] | None = None, *, steps: int = 21) -> Sweep:
    """Sweeps a threshold over cases that were retrieved without one.

    Args:
        cases: supported and unsupported questions.
        thresholds: the rows; None takes `steps` of them, evenly from the lowest score to the highest.
        steps: number of rows, 2 or more.

    Raises:
        UsageError: no cases, no scores, or the retriever gives none.
    """
    scored = [(case, _scores(case)) for case in cases]
    values = [score for _, scores in scored for score in scores.values()]
    if not values:
        raise UsageError("there is nothing to sweep: no case has a passage; check the index and the scopes")
    low, high = min(values), max(values)
    if thresholds is None:
        thresholds = [low + (high - low) * step / (steps - 1) for step in range(steps - 1)] + [high]
    hits = [scores[chunk_id] for case, scores in scored for chunk_id in case.relevant if chunk_id in scores]
    wrong = [max(scores.values()) for case, scores in scored if not case.relevant and scores]
    return Sweep(
        rows=tuple(_row(scored, threshold) for threshold in sorted(set(thresholds))),
        recall_holds_to=min(hits, default=None),
        accepts_to=max(wrong, default=None),
    )


def _scores(case: SweepCase) -> dict[str, float]:
    scores: dict[str, float] = {}
    for hit in case.ranking.hits:
        if hit.score is None:
            raise UsageError(f"the retriever gave no scores for case {case.case_id}; a sweep needs them")
        scores[hit.chunk_id] = hit.score
    return scores


def _row(scored: Sequence[tuple[SweepCase, dict[str, float]]], threshold: float) -> SweepRow:
    recalls: dict[str, list[float]] = defaultdict(list)
    found = relevant = kept = supported = accepted = 0
    for case, scores in scored:
        returned = {chunk_id for chunk_id, score in scores.items() if score >= threshold}
        if case.relevant:
            hits = len(returned & case.relevant)
            recalls[case.family].append(hits / len(case.relevant))
            found, relevant = found + hits, relevant + len(case.relevant)
            kept, supported = kept + bool(hits), supported + 1
        else:
            accepted += bool(returned)
    return SweepRow(
        threshold=threshold,
        recall=fmean(fmean(values) for values in recalls.values()) if recalls else None,
        relevant=Rate(numerator=found, denominator=relevant),
        answerable=Rate(numerator=kept, denominator=supported),
        accepted=Rate(numerator=accepted, denominator=len(scored) - supported),
    )
