"""A ranking laid beside its judgments: worked out once, read by every measure at every k."""

from collections.abc import Sequence
from dataclasses import dataclass

from primum.errors import RankingError
from primum.metrics.judgments import Judgments, Unjudged, require_id


@dataclass(frozen=True, slots=True)
class Alignment:
    """Where the judged chunks stand in a ranking. Ranks are 1-based and rising."""

    returned: int
    """Number of results that were returned."""
    ranks: tuple[int, ...]
    """Ranks of the relevant results; for condensed lists, their ranks in the condensed list."""
    grades: tuple[int, ...]
    """Grades at `ranks`."""
    ideal: tuple[int, ...]
    """Grades of all relevant judgments, falling."""
    judged: tuple[int, ...]
    """Ranks, in the list as returned, of the results that have a judgment."""
    required: tuple[int | None, ...]
    """Rank of each required chunk; None when it was not returned."""
    forbidden: tuple[int, ...]
    """Ranks, in the list as returned, of forbidden results."""

    def found(self, k: int) -> int:
        """Number of relevant results among the first `k`."""
        return sum(rank <= k for rank in self.ranks)


def align(ranked: Sequence[str], judgments: Judgments) -> Alignment:
    """Lays a ranking beside its judgments, after checking the whole of it.

    Args:
        ranked: Chunk ids as returned, best first; the order is kept as it is.
        judgments: The labels of the case.

    Raises:
        RankingError: ``bad_id``, ``duplicate_id`` (also past any k) or ``unjudged_result``.
    """
    places = _places(ranked)
    grades = judgments.grades
    found = sorted((places[chunk_id], grade) for chunk_id, grade in grades.items() if chunk_id in places)
    judged = [rank for rank, _ in found]
    forbidden: list[int] = []
    if judgments.forbidden:
        forbidden = sorted(places[chunk_id] for chunk_id in judgments.forbidden if chunk_id in places)
        judged = sorted({*judged, *forbidden})
    if judgments.unjudged is Unjudged.ERROR and len(judged) != len(ranked):
        unknown = next(chunk_id for chunk_id in ranked if chunk_id not in grades and places[chunk_id] not in forbidden)
        raise RankingError(
            f"result {places[unknown]} ({unknown!r}) has no judgment; judge it, or declare in the dataset that "
            "unjudged results are irrelevant or condensed",
            code="unjudged_result",
        )
    if judgments.unjudged is Unjudged.CONDENSED:
        condensed = {rank: new for new, rank in enumerate(judged, start=1)}
        found = [(condensed[rank], grade) for rank, grade in found]
        places = {chunk_id: condensed[rank] for chunk_id, rank in places.items() if rank in condensed}
    relevant = [pair for pair in found if pair[1]]
    return Alignment(
        returned=len(ranked),
        ranks=tuple([rank for rank, _ in relevant]),
        grades=tuple([grade for _, grade in relevant]),
        ideal=tuple(sorted(filter(None, grades.values()), reverse=True)),
        judged=tuple(judged),
        required=tuple([places.get(chunk_id) for chunk_id in sorted(judgments.required)]),
        forbidden=tuple(forbidden),
    )


def _places(ranked: Sequence[str]) -> dict[str, int]:
    """Rank of each id. One pass in C: this is where the time goes when lists are long."""
    if not set(map(type, ranked)) <= {str} or "" in ranked:
        for chunk_id in ranked:
            require_id(chunk_id)
    places = dict(zip(ranked, range(1, len(ranked) + 1), strict=True))
    if len(places) != len(ranked):
        seen: set[str] = set()
        for rank, chunk_id in enumerate(ranked, start=1):
            if chunk_id in seen:
                raise RankingError(
                    f"chunk {chunk_id!r} is returned a second time at rank {rank}; "
                    "a ranking names each chunk once, so correct the retriever",
                    code="duplicate_id",
                )
            seen.add(chunk_id)
    return places
