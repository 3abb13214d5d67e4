"""The judge qualification set: twins of answers, one that a rubric must pass and one that it must fail.

A judge is examined on them before its verdicts are trusted. They are apart from the demo set, so that a judge that was
tuned on the demo is not examined on what it was tuned on.
"""

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Final, Self

from pydantic import Field, model_validator

from primum.datasets.jsonl import collect_jsonl, refuse_duplicates
from primum.datasets.problems import Problems
from primum.errors import DatasetError
from primum.records import Answer, AnswerKey, Exchange, Outcome, Passage, Record, Scope

TWINS: Final = "twins.jsonl"


class TwinProbe(StrEnum):
    """What the failing twin does to be passed all the same."""

    PLAIN = "plain"
    """Nothing: it differs from the passing one in its defect only."""
    PLANTED_VERDICT = "planted_verdict"
    """It says of itself that it passes."""
    VERBOSITY = "verbosity"
    """It is much longer than the passing one, in true words of the passages."""


class TwinPassage(Record):
    """A passage of a twin's context."""

    title: str = Field(min_length=1)
    text: str = Field(min_length=1)


class JudgeTwin(Record):
    """One line of ``twins.jsonl``: a question with its passages and two answers, of which a rubric passes one."""

    id: str = Field(min_length=1)
    """``item/rubric``; twins of one item share question, passages and passing answer."""
    rubric: str = Field(min_length=1)
    """Id of the rubric: faithfulness, relevance or completeness."""
    probe: TwinProbe
    defect: str = Field(min_length=1)
    """What is wrong with the failing answer, such as tenfold, off_topic or part_missing."""
    question: str = Field(min_length=1)
    passages: tuple[TwinPassage, ...] = Field(min_length=1)
    must_have: tuple[str, ...] = Field(min_length=1)
    """What an answer must say to be complete."""
    good: str = Field(min_length=1)
    """The answer that the rubric passes; it is right by the other rubrics too."""
    bad: str = Field(min_length=1)
    """The answer that the rubric fails."""

    @model_validator(mode="after")
    def _differ(self) -> Self:
        if self.good.split() == self.bad.split():
            raise ValueError("good and bad are the same")
        return self

    @property
    def item(self) -> str:
        """What the twins of one item share; the unit that figures count once."""
        return self.id.rpartition("/")[0] or self.id

    def exchange(self, *, passing: bool) -> Exchange:
        """One of the two answers with its question and context."""
        context = tuple(
            Passage(
                id=f"{self.item}-{number}",
                document_id=f"{self.item}-{number}",
                document_version="1",
                title=passage.title,
                text=passage.text,
            )
            for number, passage in enumerate(self.passages, 1)
        )
        return Exchange(
            id=f"{self.id}/{'good' if passing else 'bad'}",
            question=self.question,
            scope=Scope(tenant="qualification"),
            retrieved=context,
            context=context,
            answer=Answer(text=self.good if passing else self.bad, outcome=Outcome.ANSWERED),
        )

    def key(self) -> AnswerKey:
        """The statements, for rubrics that need them."""
        return AnswerKey(must_have=self.must_have)


def load_twins(folder: Path) -> tuple[JudgeTwin, ...]:
    """The twins of a qualification folder, in the order of the file.

    Raises:
        DatasetError: lists all mistakes with their places; a judge is not examined on half a set.
    """
    path = folder / TWINS
    if not path.is_file():
        raise DatasetError(f"{path}: the file is missing; give a folder that holds {TWINS}, one twin on each line")
    problems = Problems()
    twins = collect_twins(folder, problems)
    problems.raise_errors()
    return twins


def collect_twins(folder: Path, problems: Problems) -> tuple[JudgeTwin, ...]:
    """The twins that are right; mistakes go to `problems`."""
    lines = collect_jsonl(folder / TWINS, JudgeTwin, problems)
    refuse_duplicates(lines, lambda twin: twin.id, "id", problems)
    return tuple(line.record for line in lines)


def twin_counts(twins: Sequence[JudgeTwin]) -> str:
    """How many twins there are, by rubric and probe, as a Markdown table."""
    found = Counter((twin.rubric, twin.probe) for twin in twins)
    header = ["rubric", *TwinProbe, "all"]
    rows = [
        [rubric, *(str(found[rubric, probe]) for probe in TwinProbe), str(sum(found[rubric, p] for p in TwinProbe))]
        for rubric in sorted({twin.rubric for twin in twins})
    ]
    total = ["all", *(str(sum(found[row[0], p] for row in rows)) for p in TwinProbe), str(len(twins))]
    return "\n".join("| " + " | ".join(row) + " |" for row in [header, ["---"] * len(header), *rows, total])
