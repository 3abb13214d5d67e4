"""What changed between two examinations of a judge."""

from collections.abc import Iterator
from datetime import date

from primum.records import Record
from primum_judges.examination.record import Examination


class Drift(Record):
    """An examination beside the one before it."""

    since: date
    """Day of the earlier examination."""
    judge_changes: tuple[str, ...]
    """What is no longer the same about the judge: the model that answers, the rubric, or how it asks."""
    same_specimens: bool
    """Whether both were on the same specimens; if not, only those of the same id are compared."""
    now_wrong: tuple[str, ...]
    """Specimens that it got right and gets wrong now."""
    now_right: tuple[str, ...]
    """Specimens that it got wrong and gets right now."""
    qualified_before: bool

    @property
    def any(self) -> bool:
        """Whether anything moved."""
        return bool(self.judge_changes or self.now_wrong or self.now_right or not self.same_specimens)


def drift(before: Examination, now: Examination) -> Drift:
    """Compares two examinations of one judge by one rubric, specimen by specimen."""
    was, is_ = _wrong(before), _wrong(now)
    return Drift(
        since=before.examined_on,
        judge_changes=tuple(_changes(before, now)),
        same_specimens=before.specimens == now.specimens,
        now_wrong=tuple(sorted(is_ - was)),
        now_right=tuple(sorted(was - is_)),
        qualified_before=before.qualified,
    )


def _wrong(found: Examination) -> frozenset[str]:
    return frozenset(id_ for group in found.groups for id_ in group.wrong)


def _changes(before: Examination, now: Examination) -> Iterator[str]:
    if before.models_returned != now.models_returned:
        names = [", ".join(found.models_returned) or "no model" for found in (before, now)]
        yield f"{names[0]} answered then, {names[1]} now"
    if before.rubric_hash != now.rubric_hash:
        yield "the rubric's text"
    if before.prompt_hash != now.prompt_hash:
        yield "the prompt, the reply's structure or the model's parameters"
