"""What the judges that ask a model have in common."""

from abc import ABC, abstractmethod
from functools import cached_property
from typing import ClassVar

from primum.digest import digest
from primum.endpoint import Endpoint
from primum.errors import ConfigError
from primum.records import AnswerKey, Exchange, KeyField, Verdict
from primum_judges.claims import Split, split_claims
from primum_judges.prompt import instructions_hash
from primum_judges.reading import early_verdict
from primum_judges.rubric import Rubric
from primum_judges.structured import Mode, StrictReply
from primum_judges.verdicts import Sheet


class ModelJudge(ABC):
    """Scores one rubric by a model. Trouble with the model is an inconclusive verdict, never a pass or a score.

    Args:
        endpoint: The model.
        rubric: A rubric of the judge's scale.
        mode: How the endpoint takes a schema.

    Raises:
        ConfigError: the rubric is of another scale.
    """

    scale: ClassVar[str]
    """The scale of the rubrics that the judge can score."""

    def __init__(self, endpoint: Endpoint, rubric: Rubric, *, mode: Mode = "tools") -> None:
        if rubric.scale != self.scale:
            kind = type(self).__name__
            raise ConfigError(f"the rubric {rubric.id} has the scale {rubric.scale}; {kind} needs {self.scale}")
        self._endpoint = endpoint
        self._rubric = rubric
        self._mode: Mode = mode

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
    @abstractmethod
    def structure(self) -> type[StrictReply]:
        """What the model must reply."""

    @cached_property
    def prompt_hash(self) -> str:
        """Digest of how the model is asked, without rubric and data."""
        return digest(
            {
                "instructions": instructions_hash(self._rubric),
                "structure": self.structure.model_json_schema(),
                "mode": self._mode,
                "parameters": dict(self._endpoint.parameters),
            }
        )

    @property
    def fingerprint(self) -> str:
        """Digest of everything on our side that can change a verdict: model, address, rubric and how it is asked."""
        return digest(
            {
                "model": self._endpoint.model,
                "api_base": self._endpoint.api_base,
                "rubric": self._rubric.hash,
                "prompt": self.prompt_hash,
            }
        )

    async def judge(self, exchange: Exchange, key: AnswerKey, *, repetition: int) -> Verdict:
        """A verdict with its evidence and its origin."""
        sheet = Sheet(
            exchange=exchange,
            judge=self.id,
            rubric=self._rubric,
            repetition=repetition,
            prompt_hash=self.prompt_hash,
        )
        split = split_claims(exchange.answer.text if exchange.answer else "")
        return early_verdict(sheet, split) or await self._ask(sheet, split, key)

    @abstractmethod
    async def _ask(self, sheet: Sheet, split: Split, key: AnswerKey) -> Verdict:
        """The verdict on an exchange that the rubric applies to."""
