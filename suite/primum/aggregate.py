"""From single results to what was measured of a system. Means are over families, each family counted once."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from primum.metrics import CaseScores, Measure, aggregate_families
from primum.policy import BOUNDED_GATE
from primum.records import (
    Answerability,
    Case,
    GateReport,
    Observation,
    Outcome,
    Rate,
    Status,
    Verdict,
)
from primum.records.qualification import NOT_EXAMINED, Qualification
from primum.records.summary import (
    Coverage,
    FamilySummary,
    GateSummary,
    JudgeSummary,
    Measured,
    MeasureSummary,
    OutcomeCount,
)


@dataclass(frozen=True, kw_only=True)
class Result:
    """All that is known of one observation."""

    case: Case
    observation: Observation
    gates: GateReport | None
    verdicts: tuple[Verdict, ...]
    measures: Mapping[Measure, float | None]
    """Rank measures of the observation's ranking; empty where the case has no relevant evidence."""

    @property
    def outcome(self) -> Outcome | None:
        """What the system did; None while the gates have not read the answer."""
        if self.observation.failure is not None:
            return Outcome.FAILED
        return self.gates.outcome if self.gates else None


def measure_system(
    system: str,
    generator: str,
    results: Sequence[Result],
    *,
    planned: int,
    verdicts_each: int,
    expected_gates: frozenset[str],
    qualifications: Mapping[tuple[str, str], Qualification] | None = None,
) -> Measured:
    """What was measured of one system.

    Args:
        system: Its name.
        generator: What answered, in words.
        results: All that is stored of it, in the order of the observations' ids.
        planned: How many observations were planned.
        verdicts_each: How many verdicts were planned for each observation.
        expected_gates: The gates without which an observation is not gated.
        qualifications: Whether verdicts count, by judge and rubric; those of a judge who is not named do not.
    """
    return Measured(
        system=system,
        generator=generator,
        coverage=_coverage(results, planned, verdicts_each, expected_gates),
        failures=Counter(r.observation.failure.kind for r in results if r.observation.failure),
        answer_troubles=Counter(r.observation.failure.message for r in results if r.observation.failure),
        judge_troubles=Counter(
            verdict.reason
            for result in results
            for verdict in result.verdicts
            if verdict.status in (Status.INCONCLUSIVE, Status.ERROR)
        ),
        outcomes=_outcomes(results),
        over_refusal=_failed(BOUNDED_GATE, results),
        unsupported_answered=_failed("refusal", results, Answerability.UNANSWERABLE),
        measures=_measures(results),
        gates=_gates(results),
        judges=_judges(results, qualifications or {}),
        families=tuple(_family(members) for members in by_family(results).values()),
    )


def by_family(results: Iterable[Result]) -> dict[str, list[Result]]:
    """Results by family, in the order in which the families first come."""
    families: dict[str, list[Result]] = defaultdict(list)
    for result in results:
        families[result.case.family].append(result)
    return families


def family_mean(values: Iterable[tuple[Case, float]]) -> float | None:
    """Averages repetitions inside a variant, variants inside a family, then families equally; None without values."""
    families: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for case, value in values:
        families[case.family][case.variant].append(value)
    means = [fmean(fmean(repetitions) for repetitions in variants.values()) for variants in families.values()]
    return fmean(means) if means else None


def _coverage(results: Sequence[Result], planned: int, verdicts_each: int, expected_gates: frozenset[str]) -> Coverage:
    verdicts = Counter(verdict.status for result in results for verdict in result.verdicts)
    gated = [result for result in results if _came_to_a_result(result) >= expected_gates]
    return Coverage(
        observed=Rate(numerator=len(results), denominator=planned),
        answered=Rate(numerator=sum(r.observation.failure is None for r in results), denominator=planned),
        gated=Rate(numerator=len(gated), denominator=len(results)),
        judged=Rate(
            numerator=verdicts[Status.PASS] + verdicts[Status.FAIL],
            # A verdict that is missing counts against the judges as much as an inconclusive one.
            denominator=max(len(results) * verdicts_each, verdicts.total()) - verdicts[Status.NOT_APPLICABLE],
        ),
    )


def _came_to_a_result(result: Result) -> frozenset[str]:
    """The gates that passed, failed or did not apply."""
    ran = (Status.PASS, Status.FAIL, Status.NOT_APPLICABLE)
    return frozenset(gate.gate for gate in (result.gates.results if result.gates else ()) if gate.status in ran)


def _outcomes(results: Sequence[Result]) -> tuple[OutcomeCount, ...]:
    counts: dict[Answerability, Counter[Outcome]] = defaultdict(Counter)
    for result in results:
        if result.outcome is not None:
            counts[result.case.answerability][result.outcome] += 1
    return tuple(OutcomeCount(answerability=kind, counts=counts[kind]) for kind in Answerability if kind in counts)


def _failed(gate: str, results: Sequence[Result], only: Answerability | None = None) -> Rate:
    """Observations that a gate fails, of those to which it applies; `only` those of one answerability."""
    statuses = Counter(
        one.status
        for result in results
        if only is None or result.case.answerability is only
        for one in (result.gates.results if result.gates else ())
        if one.gate == gate
    )
    failed = statuses[Status.FAIL] + statuses[Status.ERROR]
    return Rate(numerator=failed, denominator=failed + statuses[Status.PASS])


def _measures(results: Sequence[Result]) -> tuple[MeasureSummary, ...]:
    scores = [
        CaseScores(
            family=result.case.family,
            variant=result.case.variant,
            kind=result.case.kind,
            repetition=result.observation.repetition,
            values=result.measures,
        )
        for result in results
        if result.measures
    ]
    means = aggregate_families(scores).overall if scores else ()
    return tuple(
        MeasureSummary(measure=mean.measure, mean=mean.value, families=mean.families, cases=mean.rankings)
        for mean in means
    )


def _gates(results: Sequence[Result]) -> tuple[GateSummary, ...]:
    counts: dict[str, Counter[Status]] = defaultdict(Counter)
    failed: dict[str, set[str]] = defaultdict(set)
    applied: dict[str, set[str]] = defaultdict(set)
    for result in results:
        for gate in result.gates.results if result.gates else ():
            counts[gate.gate][gate.status] += 1
            if gate.status in (Status.PASS, Status.FAIL, Status.ERROR):
                applied[gate.gate].add(result.case.family)
            if gate.status in (Status.FAIL, Status.ERROR):
                failed[gate.gate].add(result.case.family)
    return tuple(
        GateSummary(
            gate=gate,
            bounded=gate == BOUNDED_GATE,
            counts=statuses,
            failed=Rate(
                numerator=statuses[Status.FAIL] + statuses[Status.ERROR],
                denominator=statuses[Status.FAIL] + statuses[Status.ERROR] + statuses[Status.PASS],
            ),
            failed_families=Rate(numerator=len(failed[gate]), denominator=len(applied[gate])),
        )
        for gate, statuses in counts.items()
    )


def _judges(
    results: Sequence[Result], qualifications: Mapping[tuple[str, str], Qualification]
) -> tuple[JudgeSummary, ...]:
    counts: dict[tuple[str, str], Counter[Status]] = defaultdict(Counter)
    scores: dict[tuple[str, str], list[tuple[Case, float]]] = defaultdict(list)
    for result in results:
        for verdict in result.verdicts:
            key = (verdict.judge, verdict.rubric)
            counts[key][verdict.status] += 1
            if verdict.score is not None:
                scores[key].append((result.case, verdict.score))
    return tuple(
        JudgeSummary(
            judge=judge,
            rubric=rubric,
            counts=statuses,
            mean=family_mean(scores[judge, rubric]),
            families=len({case.family for case, _ in scores[judge, rubric]}),
            qualification=qualifications.get((judge, rubric), NOT_EXAMINED),
        )
        for (judge, rubric), statuses in counts.items()
    )


def _family(members: Sequence[Result]) -> FamilySummary:
    case = members[0].case
    failures = Counter(
        gate.gate
        for result in members
        for gate in (result.gates.results if result.gates else ())
        if gate.status in (Status.FAIL, Status.ERROR)
    )
    scores: dict[str, list[float]] = defaultdict(list)
    measures: dict[str, list[float]] = defaultdict(list)
    for result in members:
        for verdict in result.verdicts:
            if verdict.score is not None:
                scores[verdict.rubric].append(verdict.score)
        for measure, value in result.measures.items():
            if value is not None:
                measures[str(measure)].append(value)
    return FamilySummary(
        family=case.family,
        kind=case.kind,
        role=case.role,
        consequence=case.consequence,
        observations=len(members),
        outcomes=Counter(result.outcome for result in members if result.outcome is not None),
        gate_failures=failures,
        judge_scores={rubric: tuple(values) for rubric, values in scores.items()},
        measures={measure: fmean(values) for measure, values in measures.items()},
    )
