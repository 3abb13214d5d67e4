"""Counts the votes of a run's judges."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from statistics import fmean

from primum.aggregate import Result
from primum.config.settings import JudgeSettings
from primum.records import Rate, Status, Verdict
from primum.records.panel import PanelSummary


def panel_summaries(results: Sequence[Result], settings: JudgeSettings) -> tuple[PanelSummary, ...]:
    """One for each rubric; none where one judge judged once, since there is nothing to compare."""
    if len(settings.judge_names) < 2 and settings.repetitions < 2:
        return ()
    verdicts: dict[str, list[Verdict]] = defaultdict(list)
    for result in results:
        for verdict in result.verdicts:
            verdicts[verdict.rubric].append(verdict)
    return tuple(_summary(rubric, found, settings) for rubric, found in verdicts.items())


def _summary(rubric: str, verdicts: Sequence[Verdict], settings: JudgeSettings) -> PanelSummary:
    from primum_judges.panel import flip_rate, panel_agreement, panel_verdict

    names, quorum = settings.judge_names, settings.votes_needed
    by_observation: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        by_observation[verdict.observation_id].append(verdict)
    found = [panel_verdict(members, judges=names, quorum=quorum) for members in by_observation.values()]
    applicable = [one for one in found if one.status is not Status.NOT_APPLICABLE]
    margins = [one.margin for one in applicable if one.margin is not None]
    alpha = panel_agreement(verdicts)
    return PanelSummary(
        rubric=rubric,
        judges=names,
        quorum=quorum,
        counts=Counter(one.status for one in found),
        votes=Rate(numerator=sum(one.cast for one in applicable), denominator=sum(one.expected for one in applicable)),
        margin=fmean(margins) if margins else None,
        flips=flip_rate(verdicts),
        agreement=alpha.value,
        agreement_on=alpha.units,
        no_agreement=alpha.reason,
    )
