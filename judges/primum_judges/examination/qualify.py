"""Whether verdicts are covered by an examination: the same model, rubric and prompt, in time and above the bar."""

from collections.abc import Iterable, Iterator
from datetime import date, timedelta

from primum.policy import JudgeBar
from primum.records import Verdict
from primum.records.qualification import NOT_EXAMINED, Qualification
from primum_judges.examination.record import Examination
from primum_judges.examination.shortfalls import shortfalls


def qualification(
    examination: Examination | None, verdicts: Iterable[Verdict], bar: JudgeBar, *, on: date
) -> Qualification:
    """Whether one judge's verdicts by one rubric count.

    Args:
        examination: The judge's last one by this rubric; None when there is none.
        verdicts: What it is to cover.
        bar: What the policy asks of a judge now, whatever was asked when it was examined.
        on: The day on which it must hold.
    """
    if examination is None:
        return NOT_EXAMINED
    until = examination.examined_on + timedelta(days=bar.valid_days)
    reasons = [*_binding(examination, tuple(verdicts)), *shortfalls(examination, bar)]
    if on > until:
        reasons.insert(0, f"its examination of {examination.examined_on} held until {until}; run: primum judge-check")
    return Qualification(
        qualified=not reasons,
        reasons=tuple(reasons),
        until=until.isoformat(),
        sensitivity=examination.errors.sensitivity.rate,
        specificity=examination.errors.specificity.rate,
        examination=examination.digest(),
    )


def _binding(examination: Examination, verdicts: tuple[Verdict, ...]) -> Iterator[str]:
    if any(verdict.rubric_hash != examination.rubric_hash for verdict in verdicts):
        yield "it was examined on another text of the rubric"
    if any(verdict.prompt_hash != examination.prompt_hash for verdict in verdicts):
        yield "it was examined with another prompt, reply structure or other parameters"
    # A call without any reply says nothing about which model it would have been.
    answered = {v.call.model_returned for v in verdicts if v.call and v.call.model_returned is not None}
    others = sorted(answered - set(examination.models_returned))
    if others:
        examined = ", ".join(examination.models_returned) or "a model without a name"
        yield f"{others[0]} answered, and {examined} was examined"
