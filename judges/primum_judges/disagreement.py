"""Finds what judges, gates and people say differently, worst first: a pure function of what is stored."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from primum.records import GateReport, Severity, Status, Verdict
from primum.records.case import Consequence
from primum.records.disagreement import Between, Disagreement, Label
from primum_judges.panel import Vote, votes_of

CLAIMS_GATES: Final = ("citation", "dose", "medication")
"""Gates that look at what an answer claims, as judges of faithfulness and citations do."""
_ABOUT_CLAIMS: Final = ("faithfulness", "citation_support")
_SEVERITY: Final = {
    Consequence.CRITICAL: Severity.CRITICAL,
    Consequence.SERIOUS: Severity.SERIOUS,
    Consequence.ROUTINE: Severity.WARNING,
}
_RANK: Final = {Severity.CRITICAL: 0, Severity.SERIOUS: 1, Severity.WARNING: 2}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Matter:
    """One observation and rubric with everything that was said of it."""

    observation_id: str
    rubric: str
    votes: Sequence[Vote]
    severity: Severity

    def disagreement(
        self, between: Between, passing: Iterable[str], failing: Iterable[str], counts: tuple[int, int], reason: str
    ) -> Disagreement:
        return Disagreement(
            observation_id=self.observation_id,
            rubric=self.rubric,
            between=between,
            passing=tuple(passing),
            failing=tuple(failing),
            margin=abs(counts[0] - counts[1]) / sum(counts),
            severity=self.severity,
            reason=reason,
        )


def disagreements(
    verdicts: Iterable[Verdict],
    reports: Iterable[GateReport],
    consequences: Mapping[str, Consequence],
    labels: Iterable[Label] = (),
) -> tuple[Disagreement, ...]:
    """The queue: most severe first, then the most evenly split.

    A judge's vote is the majority of its repetitions; what it did not decide is no vote and disagrees with nobody.

    Args:
        verdicts: Of one run.
        reports: Of the gates on the same observations.
        consequences: Of the case of each observation; severity follows from it.
        labels: Of people and references, if there are any.
    """
    said: dict[tuple[str, str], list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        said[verdict.observation_id, verdict.rubric].append(verdict)
    gates = {report.observation_id: report for report in reports}
    labelled: dict[tuple[str, str], list[Label]] = defaultdict(list)
    for label in labels:
        labelled[label.observation_id, label.rubric].append(label)
    found = [
        disagreement
        for (observation_id, rubric), members in said.items()
        for disagreement in _about(
            _Matter(
                observation_id=observation_id,
                rubric=rubric,
                votes=votes_of(members),
                severity=_SEVERITY[consequences[observation_id]],
            ),
            gates.get(observation_id),
            labelled[observation_id, rubric],
        )
    ]
    return tuple(sorted(found, key=lambda d: (_RANK[d.severity], d.margin, d.observation_id, d.rubric, d.between)))


def _about(matter: _Matter, report: GateReport | None, labels: Sequence[Label]) -> Iterator[Disagreement]:
    yield from _with_itself(matter)
    passing = [vote.judge for vote in matter.votes if vote.status is Status.PASS]
    failing = [vote.judge for vote in matter.votes if vote.status is Status.FAIL]
    counts = (len(passing), len(failing))
    if passing and failing:
        reason = f"{len(passing)} judges pass it and {len(failing)} fail it"
        yield matter.disagreement(Between.JUDGES, passing, failing, counts, reason)
    if report is not None and matter.rubric in _ABOUT_CLAIMS:
        yield from _with_gates(matter, report, passing, failing)
    for source in (Between.REFERENCE, Between.PEOPLE):
        yield from _with_labels(matter, [label for label in labels if label.source == source], passing, failing, source)


def _with_itself(matter: _Matter) -> Iterator[Disagreement]:
    for vote in matter.votes:
        if vote.passed and vote.failed:
            times = vote.passed + vote.failed
            reason = f"{vote.judge} passes it {vote.passed} times of {times} and fails it {vote.failed} times"
            yield matter.disagreement(
                Between.REPETITIONS, [vote.judge], [vote.judge], (vote.passed, vote.failed), reason
            )


def _with_gates(
    matter: _Matter, report: GateReport, passing: Sequence[str], failing: Sequence[str]
) -> Iterator[Disagreement]:
    results = [result for result in report.results if result.gate in CLAIMS_GATES]
    objecting = [result.gate for result in results if result.status is Status.FAIL]
    content = [result.gate for result in results if result.status is Status.PASS]
    if objecting and passing:
        reason = f"the gate {', '.join(objecting)} fails it and {', '.join(passing)} passes it; the gate stands"
        counts = (len(passing), len(objecting))
        yield matter.disagreement(Between.GATES, passing, [f"gate {gate}" for gate in objecting], counts, reason)
    if not objecting and content and failing:
        reason = f"{', '.join(failing)} fails it and no gate that looks at claims objects"
        counts = (len(content), len(failing))
        yield matter.disagreement(Between.GATES, [f"gate {gate}" for gate in content], failing, counts, reason)


def _with_labels(
    matter: _Matter, labels: Sequence[Label], passing: Sequence[str], failing: Sequence[str], source: Between
) -> Iterator[Disagreement]:
    good = [label.rater for label in labels if label.status is Status.PASS]
    bad = [label.rater for label in labels if label.status is Status.FAIL]
    if len(good) == len(bad):
        return  # nobody labelled it, or those who did are of two minds themselves
    judges, raters = (failing, good) if len(good) > len(bad) else (passing, bad)
    if not judges:
        return
    word = "passes" if judges is passing else "fails"
    reason = f"{', '.join(judges)} {word} it, and {len(raters)} of {len(labels)} labels say the opposite"
    good_side, bad_side = (judges, raters) if judges is passing else (raters, judges)
    counts = (len(good_side), len(bad_side))
    yield matter.disagreement(source, good_side, bad_side, counts, reason)
