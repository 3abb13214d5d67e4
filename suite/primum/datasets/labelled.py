"""Answers whose one defect is labelled, as exchanges that gates and judges can be scored on.

``answers/labelled-*.jsonl`` hold good answers and bad ones. A bad answer is a good one of the same case with one
stretch changed: `AnswerDefect.quote` is what it says and `AnswerDefect.replaces` what its good twin says there. So a
gate or judge that passes the twin and fails the bad answer has seen the defect, and nothing else.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from primum.corpus.chunking import Chunking
from primum.datasets.answers import AnswerDefect, PassageRef, RecordedAnswer
from primum.datasets.jsonl import Line
from primum.datasets.labels import CaseJudgments, resolve, resolve_passages
from primum.datasets.load import Dataset, read_recorded_answers
from primum.datasets.near_duplicates import similarity, words
from primum.datasets.problems import Problems
from primum.datasets.quotes import ChunkFinder
from primum.errors import DatasetError
from primum.records import Answer, Case, Chunk, Exchange, Passage

LABELLED: Final = "labelled-*.jsonl"
"""Names of the files in ``answers/`` whose bad answers have a good twin."""
DISTRACTORS: Final = 3
"""How many passages that are no evidence an answer's context holds."""


@dataclass(frozen=True, kw_only=True)
class LabelledExchange:
    """One answer with its context and what is wrong with it."""

    case: Case
    exchange: Exchange
    defect: AnswerDefect | None
    """None for a good answer: whoever objects to it, over-blocks."""
    place: str
    """Where the answer was read."""


def labelled_files(folder: Path) -> tuple[Path, ...]:
    """The files of labelled answers of a dataset folder, by name."""
    return tuple(sorted((folder / "answers").glob(LABELLED)))


def labelled_exchanges(
    dataset: Dataset,
    paths: Iterable[Path] | None = None,
    *,
    chunking: Chunking | None = None,
    distractors: int = DISTRACTORS,
) -> tuple[LabelledExchange, ...]:
    """The answers of `paths` as exchanges, in the order of the files.

    An answer that says what its context was, has that. Any other has the passages that its case's labels grade 1 or 2,
    and `distractors` more that the case's scope may see: first those that a label grades 0, then those that share most
    words with the question. The passages stand in the order of the words that they share with the question.

    Args:
        dataset: holds the cases and the documents.
        paths: files of recorded answers; `labelled_files` of the dataset without it.
        chunking: how the documents are cut; the default one without it.
        distractors: how many passages are added to the evidence.

    Raises:
        DatasetError: a file is wrong, names an unknown case, or points at a passage that is not there.
    """
    cut = chunking or Chunking()
    chunks = [chunk for document in dataset.documents for chunk in cut.chunk(document)]
    finder = ChunkFinder(chunks)
    contexts = EvidenceContexts(chunks, resolve(dataset.cases, chunks, places=dataset.case_places), distractors)
    cases = {case.id: case for case in dataset.cases}
    found: list[LabelledExchange] = []
    for path in labelled_files(dataset.folder) if paths is None else paths:
        for line in read_recorded_answers(path):
            row = line.record
            case = cases.get(row.case_id)
            if case is None:
                raise DatasetError(f"{line.place}: there is no case with this case_id; write family/variant of a case")
            context = contexts.of(case) if row.context is None else _resolved(row.context, finder, line)
            exchange = Exchange(
                id=f"{path.stem}/{case.id}/{row.repetition}",
                question=case.question,
                scope=case.scope,
                retrieved=context if row.retrieved is None else _resolved(row.retrieved, finder, line),
                context=context,
                answer=Answer(text=row.text, outcome=row.outcome, citations=row.citations),
                roster=dataset.roster(case.scope),
                disclaimer_required=case.disclaimer_required,
                output_schema=case.output_schema,
            )
            found.append(LabelledExchange(case=case, exchange=exchange, defect=row.defect, place=line.place))
    return tuple(found)


class EvidenceContexts:
    """What a perfect retriever would have found for each case, with some passages too many."""

    def __init__(self, chunks: Sequence[Chunk], judgments: Mapping[str, CaseJudgments], distractors: int) -> None:
        self._pool = [(chunk.passage(), words(f"{chunk.title} {chunk.text}")) for chunk in chunks]
        self._judgments = judgments
        self._distractors = distractors
        self._made: dict[str, tuple[Passage, ...]] = {}

    def of(self, case: Case) -> tuple[Passage, ...]:
        """The context of a case; the same for all its answers."""
        if case.id not in self._made:
            self._made[case.id] = self._make(case)
        return self._made[case.id]

    def _make(self, case: Case) -> tuple[Passage, ...]:
        grades = self._judgments[case.id].grades
        asked = words(case.question)
        eligible = [
            (grades.get(passage.id), similarity(asked, found), passage)
            for passage, found in self._pool
            if passage.eligible(case.scope)
        ]
        evidence = [one for one in eligible if one[0]]
        others = sorted((one for one in eligible if not one[0]), key=lambda one: (one[0] is None, -one[1], one[2].id))
        chosen = [*evidence, *others[: self._distractors]]
        return tuple(passage for *_, passage in sorted(chosen, key=lambda one: (-one[1], one[2].id)))


def check_twins(lines: Iterable[Line[RecordedAnswer]], problems: Problems) -> None:
    """Adds a problem for each bad answer that is not a good one of its case with just the labelled stretch changed.

    Args:
        lines: the answers of all labelled files.
        problems: takes the mistakes.
    """
    answers = tuple(lines)
    good: dict[str, list[str]] = defaultdict(list)
    for line in answers:
        if line.record.defect is None:
            good[line.record.case_id].append(line.record.text)
    for line in answers:
        defect = line.record.defect
        if defect is None:
            continue
        if defect.replaces is None:
            problems.error(line.place, "the defect has no replaces", 'write what the good twin says there, or ""')
        elif defect.quote is not None and line.record.text.count(defect.quote) > 1:
            problems.error(line.place, "the defect's quote stands in the text more than once", "make it longer")
        elif not any(
            twin != line.record.text and _mended(line.record.text, defect, twin) for twin in good[line.record.case_id]
        ):
            message = "no good answer of this case says replaces where this one says quote, and the same elsewhere"
            problems.error(line.place, message, "change nothing but the labelled stretch")


def _mended(text: str, defect: AnswerDefect, twin: str) -> bool:
    """Whether `text` becomes `twin` once the defect is taken back; white space does not count."""
    replaces = defect.replaces or ""
    if defect.quote is not None:
        return text.replace(defect.quote, replaces).split() == twin.split()
    # Something is missing: it stands somewhere in the twin.
    start = twin.find(replaces)
    while start >= 0 and replaces:
        if (twin[:start] + twin[start + len(replaces) :]).split() == text.split():
            return True
        start = twin.find(replaces, start + 1)
    return False


def _resolved(refs: Iterable[PassageRef], finder: ChunkFinder, line: Line[RecordedAnswer]) -> tuple[Passage, ...]:
    return resolve_passages(refs, finder, place=line.place)
