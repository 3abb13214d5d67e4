"""What is known about the relevance of chunks for one case."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Never

from primum.errors import RankingError

HIGHEST_GRADE = 2
_INT = frozenset({int})


class Unjudged(StrEnum):
    """What a returned chunk without a judgment means; declared by the dataset, never guessed."""

    ERROR = "error"
    """Every eligible chunk was judged, so an unjudged one is a mistake in the labels or the index."""
    IRRELEVANT = "irrelevant"
    """Counts as not relevant."""
    CONDENSED = "condensed"
    """Is left out of the ranking before it is scored (a condensed list, Sakai 2007)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgments:
    """Relevance judgments (qrels) of one case.

    Args:
        grades: Chunk id to grade; 0 is not relevant, anything above is relevant.
        required: Ids of relevant chunks without which the question cannot be answered.
        forbidden: Ids that this case must never be shown; they count as judged and not relevant.
        unjudged: What a returned id means that has no judgment.
        highest_grade: Top of the grading scale.

    Raises:
        RankingError: ``bad_grade``, ``bad_id``, ``bad_required`` or ``bad_forbidden``.
    """

    grades: Mapping[str, int]
    required: frozenset[str] = frozenset()
    forbidden: frozenset[str] = frozenset()
    unjudged: Unjudged = Unjudged.ERROR
    highest_grade: int = HIGHEST_GRADE

    ideal: tuple[int, ...] = field(init=False, repr=False, compare=False)
    """Grades of the relevant chunks, falling: the best order there is."""

    def __post_init__(self) -> None:
        grades = dict(self.grades)
        # The usual labels pass these checks in C; only a mistake is looked for one by one, to say where it is.
        if not _INT.issuperset(map(type, grades.values())):
            self._refuse_grades()
        ideal = sorted(grades.values(), reverse=True)
        if ideal and not 0 <= ideal[-1] <= ideal[0] <= self.highest_grade:
            self._refuse_grades()
        if 0 in ideal:
            del ideal[ideal.index(0) :]
        require_ids(grades)
        object.__setattr__(self, "grades", grades)
        object.__setattr__(self, "ideal", tuple(ideal))
        if self.required or self.forbidden:
            self._check_sets()

    def _refuse_grades(self) -> Never:
        def on_scale(grade: object) -> bool:
            # The type is compared, not tested with isinstance: True is an int to Python and no grade to anybody.
            return type(grade) is int and 0 <= grade <= self.highest_grade

        chunk_id, grade = next(pair for pair in self.grades.items() if not on_scale(pair[1]))
        raise RankingError(
            f"grade {grade!r} of chunk {chunk_id!r} is not a whole number from 0 to {self.highest_grade}; "
            "correct the label",
            code="bad_grade",
        )

    def _check_sets(self) -> None:
        for chunk_id in sorted(self.required):
            if not self.grades.get(chunk_id):
                raise RankingError(
                    f"required chunk {chunk_id!r} has no grade above 0; grade it or do not require it",
                    code="bad_required",
                )
        require_ids(self.forbidden)
        for chunk_id in sorted(self.grades.keys() & self.forbidden):  # a corpus can forbid many more than are graded
            if self.grades[chunk_id]:
                raise RankingError(
                    f"chunk {chunk_id!r} is both relevant and forbidden; correct the label or the scope of the case",
                    code="bad_forbidden",
                )


def require_ids(ids: Collection[Any]) -> None:
    """Raises RankingError ``bad_id`` unless all of `ids` are non-empty texts."""
    try:
        # Joining looks at the type of every part, in C.
        "".join(ids)
    except TypeError:
        wrong = next(chunk_id for chunk_id in ids if not isinstance(chunk_id, str))
    else:
        if "" not in ids:
            return
        wrong = ""
    raise RankingError(
        f"{wrong!r} is no chunk id; ids are non-empty texts, compared character by character", code="bad_id"
    )
