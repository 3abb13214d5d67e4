"""Where evidence is lost on its way to the generator. Counts for people; they decide nothing."""

from collections.abc import Iterable
from dataclasses import dataclass

from primum.records import Rate
from primum.records.retrieval_diagnostics import EvidenceFate


@dataclass(frozen=True, kw_only=True)
class Followed:
    """The relevant chunks of one case on their way to the generator; ids."""

    relevant: frozenset[str]
    retrieved: frozenset[str] | None
    """None when retrieval failed."""
    context: frozenset[str]
    """What reached the generator."""


def evidence_fate(cases: Iterable[Followed]) -> EvidenceFate:
    """Follows the relevant chunks of each case through retrieval and context selection."""
    kept = lost = missed = failed = 0
    for case in cases:
        if case.retrieved is None:
            failed += bool(case.relevant)
            continue
        context = case.relevant & case.context
        selected_out = (case.relevant & case.retrieved) - context
        kept += len(context)
        lost += len(selected_out)
        missed += len(case.relevant) - len(context) - len(selected_out)
    total = kept + lost + missed
    return EvidenceFate(
        in_context=Rate(numerator=kept, denominator=total),
        lost_in_selection=Rate(numerator=lost, denominator=total),
        not_retrieved=Rate(numerator=missed, denominator=total),
        failed=failed,
    )
