"""A ranking laid beside its judgments: worked out once, read by every measure at every k."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import NamedTuple

from primum.errors import RankingError
from primum.metrics.judgments import Judgments, Unjudged, require_ids

# Up to this many judged results are searched for one by one; for more, a table of all ranks is cheaper.
_FEW = 6
_LISTS = (list, tuple)
_IRRELEVANT = Unjudged.IRRELEVANT


class Alignment(NamedTuple):
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
    required: tuple[int | None, ...] = ()
    """Rank of each required chunk; None when it was not returned."""
    forbidden: tuple[int, ...] = ()
    """Ranks, in the list as returned, of forbidden results."""

    def found(self, k: int) -> int:
        """Number of relevant results among the first `k`."""
        return bisect_right(self.ranks, k)


def align(ranked: Sequence[str], judgments: Judgments) -> Alignment:
    """Lays a ranking beside its judgments, after checking the whole of it.

    Args:
        ranked: Chunk ids as returned, best first; the order is kept as it is.
        judgments: The labels of the case.

    Raises:
        RankingError: ``bad_ranking``, ``bad_id``, ``duplicate_id`` (also past any k) or ``unjudged_result``.
    """
    if type(ranked) not in _LISTS:
        _require_list(ranked)
    # Long rankings spend most of their time here, so the usual one passes with a few calls into C: joining looks at the
    # type of every id, and a set tells whether each stands there once.
    try:
        "".join(ranked)
    except TypeError:
        require_ids(ranked)
    returned = set(ranked)
    if len(returned) != len(ranked):
        raise _duplicate(ranked)
    if "" in returned:
        require_ids(returned)
    grades = judgments.grades
    labels = grades if len(grades) <= _FEW else grades.keys() & returned
    place = ranked.index if len(labels) <= _FEW else _table(ranked)
    pairs = [(place(chunk_id) + 1, grades[chunk_id]) for chunk_id in labels if chunk_id in returned]
    pairs.sort()
    ranks, gained = zip(*pairs, strict=True) if pairs else ((), ())
    judged = ranks
    forbidden: tuple[int, ...] = ()
    if judgments.forbidden:
        forbidden = tuple(sorted([place(chunk_id) + 1 for chunk_id in judgments.forbidden & returned]))
        judged = tuple(sorted({*ranks, *forbidden}))
    condensed: dict[int, int] | None = None
    if judgments.unjudged is not _IRRELEVANT and len(judged) != len(ranked):
        if judgments.unjudged is Unjudged.ERROR:
            raise _unjudged(ranked, judgments)
        condensed = {rank: closed_up for closed_up, rank in enumerate(judged, start=1)}
        pairs = [(condensed[rank], grade) for rank, grade in pairs]
    if condensed or 0 in gained:
        relevant = [pair for pair in pairs if pair[1]]
        ranks, gained = zip(*relevant, strict=True) if relevant else ((), ())
    required: tuple[int | None, ...] = ()
    if judgments.required:
        at = {chunk_id: place(chunk_id) + 1 for chunk_id in judgments.required & returned}
        closed = at if condensed is None else {chunk_id: condensed[rank] for chunk_id, rank in at.items()}
        required = tuple([closed.get(chunk_id) for chunk_id in sorted(judgments.required)])
    return Alignment(len(ranked), ranks, gained, judgments.ideal, judged, required, forbidden)


def _require_list(ranked: object) -> None:
    """A text would pass as a list of one-letter ids, and None as no result."""
    if isinstance(ranked, str) or not isinstance(ranked, Sequence):
        raise RankingError(
            f"a ranking is a list of chunk ids, not a {type(ranked).__name__}; an empty one is []", code="bad_ranking"
        )


def _duplicate(ranked: Sequence[str]) -> RankingError:
    first: dict[str, int] = {}
    rank, chunk_id = next(
        (rank, chunk_id) for rank, chunk_id in enumerate(ranked, start=1) if first.setdefault(chunk_id, rank) != rank
    )
    return RankingError(
        f"chunk {chunk_id!r} is returned a second time at rank {rank}; a ranking names each chunk once, "
        "so correct the retriever",
        code="duplicate_id",
    )


def _table(ranked: Sequence[str]) -> Callable[[str], int]:
    """Finds the place of a returned id, counted from 0, in a table of all of them."""
    return dict(zip(ranked, range(len(ranked)), strict=True)).__getitem__


def _unjudged(ranked: Sequence[str], judgments: Judgments) -> RankingError:
    known = judgments.grades.keys() | judgments.forbidden
    rank, chunk_id = next((rank, chunk_id) for rank, chunk_id in enumerate(ranked, start=1) if chunk_id not in known)
    return RankingError(
        f"result {rank} ({chunk_id!r}) has no judgment; judge it, or declare in the dataset that unjudged results are "
        "irrelevant or condensed",
        code="unjudged_result",
    )
