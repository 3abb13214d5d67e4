"""What is stored of a run, put together observation by observation."""

from collections import defaultdict

from primum.aggregate import Result
from primum.app.workspace import Workspace
from primum.records import Verdict


def read_results(work: Workspace, run: str) -> list[Result]:
    """Every observation of a run with its case, gates, verdicts and rank measures."""
    reports = {report.observation_id: report for report in work.store.gate_reports(run)}
    verdicts: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in work.store.verdicts(run):
        verdicts[verdict.observation_id].append(verdict)
    return [
        Result(
            case=(case := work.case_of(observation)),
            observation=observation,
            gates=reports.get(observation.id),
            verdicts=tuple(verdicts[observation.id]),
            measures=work.project.rank_measures(case, observation.ranking.ids) if observation.ranking else {},
        )
        for observation in work.store.observations(run)
    ]
