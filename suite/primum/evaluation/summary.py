"""From rankings to what they came to."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from pydantic import JsonValue

from primum.errors import UsageError
from primum.evaluation.forbidden import count_forbidden
from primum.evaluation.measures import measure_groups, measure_results
from primum.evaluation.misses import find_misses
from primum.evaluation.ranked import ChunkText, RankedCase
from primum.evaluation.rules import decide_retrieval
from primum.metrics import Measure, ties_at
from primum.records import Rate, Record
from primum.records.retrieval_baseline import RetrievalBasis
from primum.records.retrieval_diagnostics import EvidenceFate, Sweep
from primum.records.retrieval_summary import CaseResult, CutoffTie, RetrievalSummary, Verification
from primum.retrieval.fate import Followed, evidence_fate
from primum.retrieval.sweep import SweepCase, sweep

NOT_SCOPED: Final = "Files do not say who may see what, so nothing was looked for that must not be shown."

MOST_MISSES: Final = 200
"""Misses that are listed; the rest is counted."""


@dataclass(frozen=True, kw_only=True)
class Evaluated:
    """What was evaluated, and how it is to be looked at."""

    title: str
    retriever: str
    described: str
    limit: int
    miss_at: int
    measures: tuple[Measure, ...]
    cutoffs: tuple[int, ...]
    basis: RetrievalBasis
    look_up: Callable[[str], ChunkText | None]
    """What is known of a chunk."""
    search: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    verification: Verification | None = None
    scoped: bool = True
    """Whether it is known who may see what; else nothing forbidden can be found, and that is said."""
    seed: int = 0
    retrieved_minimum: float = 1.0
    minimums: Mapping[str, float] = field(default_factory=dict[str, float])


def summarise(what: Evaluated, ranked: Sequence[RankedCase]) -> RetrievalSummary:
    """The summary of an evaluation, without a baseline and without what needs further searches.

    Raises:
        UsageError: there are no cases.
    """
    if not ranked:
        raise UsageError("there is no case to evaluate; add cases, or change dataset.roles")
    cases = sorted(ranked, key=lambda case: case.case_id)
    families = len({case.family for case in cases})
    alike = families < len(cases) or what.scoped
    overall = measure_results(cases, what.measures, seed=what.seed)
    labelled = [case for case in cases if case.relevant]
    unlabelled = [case for case in cases if not case.relevant and case.ranking is not None]
    misses = find_misses(cases, what.miss_at, what.look_up)
    failures = Counter(case.failure.kind for case in cases if case.failure is not None)
    retrieved = Rate(numerator=sum(case.ranking is not None for case in cases), denominator=len(cases))
    forbidden = count_forbidden(cases if what.scoped else (), lambda chunk_id: _document(what, chunk_id))
    return RetrievalSummary(
        title=what.title,
        notes=() if what.scoped else (NOT_SCOPED,),
        retriever=what.retriever,
        described=what.described,
        search=what.search,
        limit=what.limit,
        miss_at=what.miss_at,
        basis=what.basis,
        verification=what.verification,
        families=families,
        retrieved=retrieved,
        scored=Rate(numerator=sum(bool(case.values) for case in labelled), denominator=len(labelled)),
        failures=dict(sorted(failures.items())),
        overall=overall,
        by_kind=measure_groups(cases, what.measures, lambda case: case.kind, seed=what.seed),
        # Where every case is a family of its own, the cases say it all.
        by_family=measure_groups(cases, what.measures, lambda case: case.family, seed=what.seed) if alike else (),
        forbidden=forbidden,
        ties=tuple(_ties(labelled, k) for k in what.cutoffs),
        missed=Rate(numerator=len(misses), denominator=len(labelled)),
        misses=misses[:MOST_MISSES],
        cases=tuple(map(_result, cases)),
        unsupported=Rate(numerator=sum(bool(case.ids) for case in unlabelled), denominator=len(unlabelled)),
        sweep=_sweep(cases),
        fate=_fate(labelled),
        decision=decide_retrieval(
            forbidden=forbidden,
            failures=failures,
            retrieved=retrieved,
            overall=overall,
            retrieved_minimum=what.retrieved_minimum,
            minimums=what.minimums,
            comparison=None,
        ),
    )


def with_findings(summary: RetrievalSummary, what: Evaluated, **findings: Record | None) -> RetrievalSummary:
    """The summary with a comparison or diagnostics, decided again.

    Args:
        summary: Of `summarise`.
        what: What was evaluated.
        **findings: ``comparison``, ``exposure``, ``index_recall`` and ``prefixes``.
    """
    found = summary.model_copy(update=dict(findings))
    decision = decide_retrieval(
        forbidden=found.forbidden,
        failures=found.failures,
        retrieved=found.retrieved,
        overall=found.overall,
        retrieved_minimum=what.retrieved_minimum,
        minimums=what.minimums,
        comparison=found.comparison,
    )
    return found.model_copy(update={"decision": decision})


def _document(what: Evaluated, chunk_id: str) -> str:
    known = what.look_up(chunk_id)
    return known.document_id if known else chunk_id


def _result(case: RankedCase) -> CaseResult:
    return CaseResult(
        case_id=case.case_id,
        family=case.family,
        variant=case.variant,
        kind=case.kind,
        case_digest=case.case_digest,
        returned=None if case.ranking is None else len(case.ids),
        relevant=len(case.relevant),
        values={str(measure): value for measure, value in case.values.items()},
        forbidden=len(case.forbidden),
        failure=case.failure.kind if case.failure else None,
    )


def _ties(cases: Sequence[RankedCase], k: int) -> CutoffTie:
    """Ties across the cutoff; a ranking without scores, or no longer than k, cannot show one."""
    looked_at = ties = slots = 0
    for case in cases:
        scores = [hit.score for hit in case.ranking.hits] if case.ranking else []
        if len(scores) <= k or all(score is None for score in scores):
            continue
        looked_at += 1
        tie = ties_at(case.ids, scores, k)
        if tie is not None:
            ties, slots = ties + 1, slots + tie.count
    return CutoffTie(k=k, cases=Rate(numerator=ties, denominator=looked_at), slots=slots)


def _sweep(cases: Sequence[RankedCase]) -> Sweep | None:
    """None where the retriever gives no scores, or nothing was returned."""
    rankings = [(case, case.ranking) for case in cases if case.ranking is not None]
    scores = [hit.score for _, ranking in rankings for hit in ranking.hits]
    if not scores or None in scores:
        return None
    return sweep(
        [
            SweepCase(case_id=case.case_id, family=case.family, ranking=ranking, relevant=case.relevant)
            for case, ranking in rankings
        ]
    )


def _fate(labelled: Sequence[RankedCase]) -> EvidenceFate | None:
    if all(case.context is None for case in labelled):
        return None
    return evidence_fate(
        Followed(
            relevant=case.relevant,
            retrieved=None if case.ranking is None else frozenset(case.ids),
            context=case.context or frozenset(),
        )
        for case in labelled
    )
