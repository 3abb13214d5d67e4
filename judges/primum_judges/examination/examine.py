"""Runs an examination: a judge's verdicts on specimens whose right verdict is known."""

import asyncio
import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import date
from decimal import Decimal
from statistics import fmean

from primum.digest import digest
from primum.policy import JudgeBar
from primum.protocols import Judge
from primum.records import ModelCall, Rate, Status, Usage, Verdict
from primum.records.qualification import ProbeGroup
from primum.statistics.calibration import Confusion, judge_errors
from primum.statistics.discrimination import Discrimination, discrimination
from primum_judges.examination.record import Examination, GroupResult, Spent
from primum_judges.examination.shortfalls import shortfalls
from primum_judges.examination.specimen import Specimen

Judged = Sequence[tuple[Specimen, list[Verdict]]]

_UNDECIDED = (Status.INCONCLUSIVE, Status.ERROR)


async def examine(
    judge: Judge,
    specimens: Iterable[Specimen],
    *,
    on: date,
    bar: JudgeBar | None = None,
    groups: Collection[ProbeGroup] = tuple(ProbeGroup),
    repetitions: int = 2,
    concurrency: int = 8,
    judged_one: Callable[[], None] = lambda: None,
) -> Examination:
    """Has `judge` judge every specimen, `repetitions` times, and compares.

    Args:
        judge: The judge to examine.
        specimens: Known ones and probes; see `probes_of`.
        on: The day, for the record; an examination grows old.
        bar: What it must reach; the default is strict about being swayed.
        groups: Groups of probes whose right verdict its rubric knows; see `groups_for`.
        repetitions: Times that each specimen is judged; with 1, nothing is known about flips.
        concurrency: Specimens that are judged at once, at least 1.
        judged_one: Called after each specimen.
    """
    bar = bar or JudgeBar()
    slots = asyncio.Semaphore(concurrency)

    async def rounds_of(specimen: Specimen) -> tuple[Specimen, list[Verdict]]:
        async with slots:
            rounds = [
                await judge.judge(specimen.exchange, specimen.key, repetition=number) for number in range(repetitions)
            ]
        judged_one()
        return specimen, rounds

    judged = await asyncio.gather(*(rounds_of(specimen) for specimen in specimens))
    known = [(specimen, rounds) for specimen, rounds in judged if specimen.group is ProbeGroup.KNOWN]
    verdicts = [verdict for _, rounds in judged for verdict in rounds]
    calls = [verdict.call for verdict in verdicts if verdict.call]
    found = Examination(
        judge=judge.id,
        rubric=judge.rubric,
        rubric_hash=verdicts[0].rubric_hash if verdicts else "",
        prompt_hash=verdicts[0].prompt_hash if verdicts else None,
        models_returned=tuple(sorted({call.model_returned for call in calls if call.model_returned})),
        fingerprint=getattr(judge, "fingerprint", None),
        specimens=digest([specimen.content() for specimen, _ in judged]),
        examined_on=on,
        repetitions=repetitions,
        deterministic=bool(verdicts) and not calls,
        errors=judge_errors(_confusion(known)),
        discrimination=_discrimination(known),
        groups=tuple(_groups(judged, groups)),
        flips=_flips(judged, repetitions),
        undecided=Rate(numerator=sum(v.status in _UNDECIDED for v in verdicts), denominator=len(verdicts)),
        troubles=Counter(v.reason for v in verdicts if v.status in _UNDECIDED),
        constant=len(known) > 1 and len({verdict.status for _, rounds in known for verdict in rounds}) == 1,
        spent=_spent(calls),
        bar=bar,
        qualified=False,
        reasons=(),
    )
    reasons = shortfalls(found, bar)
    return found.model_copy(update={"qualified": not reasons, "reasons": reasons})


def _confusion(known: Judged) -> Confusion:
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


def _discrimination(known: Judged) -> Discrimination | None:
    """By the mean score of each specimen's decided rounds, where scores are graded."""
    scores: dict[Status, list[float]] = {Status.PASS: [], Status.FAIL: []}
    for specimen, rounds in known:
        decided = [verdict.score for verdict in rounds if verdict.score is not None]
        if decided:
            scores[specimen.expected].append(fmean(decided))
    graded = len({score for group in scores.values() for score in group}) > 2
    return discrimination(scores[Status.PASS], scores[Status.FAIL]) if graded else None


def _groups(judged: Judged, groups: Collection[ProbeGroup]) -> Iterator[GroupResult]:
    right_hosts = {specimen.id for specimen, rounds in judged if _is_right(specimen, rounds)} | {None}
    for group in ProbeGroup:
        if group is not ProbeGroup.KNOWN and group not in groups:
            continue
        # A judge that is wrong about the host already cannot be swayed; that error is counted once, among the known.
        members = [(s, rounds) for s, rounds in judged if s.group is group and s.host in right_hosts]
        wrong = tuple(specimen.id for specimen, rounds in members if not _is_right(specimen, rounds))
        right = Rate(numerator=len(members) - len(wrong), denominator=len(members))
        yield GroupResult(group=group, right=right, wrong=wrong)


def _flips(judged: Judged, repetitions: int) -> Rate:
    if repetitions < 2:
        return Rate(numerator=0, denominator=0)
    flipped = sum(len({verdict.status for verdict in rounds}) > 1 for _, rounds in judged)
    return Rate(numerator=flipped, denominator=len(judged))


def _spent(calls: Sequence[ModelCall]) -> Spent:
    usages = [call.usage for call in calls if call.usage is not None]
    costs = [call.cost_usd for call in calls if call.cost_usd is not None]
    counted = usages and len(usages) == len(calls)
    return Spent(
        requests=sum(len(call.attempts) for call in calls),
        usage=Usage(
            prompt_tokens=sum(usage.prompt_tokens for usage in usages),
            completion_tokens=sum(usage.completion_tokens for usage in usages),
        )
        if counted
        else None,
        cost_usd=sum(costs, Decimal(0)) if costs and len(costs) == len(calls) else None,
        seconds=math.fsum(attempt.seconds or 0.0 for call in calls for attempt in call.attempts),
    )
