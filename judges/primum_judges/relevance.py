"""The LLM judge that gives the whole answer one label, which the rubric turns into a score."""

from typing import Any, Literal

from pydantic import Field, create_model

from primum.digest import digest
from primum.endpoint import Endpoint
from primum.errors import ConfigError
from primum.records import AnswerKey, Exchange, KeyField, Outcome, Verdict
from primum_judges.claims import split_claims
from primum_judges.faithfulness import fingerprint_parts
from primum_judges.prompt import judge_prompt
from primum_judges.reading import nothing_to_judge
from primum_judges.rubric import Rubric
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


class RelevanceJudge:
    """Scores a whole answer by one label, by a model; the rubric says what each label is worth.

    Args:
        endpoint: The model.
        rubric: A rubric of the scale ``labels``.
        mode: How the endpoint takes a schema.

    Raises:
        ConfigError: the rubric is of another scale.
    """

    def __init__(self, endpoint: Endpoint, rubric: Rubric, *, mode: Mode = "tools") -> None:
        if rubric.scale != "labels":
            raise ConfigError(f"the rubric {rubric.id} has the scale {rubric.scale}; this judge needs the scale labels")
        self._endpoint = endpoint
        self._rubric = rubric
        self._mode: Mode = mode
        self._structure = label_structure(rubric)

    @property
    def id(self) -> str:
        """The model's name."""
        return self._endpoint.model

    @property
    def rubric(self) -> str:
        """Id of the rubric."""
        return self._rubric.id

    @property
    def needs(self) -> frozenset[KeyField]:
        """The parts of the answer key that the rubric asks for."""
        return self._rubric.key_needs

    @property
    def fingerprint(self) -> str:
        """Digest of everything that can change a verdict: model, parameters, rubric, prompt and mode."""
        return digest(fingerprint_parts(self._endpoint, self._rubric, self._mode))

    async def judge(self, exchange: Exchange, key: AnswerKey, *, repetition: int) -> Verdict:
        """A verdict by one label."""
        del key
        sheet = Sheet(exchange=exchange, judge=self.id, rubric=self._rubric, repetition=repetition)
        nothing = nothing_to_judge(exchange, split_claims(exchange.answer.text if exchange.answer else ""))
        early = sheet.outside(*nothing) if nothing else sheet.outside(Outcome.ANSWERED, "answers are not judged by it")
        if early is not None:
            return early
        prompt = judge_prompt(self._rubric, exchange)
        asked = await ask(self._endpoint, prompt, self._structure, mode=self._mode, check=lambda _: None)
        if asked.value is None:
            if asked.failure is None:
                raise TypeError("asking gives a value or a failure")
            return sheet.failed(asked.failure, asked.call)
        label = asked.value.label
        return sheet.by_score(self._rubric.labels[label], f"the answer was labelled {label}", call=asked.call)
