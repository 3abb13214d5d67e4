"""A judge that gives the verdicts it was told."""

from collections.abc import Callable

from primum.digest import sha256_text
from primum.records import AnswerKey, Exchange, KeyField, Status, Verdict


class ScriptedJudge:
    """Scores one rubric by a function of the exchange; a score at or above `pass_at` passes.

    Args:
        score: Gives a score in [0, 1] for an exchange and a repetition, or None for an inconclusive verdict.
        id: Name of the judge.
        rubric: Id of the rubric that it claims to score.
        pass_at: Lowest score that passes.
        needs: Parts of the answer key that it asks for.

    Example:
        >>> from primum.testing import ScriptedJudge
        >>> ScriptedJudge(lambda exchange, repetition: 1.0).rubric
        'faithfulness'
    """

    def __init__(
        self,
        score: Callable[[Exchange, int], float | None],
        *,
        id: str = "scripted",  # noqa: A002 - the name in the protocol
        rubric: str = "faithfulness",
        pass_at: float = 1.0,
        needs: frozenset[KeyField] = frozenset(),
    ) -> None:
        self._score = score
        self._id = id
        self._rubric = rubric
        self._pass_at = pass_at
        self._needs = needs
        self.asked: list[tuple[str, int, AnswerKey]] = []
        """Observation id, repetition and key of each call."""

    @property
    def id(self) -> str:
        """Name of the judge."""
        return self._id

    @property
    def rubric(self) -> str:
        """Id of the rubric."""
        return self._rubric

    @property
    def needs(self) -> frozenset[KeyField]:
        """Parts of the answer key that it is shown."""
        return self._needs

    async def judge(self, exchange: Exchange, key: AnswerKey, *, repetition: int) -> Verdict:
        """The scripted verdict."""
        self.asked.append((exchange.id, repetition, key))
        score = self._score(exchange, repetition)
        decided = Status.PASS if score is not None and score >= self._pass_at else Status.FAIL
        status = Status.INCONCLUSIVE if score is None else decided
        return Verdict(
            observation_id=exchange.id,
            judge=self._id,
            repetition=repetition,
            rubric=self._rubric,
            rubric_version="1",
            rubric_hash=sha256_text(self._rubric),
            status=status,
            score=score,
            reason="scripted",
        )
