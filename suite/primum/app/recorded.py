"""A recorded system: its answers, with the passages that it used found in the corpus."""

from pathlib import Path

from primum.generation.recorded import Recorded, RecordedGenerator

from primum.app.project import Project
from primum.datasets import PassageRef, load_recorded_answers, resolve_passages
from primum.errors import DatasetError
from primum.records import Answer, Passage


def recorded_generator(project: Project, path: Path) -> RecordedGenerator:
    """Replays the answers in `path`.

    Raises:
        DatasetError: a line is wrong, names a case that the dataset does not have, or a passage that is not there.
    """
    known = {case.id for case in project.dataset.cases}
    finder = project.finder

    def passages(refs: tuple[PassageRef, ...] | None) -> tuple[Passage, ...] | None:
        return None if refs is None else resolve_passages(refs, finder)

    recorded: dict[tuple[str, int], Recorded] = {}
    for row in load_recorded_answers(path):
        if row.case_id not in known:
            raise DatasetError(f"{path}: case {row.case_id} is not in {project.dataset.folder}; correct case_id")
        recorded[row.case_id, row.repetition] = Recorded(
            answer=Answer(text=row.text, outcome=row.outcome, citations=row.citations),
            context=passages(row.context),
            retrieved=passages(row.retrieved),
        )
    return RecordedGenerator(recorded, label=path.name)
