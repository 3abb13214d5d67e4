"""The LLM judge that gives the whole answer one label, which the rubric turns into a score."""

from typing import Any, ClassVar, Literal

from pydantic import Field, create_model

from primum.endpoint import Endpoint
from primum.records import AnswerKey, Verdict
from primum_judges.claims import Split
from primum_judges.model_judge import ModelJudge
from primum_judges.prompt import judge_prompt
from primum_judges.rubric import Need, Rubric
from primum_judges.structured import Mode, StrictReply, ask
from primum_judges.verdicts import Sheet


class LabelReply(StrictReply):
    """A label for the whole answer; `label_structure` narrows it to the labels of a rubric."""

    reason: str = Field(description="One or two sentences: what was asked for and what the answer gives.")
    label: str


def label_structure(rubric: Rubric) -> type[LabelReply]:
    """The reply structure whose label is one of the rubric's."""
    names: Any = Literal[tuple(rubric.labels)]  # known only at run time
    return create_model("LabelReply", __base__=LabelReply, label=(names, ...))


class RelevanceJudge(ModelJudge):
    """Scores a whole answer by one label, by a model; the rubric says what each label is worth."""

    scale: ClassVar[str] = "labels"

    def __init__(self, endpoint: Endpoint, rubric: Rubric, *, mode: Mode = "tools") -> None:
        super().__init__(endpoint, rubric, mode=mode)
        self._structure = label_structure(rubric)

    @property
    def structure(self) -> type[LabelReply]:
        """One label of the rubric's."""
        return self._structure

    async def _ask(self, sheet: Sheet, split: Split, key: AnswerKey) -> Verdict:
        del split
        if Need.REFERENCE in self._rubric.needs and key.reference_answer is None:
            return sheet.not_applicable("the case has no reference answer")
        prompt = judge_prompt(self._rubric, sheet.exchange, reference=key.reference_answer)
        asked = await ask(self._endpoint, prompt, self._structure, mode=self._mode, check=lambda _: None)
        if asked.value is None:
            return sheet.failed(asked.failure, asked.call)
        label = asked.value.label
        return sheet.by_score(self._rubric.labels[label], f"the answer was labelled {label}", call=asked.call)
