"""From what is stored of a run to decisions and reports."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from primum.aggregate import Result, measure_system
from primum.app import parts
from primum.app.accepted import beside_accepted
from primum.app.examinations import qualifications
from primum.app.notes import notes
from primum.app.panels import panel_summaries
from primum.app.results import read_results
from primum.app.retrieval_run import retrieval_of_run, retrieval_reasons
from primum.app.waivers import waived
from primum.app.workspace import Workspace
from primum.comparison import system_outcomes
from primum.decision import blocks, by_qualified_judges, decide
from primum.errors import StoreError
from primum.records import Decision, GateReport, Role, Severity, Status
from primum.records.retrieval_summary import RetrievalSummary
from primum.records.summary import JudgedCase, Objection, RunReport, SystemSummary
from primum.records.waiver import fingerprint

SHOWN = 200
"""Entries of each list in a report; the rest is counted and stays in the store."""

_SEVERITY = {Severity.CRITICAL: 0, Severity.SERIOUS: 1, Severity.WARNING: 2}


@dataclass(frozen=True, kw_only=True)
class Written:
    """A report and where it was written."""

    content: RunReport
    files: Mapping[str, Path]

    @property
    def exit_code(self) -> int:
        """That of the decision about the system that may be released."""
        return next(s.decision.exit_code for s in self.content.systems if s.system == self.content.release)


def decide_run(work: Workspace, run: str) -> tuple[Decision, ...]:
    """Decides about every system of the run and stores the decisions."""
    results = read_results(work, run)
    summaries = _summaries(work, run, results, _retrieval(work, run, results))
    for summary in summaries:
        work.store.add_decision(run, summary.decision)
    return tuple(summary.decision for summary in summaries)


def report_run(work: Workspace, run: str) -> Written:
    """Writes the reports of a decided run."""
    from primum.report import withhold_findings, write_reports

    results = read_results(work, run)
    content = _report(work, run, results)
    again = f"run: primum decide -c {work.project.path}"
    decided = {decision.system: decision for decision in work.store.decisions(run)}
    if not decided:
        raise StoreError(f"run {run} is not decided; {again}")
    if any(decided.get(system.system) != system.decision for system in content.systems):
        raise StoreError(
            f"run {run} was gated or judged again, or its judges were examined again, after it was decided; {again}"
        )
    exchanges = {r.observation.id: r.observation.exchange for r in results}
    gate_reports = [
        withhold_findings(report, exchanges[report.observation_id])
        for plan in content.manifest.systems
        for report in waived(work, plan.id, _gate_reports(results, plan.id), content.manifest).reports
    ]
    return Written(content=content, files=write_reports(content, work.output, gate_reports=gate_reports))


def _report(work: Workspace, run: str, results: Sequence[Result]) -> RunReport:
    """Everything that a report shows, worst first."""
    found = _retrieval(work, run, results)
    summaries = _summaries(work, run, results, found)
    objections = sorted(_objections(results, summaries), key=_worst_first)
    failures = [r.observation for r in results if r.observation.failure is not None]
    doubtful = sorted(_doubtful(results), key=lambda j: (j.verdict.score is None, j.verdict.score or 0.0))
    return RunReport(
        title=work.project.settings.title or work.project.settings.name,
        manifest=work.store.manifest(run),
        notes=notes(work, summaries),
        release=work.project.settings.release,
        systems=summaries,
        retrieval=found,
        objections=tuple(objections[:SHOWN]),
        failures=tuple(failures[:SHOWN]),
        doubtful=tuple(doubtful[:SHOWN]),
        shown_of={"objections": len(objections), "failures": len(failures), "doubtful": len(doubtful)},
    )


def _summaries(
    work: Workspace, run: str, results: Sequence[Result], found: RetrievalSummary | None
) -> tuple[SystemSummary, ...]:
    manifest = work.started_as(run)
    judges = work.project.settings.judges
    verdicts_each = len(judges.rubrics) * judges.repetitions * len(judges.judge_names)
    expected = frozenset(gate.id for gate in parts.gates())
    policy = work.project.settings.policy
    qualified = qualifications(work, (v for result in results for v in result.verdicts), manifest.created_at)
    summaries: list[SystemSummary] = []
    for plan in manifest.systems:
        own = [result for result in results if result.observation.system == plan.id]
        settings = work.project.settings.systems.get(plan.id)
        described = parts.describe(settings.generator) if settings else plan.generator
        measured = measure_system(
            plan.id,
            described,
            own,
            planned=plan.planned,
            verdicts_each=verdicts_each,
            expected_gates=expected,
            qualifications=qualified,
        )
        accepted = waived(work, plan.id, _gate_reports(own, plan.id), manifest)
        compared, against = beside_accepted(work, system_outcomes(plan.id, own, manifest))
        if compared:
            against = tuple(by_qualified_judges(against, measured, policy.comparison.margins))
        of_release = found if plan.id == work.project.settings.release else None
        against = (*against, *retrieval_reasons(work.project, own, of_release), *accepted.reasons)
        decision = decide(measured, accepted.reports, policy, against)
        summaries.append(
            SystemSummary(
                **dict(measured),
                decision=decision,
                waivers=accepted.uses,
                comparison=compared.get(Role.ACCEPTANCE),
                development=compared.get(Role.DEVELOPMENT),
                panels=panel_summaries(own, judges),
            )
        )
    # The system that may be released comes first.
    return tuple(sorted(summaries, key=lambda summary: summary.system != work.project.settings.release))


def _gate_reports(results: Sequence[Result], system: str) -> list[GateReport]:
    return [r.gates for r in results if r.gates is not None and r.observation.system == system]


def _retrieval(work: Workspace, run: str, results: Sequence[Result]) -> RetrievalSummary | None:
    """What the system that may be released was shown; None when nothing is stored of it."""
    release = work.project.settings.release
    own = [result for result in results if result.observation.system == release]
    return retrieval_of_run(work, work.store.manifest(run), release, own) if own else None


def _objections(results: Sequence[Result], summaries: Sequence[SystemSummary]) -> Iterator[Objection]:
    covered = {
        (observation, use.waiver.gate, use.waiver.fingerprint): use.waiver.id
        for system in summaries
        for use in system.waivers
        for observation in use.observations
    }
    for result in results:
        for gate in result.gates.results if result.gates else ():
            for finding in gate.findings:
                mark = fingerprint(gate.gate, finding)
                waiver = covered.get((result.observation.id, gate.gate, mark)) if finding.blocks else None
                yield Objection(
                    case=result.case,
                    observation=result.observation,
                    gate=gate.gate,
                    finding=finding,
                    blocks=waiver is None and blocks(gate.gate, finding),
                    fingerprint=mark,
                    waiver=waiver,
                )


def _worst_first(objection: Objection) -> tuple[bool, int, str]:
    return not objection.blocks, _SEVERITY[objection.finding.severity], objection.observation.id


def _doubtful(results: Sequence[Result]) -> Iterator[JudgedCase]:
    for result in results:
        for verdict in result.verdicts:
            if verdict.status not in (Status.PASS, Status.NOT_APPLICABLE):
                yield JudgedCase(case=result.case, observation=result.observation, verdict=verdict)
