"""The queue of what judges, gates and people say differently about a run."""

from pathlib import Path
from typing import TYPE_CHECKING

from primum.app.workspace import Workspace
from primum.datasets.jsonl import collect_jsonl, refuse_duplicates
from primum.datasets.problems import Problems
from primum.digest import canonical_json
from primum.errors import DatasetError
from primum.records.disagreement import Between, Disagreement, Label
from primum.report.write import write_whole

if TYPE_CHECKING:
    from primum_judges.calibration import Calibration

QUEUE = "disagreements.json"


def disagreement_queue(work: Workspace, run: str, labels: Path | None = None) -> tuple[Disagreement, ...]:
    """What is in doubt about a run, worst first; also written to the output folder, as canonical JSON.

    Args:
        work: The project.
        run: A run that was judged.
        labels: A file of `Label`, one JSON object a line.

    Raises:
        DatasetError: A label is wrong, or is about nothing in the run.
    """
    from primum_judges.disagreement import disagreements

    observations = {observation.id: observation for observation in work.store.observations(run)}
    consequences = {id_: work.case_of(observation).consequence for id_, observation in observations.items()}
    given = read_labels(labels, frozenset(observations)) if labels else ()
    found = disagreements(work.store.verdicts(run), work.store.gate_reports(run), consequences, given)
    content = {"run": run, "disagreements": [disagreement.content() for disagreement in found]}
    write_whole(work.output / QUEUE, canonical_json(content) + "\n")
    return found


def calibrate_run(work: Workspace, run: str, labels: Path) -> "tuple[Calibration, ...]":
    """The judges of a run against the labels of people.

    Raises:
        DatasetError: A label is wrong, or is about nothing in the run.
    """
    from primum_judges.calibration import calibrate

    families = {o.id: work.case_of(o).family for o in work.store.observations(run)}
    people = [label for label in read_labels(labels, frozenset(families)) if label.source is Between.PEOPLE]
    return calibrate(work.store.verdicts(run), people, families, seed=work.project.settings.seed)


def read_labels(path: Path, observations: frozenset[str]) -> tuple[Label, ...]:
    """The labels in a file, each about one of `observations` and given once by each rater.

    Raises:
        DatasetError: Lists every mistake with its place.
    """
    if not path.is_file():
        raise DatasetError(f"{path}: there is no such file; give one with a label on each line")
    problems = Problems()
    lines = collect_jsonl(path, Label, problems)
    refuse_duplicates(lines, lambda label: (label.observation_id, label.rubric, label.rater), "label", problems)
    for line in lines:
        if line.record.observation_id not in observations:
            problems.error(line.place, "the run has no such observation", "correct observation_id")
    problems.raise_errors()
    return tuple(line.record for line in lines)
