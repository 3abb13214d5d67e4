"""A recorded system: its answers, with the passages that it used found in the corpus."""

from pathlib import Path

from primum.app.project import Project
from primum.datasets import PassageRef, read_recorded_answers, resolve_passages
from primum.errors import DatasetError
from primum.generation.recorded import Recorded, RecordedGenerator
from primum.records import Answer, Passage


def recorded_generator(project: Project, path: Path) -> RecordedGenerator:
    """Replays the answers in `path`.

    Raises:
        DatasetError: a line is wrong, names a case that the dataset does not have, or a passage that is not there.
    """
    known = {case.id for case in project.dataset.cases}
    recorded: dict[tuple[str, int], Recorded] = {}
    for line in read_recorded_answers(path):
        row = line.record
        if row.case_id not in known:
            folder = project.dataset.folder
            raise DatasetError(f"{line.place}: there is no case {row.case_id!r} in {folder}; correct case_id")

        def passages(refs: tuple[PassageRef, ...] | None, place: str = line.place) -> tuple[Passage, ...] | None:
            return None if refs is None else resolve_passages(refs, project.finder, place=place)

        recorded[row.case_id, row.repetition] = Recorded(
            answer=Answer(text=row.text, outcome=row.outcome, citations=row.citations),
            context=passages(row.context),
            retrieved=passages(row.retrieved),
        )
    return RecordedGenerator(recorded, label=path.name)
