"""Evidence labels, which point at words of documents, become relevance judgments of chunks."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from primum.datasets.answers import PassageRef
from primum.datasets.problems import Problems
from primum.datasets.quotes import ChunkFinder, PointerError
from primum.errors import DatasetError
from primum.records import Answerability, Case, Chunk, Passage


@dataclass(frozen=True, kw_only=True)
class CaseJudgments:
    """The judgments (qrels) of one case."""

    grades: Mapping[str, int]
    """Grade 0, 1 or 2 by chunk id; a chunk with several labels has the highest."""
    required: frozenset[str]
    """Chunks without which the answer cannot be given."""


def resolve(
    cases: Iterable[Case], chunks: Iterable[Chunk], *, places: Mapping[str, str] | None = None
) -> dict[str, CaseJudgments]:
    """The judgments of each case, by case id.

    A quote labels the chunk that holds it. When it only stands across a chunk border, it labels all chunks it touches.

    Args:
        cases: whose labels to resolve.
        chunks: all chunks of the corpus.
        places: where each case was read, by case id, for the error; without it the case id stands there.

    Raises:
        DatasetError: lists all labels that point at nothing, at several places, or at a chunk that the case's scope
            may not see, and all cases whose labels contradict their answerability.
    """
    problems = Problems()
    judgments = collect_judgments(cases, ChunkFinder(chunks), places or {}, problems)
    problems.raise_errors()
    return judgments


def collect_judgments(
    cases: Iterable[Case], finder: ChunkFinder, places: Mapping[str, str], problems: Problems
) -> dict[str, CaseJudgments]:
    """The judgments as far as labels resolve; mistakes go to `problems`."""
    return {case.id: _judgments(case, finder, places.get(case.id, case.id), problems) for case in cases}


def resolve_passages(
    refs: Iterable[PassageRef], finder: ChunkFinder, *, place: str | None = None
) -> tuple[Passage, ...]:
    """The passages that a recorded answer points at, in order, each once.

    Scope does not count here: a recorded system may have used what it should not have seen.

    Args:
        refs: what the answer points at.
        finder: knows all chunks of the corpus.
        place: where the answer was read, for the error; without it the document stands there.

    Raises:
        DatasetError: a reference points at nothing or at several places.
    """
    found: dict[str, Passage] = {}
    for ref in refs:
        try:
            chunks = finder.find(ref.document_id, ref.document_version, quote=ref.quote, chunk_id=ref.chunk_id)
        except PointerError as error:
            where = place or f"{ref.document_id}@{ref.document_version}"
            raise DatasetError(f"{where}: {error.message}; {error.fix}") from None
        found |= {chunk.id: chunk.passage() for chunk in chunks}
    return tuple(found.values())


def _judgments(case: Case, finder: ChunkFinder, place: str, problems: Problems) -> CaseJudgments:
    grades: dict[str, int] = {}
    required: set[str] = set()
    for index, label in enumerate(case.evidence):
        try:
            chunks = finder.find(label.document_id, label.document_version, quote=label.quote, chunk_id=label.chunk_id)
        except PointerError as error:
            problems.error(place, f"evidence[{index}]: {error.message}", error.fix)
            continue
        if not all(chunk.passage().eligible(case.scope) for chunk in chunks):
            message = f"evidence[{index}] points at text that the case's scope may not see"
            problems.error(
                place, message, "label published text of the case's tenant and patient, or correct the scope"
            )
            continue
        for chunk in chunks:
            grades[chunk.id] = max(label.grade, grades.get(chunk.id, 0))
            if label.required:
                required.add(chunk.id)
    _check_answerability(case, place, problems)
    return CaseJudgments(grades=grades, required=frozenset(required))


def _check_answerability(case: Case, place: str, problems: Problems) -> None:
    relevant = any(label.grade >= 1 for label in case.evidence)
    if case.answerability in (Answerability.ANSWERABLE, Answerability.PARTIAL) and not relevant:
        message = f"the case is {case.answerability} and has no evidence with a grade of 1 or 2"
        problems.error(place, message, "label the text that supports the answer, or correct answerability")
    answering = any(label.grade == 2 or label.required for label in case.evidence)
    if case.answerability is Answerability.UNANSWERABLE and answering:
        message = "the case is unanswerable and has evidence that is required or answers the question"
        problems.error(place, message, "lower the grade, or correct answerability")
