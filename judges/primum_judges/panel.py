"""Several judges, or several repetitions of one: votes, quorum, flips and agreement. A missing vote is never a vote."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from primum.errors import UsageError
from primum.records import Rate, Record, Status, Verdict
from primum.statistics.krippendorff import Alpha, Level, krippendorff_alpha

_VALUES = {Status.PASS: 1.0, Status.FAIL: 0.0}


class Vote(Record):
    """What one judge says of one observation after all its repetitions."""

    judge: str
    passed: int
    """Repetitions that passed."""
    failed: int
    undecided: int
    """Repetitions that were inconclusive or errors."""

    @property
    def status(self) -> Status:
        """The majority of its decided repetitions; inconclusive when there is none."""
        if self.passed == self.failed:
            return Status.INCONCLUSIVE
        return Status.PASS if self.passed > self.failed else Status.FAIL


class PanelVerdict(Record):
    """What a panel says of one observation by one rubric."""

    observation_id: str
    rubric: str
    status: Status
    votes: tuple[Vote, ...]
    """One for each judge that gave any verdict, in the order of their names."""
    cast: int
    """Votes that passed or failed."""
    expected: int
    """Judges that should have voted."""
    quorum: int
    """Votes that must be cast for the panel to say anything."""
    margin: float | None
    """How far the votes lie apart, from 0 (a tie) to 1 (all alike); None when none was cast."""
    reason: str


def panel_verdict(verdicts: Sequence[Verdict], *, judges: Collection[str], quorum: int) -> PanelVerdict:
    """The majority of the judges on one observation and rubric, if enough of them voted.

    Each judge has one vote, however often it judged. Fewer votes than `quorum`, or a tie, is inconclusive.

    Args:
        verdicts: Those of one observation and one rubric.
        judges: Ids of the judges that should have voted.
        quorum: Least number of votes, from 1 to the number of judges.

    Raises:
        UsageError: no verdict, verdicts on more than one thing or of a judge who is not on the panel, or a quorum that
            cannot be reached.
    """
    about = {(verdict.observation_id, verdict.rubric) for verdict in verdicts}
    if len(about) != 1:
        raise UsageError(f"a panel votes on one observation by one rubric, not on {len(about)}")
    strangers = sorted({verdict.judge for verdict in verdicts} - set(judges))
    if strangers:
        raise UsageError(f"{strangers[0]} is not on the panel; its judges are {', '.join(sorted(judges))}")
    if not 1 <= quorum <= len(judges):
        raise UsageError(f"a quorum of {quorum} cannot be reached by {len(judges)} judges")
    ((observation_id, rubric),) = about
    votes = votes_of(verdicts)
    passed = sum(vote.status is Status.PASS for vote in votes)
    failed = sum(vote.status is Status.FAIL for vote in votes)
    cast = passed + failed
    if all(verdict.status is Status.NOT_APPLICABLE for verdict in verdicts):
        status, why = Status.NOT_APPLICABLE, "no judge found anything to judge"
    elif cast < quorum:
        status, why = Status.INCONCLUSIVE, f"{cast} of {len(judges)} votes were cast and {quorum} are needed"
    elif passed == failed:
        status, why = Status.INCONCLUSIVE, f"the panel is split {passed} to {failed}"
    else:
        status = Status.PASS if passed > failed else Status.FAIL
        why = f"{passed} of {cast} votes cast pass, {len(judges)} were expected"
    return PanelVerdict(
        observation_id=observation_id,
        rubric=rubric,
        status=status,
        votes=votes,
        cast=cast,
        expected=len(judges),
        quorum=quorum,
        margin=abs(passed - failed) / cast if cast else None,
        reason=why,
    )


def votes_of(verdicts: Sequence[Verdict]) -> tuple[Vote, ...]:
    """The vote of each judge on one observation and rubric, in the order of their names."""
    return tuple(
        _vote(judge, [v for v in verdicts if v.judge == judge]) for judge in sorted({v.judge for v in verdicts})
    )


def flip_rate(verdicts: Iterable[Verdict]) -> Rate:
    """The share of (observation, judge, rubric) whose decided repetitions differ, of those with two or more."""
    decided = [verdict for verdict in verdicts if verdict.status in _VALUES]
    repeated = [found for found in _by_judge(decided).values() if len(found) > 1]
    return Rate(numerator=sum(len({v.status for v in found}) > 1 for found in repeated), denominator=len(repeated))


def panel_agreement(verdicts: Iterable[Verdict]) -> Alpha:
    """Krippendorff's alpha of the judges' votes, corrected for chance; a missing vote is left out, not counted.

    A judge's vote on an observation is the majority of its repetitions. Only observations with two or more votes count.
    """
    votes: dict[tuple[str, str], dict[str, float]] = defaultdict(dict)
    for (observation_id, judge, rubric), found in _by_judge(verdicts).items():
        value = _VALUES.get(_vote(judge, found).status)
        if value is not None:
            votes[observation_id, rubric][judge] = value
    names = sorted({judge for cast in votes.values() for judge in cast})
    return krippendorff_alpha([[cast.get(name) for name in names] for cast in votes.values()], Level.NOMINAL)


def _by_judge(verdicts: Iterable[Verdict]) -> Mapping[tuple[str, str, str], list[Verdict]]:
    found: dict[tuple[str, str, str], list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        found[verdict.observation_id, verdict.judge, verdict.rubric].append(verdict)
    return found


def _vote(judge: str, verdicts: Sequence[Verdict]) -> Vote:
    statuses = [verdict.status for verdict in verdicts]
    return Vote(
        judge=judge,
        passed=statuses.count(Status.PASS),
        failed=statuses.count(Status.FAIL),
        undecided=statuses.count(Status.INCONCLUSIVE) + statuses.count(Status.ERROR),
    )
