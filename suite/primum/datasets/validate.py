"""Everything that is wrong with a dataset folder, for the person who writes it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from primum.corpus.chunking import Chunking
from primum.datasets.answers import PassageRef, RecordedAnswer
from primum.datasets.jsonl import Line
from primum.datasets.labelled import LABELLED, check_twins
from primum.datasets.labels import CaseJudgments, collect_judgments
from primum.datasets.load import Dataset, collect_answers, collect_dataset
from primum.datasets.near_duplicates import near_duplicates
from primum.datasets.problems import Problem, Problems
from primum.datasets.qualification import TWINS, collect_twins
from primum.datasets.quotes import ChunkFinder, PointerError
from primum.datasets.ungraded import ungraded
from primum.records import Case, Chunk, Document, PublicationState, Role


def validate_dataset(folder: Path, *, chunking: Chunking | None = None) -> list[Problem]:
    """All problems of a dataset, in the order in which they were found; none when it is right.

    Errors are what `load_dataset`, `load_recorded_answers` and `resolve` refuse, and a missing banner. Warnings are for
    a person to look at: what makes held-out cases less held out than they seem, documents with two valid versions, and
    passages that say the same as a label and have no grade.

    Args:
        folder: the dataset, or a judge qualification set, which holds ``twins.jsonl``.
        chunking: how the documents will be cut; the default one without it.

    Raises:
        DatasetError: there is no such folder.
    """
    problems = Problems()
    if (folder / TWINS).is_file():
        collect_twins(folder, problems)
        return problems.found
    dataset = collect_dataset(folder, problems)
    cut = chunking or Chunking()
    documents = {(document.id, document.version): document for document in dataset.documents}
    chunks = [chunk for document in documents.values() for chunk in cut.chunk(document)]
    finder = ChunkFinder(chunks)
    judgments = collect_judgments(dataset.cases, finder, dataset.case_places, problems)
    _check_answers(dataset, finder, problems)
    _check_banner(dataset, problems)
    _check_versions(dataset, problems)
    _check_questions(dataset, problems)
    _check_shared_evidence(dataset, judgments, problems)
    _check_grades(dataset, judgments, chunks, problems)
    return problems.found


def _check_answers(dataset: Dataset, finder: ChunkFinder, problems: Problems) -> None:
    known = {case.id for case in dataset.cases}
    labelled: list[Line[RecordedAnswer]] = []
    for path in sorted((dataset.folder / "answers").glob("*.jsonl")):
        lines = collect_answers(path, problems)
        if path.match(LABELLED):
            labelled += lines
        for line in lines:
            if line.record.case_id not in known:
                problems.error(line.place, "there is no case with this case_id", "write family/variant of a case")
            _check_refs(line, "retrieved", line.record.retrieved or (), finder, problems)
            _check_refs(line, "context", line.record.context or (), finder, problems)
    check_twins(labelled, problems)


def _check_refs(
    line: Line[RecordedAnswer], name: str, refs: Iterable[PassageRef], finder: ChunkFinder, problems: Problems
) -> None:
    for index, ref in enumerate(refs):
        try:
            finder.find(ref.document_id, ref.document_version, quote=ref.quote, chunk_id=ref.chunk_id)
        except PointerError as error:
            problems.error(line.place, f"{name}[{index}]: {error.message}", error.fix)


def _check_banner(dataset: Dataset, problems: Problems) -> None:
    if dataset.info.banner is None:
        return
    banner = " ".join(dataset.info.banner.split())
    for document in dataset.documents:
        if banner not in " ".join(document.text.split()):
            place = dataset.document_places[document.id, document.version]
            problems.error(place, "the document does not carry the banner of dataset.yaml", "add it to the text")


def _check_versions(dataset: Dataset, problems: Problems) -> None:
    published: dict[str, Document] = {}
    for document in dataset.documents:
        if document.state is not PublicationState.PUBLISHED:
            continue
        other = published.setdefault(document.id, document)
        if other is not document:
            place = dataset.document_places[document.id, document.version]
            before = dataset.document_places[other.id, other.version]
            problems.warn(place, f"another version is published too, at {before}", "mark the older one superseded")


def _check_questions(dataset: Dataset, problems: Problems) -> None:
    questions: dict[Role, dict[str, str]] = {role: {} for role in Role}
    for case in dataset.cases:
        questions[case.role][case.id] = case.question
    for held_out, tuned in near_duplicates(questions[Role.ACCEPTANCE], questions[Role.DEVELOPMENT]):
        problems.warn(
            dataset.case_places[held_out],
            f"the question is nearly that of the development case at {dataset.case_places[tuned]}",
            "ask something else, or give both families one role",
        )


def _check_shared_evidence(dataset: Dataset, judgments: Mapping[str, CaseJudgments], problems: Problems) -> None:
    users: dict[str, dict[Role, list[Case]]] = defaultdict(lambda: {role: [] for role in Role})
    for case in dataset.cases:
        for chunk_id, grade in judgments[case.id].grades.items():
            if grade:
                users[chunk_id][case.role].append(case)
    told: set[tuple[str, str, str]] = set()
    for chunk_id, by_role in users.items():
        for held_out in by_role[Role.ACCEPTANCE]:
            for tuned in by_role[Role.DEVELOPMENT]:
                pair = (chunk_id, held_out.family, tuned.family)
                if pair in told:
                    continue
                told.add(pair)
                problems.warn(
                    dataset.case_places[held_out.id],
                    f"the passage {chunk_id} is also evidence of the case at {dataset.case_places[tuned.id]}",
                    "split families so that no passage serves both roles",
                )


def _check_grades(
    dataset: Dataset, judgments: Mapping[str, CaseJudgments], chunks: Iterable[Chunk], problems: Problems
) -> None:
    for case, index, chunk in ungraded(dataset.cases, judgments, chunks):
        problems.warn(
            dataset.case_places[case.id],
            f"the passage {chunk.id} says nearly what evidence[{index}] quotes, and has no grade",
            "grade it too, with 0 if it does not help",
        )
