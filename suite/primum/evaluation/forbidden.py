"""What was shown that must never be shown, anywhere in a ranking."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from primum.evaluation.ranked import RankedCase
from primum.records import Rate
from primum.records.retrieval_summary import Forbidden, ForbiddenSlot

MOST_SHOWN: Final = 200
"""Slots that are listed; the rest is counted."""


def count_forbidden(cases: Sequence[RankedCase], document_of: Callable[[str], str]) -> Forbidden:
    """Slots, cases and documents, counted apart.

    Args:
        cases: The cases, by id.
        document_of: The document that a chunk is of.
    """
    slots = [
        ForbiddenSlot(case_id=case.case_id, rank=rank, chunk_id=chunk_id, kinds=case.forbidden[chunk_id])
        for case in cases
        for rank, chunk_id in enumerate(case.ids, start=1)
        if chunk_id in case.forbidden
    ]
    return Forbidden(
        slots=Rate(numerator=len(slots), denominator=sum(len(case.ids) for case in cases)),
        cases=Rate(
            numerator=len({slot.case_id for slot in slots}),
            denominator=sum(case.ranking is not None for case in cases),
        ),
        documents=len({document_of(slot.chunk_id) for slot in slots}),
        kinds=dict(sorted(Counter(kind for slot in slots for kind in slot.kinds).items())),
        found=tuple(slots[:MOST_SHOWN]),
    )
