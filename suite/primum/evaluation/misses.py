"""The cases whose evidence did not come, with what came instead; worst first."""

import math
from collections.abc import Callable, Sequence

from primum.evaluation.ranked import ChunkText, RankedCase
from primum.records import Consequence
from primum.records.retrieval_summary import Expected, Miss, Returned

EXCERPT = 300
"""Characters of a chunk that are shown."""

_URGENCY = {Consequence.CRITICAL: 0, Consequence.SERIOUS: 1, Consequence.ROUTINE: 2}
_NOTHING = ChunkText(document_id="", title="", heading="", text="")


def find_misses(cases: Sequence[RankedCase], k: int, look_up: Callable[[str], ChunkText | None]) -> tuple[Miss, ...]:
    """The misses among the cases that have evidence.

    Cases without a ranking come first, then those with less of their evidence among the first k, then the graver
    consequence, then those whose evidence came later.

    Args:
        cases: Any cases.
        k: Results that count.
        look_up: What is known of a chunk; None when nothing is.
    """
    missed = [case for case in cases if case.relevant and not _complete(case, k)]
    missed.sort(key=lambda case: _badness(case, k))
    return tuple(_miss(case, k, look_up) for case in missed)


def _complete(case: RankedCase, k: int) -> bool:
    """Whether every required chunk came or, where none is required, any relevant one."""
    shown = set(case.ids[:k])
    required = case.judgments.required if case.judgments else frozenset[str]()
    return required <= shown if required else bool(case.relevant & shown)


def _badness(case: RankedCase, k: int) -> tuple[bool, float, int, float, str]:
    wanted = (case.judgments.required if case.judgments else None) or case.relevant
    came = len(wanted & set(case.ids[:k])) / len(wanted)
    best = next((rank for rank, chunk_id in enumerate(case.ids, start=1) if chunk_id in wanted), math.inf)
    return case.ranking is not None, came, _URGENCY[case.consequence], -best, case.case_id


def _miss(case: RankedCase, k: int, look_up: Callable[[str], ChunkText | None]) -> Miss:
    ranks = {chunk_id: rank for rank, chunk_id in enumerate(case.ids, start=1)}
    grades = case.judgments.grades if case.judgments else dict[str, int]()
    required = case.judgments.required if case.judgments else frozenset[str]()
    expected = sorted(case.relevant, key=lambda chunk_id: (chunk_id not in required, -grades[chunk_id], chunk_id))
    hits = case.ranking.hits[:k] if case.ranking else ()
    return Miss(
        case_id=case.case_id,
        family=case.family,
        kind=case.kind,
        consequence=case.consequence,
        question=case.question,
        expected=tuple(
            Expected(
                chunk_id=chunk_id,
                grade=grades[chunk_id],
                required=chunk_id in required,
                rank=ranks.get(chunk_id),
                **_shown(look_up(chunk_id)),
            )
            for chunk_id in expected
        ),
        instead=tuple(
            Returned(
                rank=rank,
                chunk_id=hit.chunk_id,
                score=hit.score,
                grade=grades.get(hit.chunk_id),
                forbidden=case.forbidden.get(hit.chunk_id, ()),
                # What the case must not be shown is not shown in its report either.
                **_shown(None if hit.chunk_id in case.forbidden else look_up(hit.chunk_id)),
            )
            for rank, hit in enumerate(hits, start=1)
        ),
        failure=case.failure,
    )


def _shown(chunk: ChunkText | None) -> dict[str, str]:
    known = chunk or _NOTHING
    text = known.text if len(known.text) <= EXCERPT else f"{known.text[: EXCERPT - 1]}…"
    return {"title": known.title, "heading": known.heading, "text": text}
