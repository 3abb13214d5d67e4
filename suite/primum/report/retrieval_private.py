"""Keeps other patients' identifiers out of what a retrieval evaluation shows of chunks."""

from collections.abc import Mapping

from primum.records.retrieval_summary import Expected, Miss, RetrievalSummary, Returned
from primum.records.scope import Person
from primum.report.names import Mask, Names


def withhold_names(summary: RetrievalSummary, rosters: Mapping[str, tuple[Person, ...]]) -> RetrievalSummary:
    """The summary with identifiers covered in the texts of chunks, but for those that the question names.

    Args:
        summary: As it was evaluated. Of chunks that a case must not be shown it holds no text.
        rosters: By case id, the known patients other than the active one.
    """
    names = {roster: Names(roster) for roster in set(rosters.values())}
    misses = tuple(
        _covered(miss, Mask(names[rosters[miss.case_id]], miss.question)) if miss.case_id in rosters else miss
        for miss in summary.misses
    )
    return summary.model_copy(update={"misses": misses})


def _covered(miss: Miss, mask: Mask) -> Miss:
    return miss.model_copy(
        update={
            "expected": tuple(_chunk(chunk, mask) for chunk in miss.expected),
            "instead": tuple(_chunk(chunk, mask) for chunk in miss.instead),
        }
    )


def _chunk(chunk: Expected | Returned, mask: Mask) -> Expected | Returned:
    texts = {name: mask.cover(getattr(chunk, name)) for name in ("title", "heading", "text")}
    return chunk.model_copy(update=texts)
