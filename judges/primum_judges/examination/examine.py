"""Runs an examination and says whether a judge is qualified."""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from primum.protocols import Judge
from primum.records import Rate, Record, Status, Verdict
from primum.statistics.calibration import Confusion, JudgeErrors, judge_errors
from primum_judges.examination.bar import Bar
from primum_judges.examination.specimen import Group, Specimen


class GroupResult(Record):
    """How a judge did on one group of specimens."""

    group: Group
    right: Rate
    """Specimens whose verdict was the expected one in every repetition."""
    wrong: tuple[str, ...]
    """Ids of the others."""


class Examination(Record):
    """What an examination found. It holds for one model as returned, one rubric text and one way of asking."""

    judge: str
    rubric: str
    rubric_hash: str
    models_returned: tuple[str, ...]
    """Every name under which the model answered; more than one is a finding in itself."""
    fingerprint: str | None
    """Digest of everything on the judge's side that can change a verdict; None when the judge has none."""
    examined_on: date
    repetitions: int
    errors: JudgeErrors
    """On the known specimens; positive means that the answer fails. A verdict that was not reached counts as wrong."""
    groups: tuple[GroupResult, ...]
    flips: Rate
    """Specimens whose verdict changed between repetitions; of 0 when there was one repetition."""
    undecided: Rate
    """Verdicts that were inconclusive or errors."""
    constant: bool
    """Whether it gave all known specimens one and the same verdict."""
    qualified: bool
    reasons: tuple[str, ...]
    """Why it is not qualified; empty when it is."""


async def examine(
    judge: Judge,
    specimens: Iterable[Specimen],
    *,
    on: date,
    bar: Bar | None = None,
    repetitions: int = 1,
    concurrency: int = 8,
) -> Examination:
    """Has `judge` judge every specimen, `repetitions` times, and compares.

    Args:
        judge: The judge to examine.
        specimens: Known ones and probes; see `probes_of`.
        on: The day, for the record; an examination grows old.
        bar: What it must reach; the default is strict about being swayed.
        repetitions: Times that each specimen is judged, at least 1.
        concurrency: Specimens that are judged at once, at least 1.
    """
    bar = bar or Bar()
    slots = asyncio.Semaphore(concurrency)

    async def rounds_of(specimen: Specimen) -> tuple[Specimen, list[Verdict]]:
        async with slots:
            return specimen, [
                await judge.judge(specimen.exchange, specimen.key, repetition=number) for number in range(repetitions)
            ]

    judged = await asyncio.gather(*(rounds_of(specimen) for specimen in specimens))
    known = [(specimen, rounds) for specimen, rounds in judged if specimen.group is Group.KNOWN]
    verdicts = [verdict for _, rounds in judged for verdict in rounds]
    errors = judge_errors(_confusion(known))
    groups = tuple(_groups(judged))
    flips = _flips(judged, repetitions)
    undecided = Rate(
        numerator=sum(verdict.status in (Status.INCONCLUSIVE, Status.ERROR) for verdict in verdicts),
        denominator=len(verdicts),
    )
    constant = len(known) > 1 and len({verdict.status for _, rounds in known for verdict in rounds}) == 1
    reasons = tuple(_shortfalls(bar, errors, groups, flips, undecided, constant=constant))
    return Examination(
        judge=judge.id,
        rubric=judge.rubric,
        rubric_hash=verdicts[0].rubric_hash if verdicts else "",
        models_returned=tuple(sorted({v.call.model_returned for v in verdicts if v.call and v.call.model_returned})),
        fingerprint=getattr(judge, "fingerprint", None),
        examined_on=on,
        repetitions=repetitions,
        errors=errors,
        groups=groups,
        flips=flips,
        undecided=undecided,
        constant=constant,
        qualified=not reasons,
        reasons=reasons,
    )


def _confusion(known: Sequence[tuple[Specimen, list[Verdict]]]) -> Confusion:
    """Counts specimens, not verdicts: repetitions of one specimen are not independent."""
    right = [(specimen.expected, _is_right(specimen, rounds)) for specimen, rounds in known]
    return Confusion(
        true_positive=sum(ok for expected, ok in right if expected is Status.FAIL),
        false_negative=sum(not ok for expected, ok in right if expected is Status.FAIL),
        true_negative=sum(ok for expected, ok in right if expected is Status.PASS),
        false_positive=sum(not ok for expected, ok in right if expected is Status.PASS),
    )


def _is_right(specimen: Specimen, rounds: Sequence[Verdict]) -> bool:
    return all(verdict.status is specimen.expected for verdict in rounds)


def _groups(judged: Sequence[tuple[Specimen, list[Verdict]]]) -> Iterator[GroupResult]:
    for group in Group:
        members = [(specimen, rounds) for specimen, rounds in judged if specimen.group is group]
        wrong = tuple(specimen.id for specimen, rounds in members if not _is_right(specimen, rounds))
        right = Rate(numerator=len(members) - len(wrong), denominator=len(members))
        yield GroupResult(group=group, right=right, wrong=wrong)


def _flips(judged: Sequence[tuple[Specimen, list[Verdict]]], repetitions: int) -> Rate:
    if repetitions < 2:
        return Rate(numerator=0, denominator=0)
    flipped = sum(len({verdict.status for verdict in rounds}) > 1 for _, rounds in judged)
    return Rate(numerator=flipped, denominator=len(judged))


def _shortfalls(
    bar: Bar, errors: JudgeErrors, groups: Sequence[GroupResult], flips: Rate, undecided: Rate, *, constant: bool
) -> Iterator[str]:
    for name, found, least in (
        ("sensitivity", errors.sensitivity, bar.sensitivity),
        ("specificity", errors.specificity, bar.specificity),
    ):
        if found.rate.denominator < bar.least_known:
            yield f"{name} rests on {found.rate.denominator} known specimens; at least {bar.least_known} are needed"
        elif found.rate.value is None or found.rate.value < least:
            yield f"{name} is {found.rate}; at least {least:g} is needed"
    if constant:
        yield "it gave every known specimen the same verdict"
    for result in groups:
        wanted = bar.groups.get(result.group)
        if wanted is None:
            continue
        if result.right.value is None:
            yield f"no {result.group} probe was made, so nothing is known about it"
        elif result.right.value < wanted:
            yield f"{result.group} probes: {result.right} right; at least {wanted:g} is needed"
    if flips.value is not None and flips.value > bar.flips:
        yield f"{flips} verdicts changed between repetitions; at most {bar.flips:g} may"
    if undecided.value is None or undecided.value > bar.undecided:
        yield f"{undecided} verdicts were not reached; at most {bar.undecided:g} may"
