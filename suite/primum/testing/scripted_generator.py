"""A generator that gives the answers it was told."""

from collections.abc import Mapping, Sequence

from primum.digest import digest
from primum.records import Answer, Failure, FailureKind, Generation, Passage, Scope


class ScriptedGenerator:
    """Looks the answer up by case id (``family/variant``), or by case id and repetition.

    Args:
        answers: Text, answer or failure for each ``case_id`` or ``(case_id, repetition)``; the pair comes first.
        default: What all others get; None for a failure of kind ``missing``.

    Example:
        >>> import asyncio
        >>> from primum.records import Scope
        >>> from primum.testing import ScriptedGenerator
        >>> generator = ScriptedGenerator({"dose/a": "5 mg once daily"})
        >>> made = asyncio.run(generator.generate("?", Scope(tenant="t"), (), case_id="dose/a", repetition=0))
        >>> made.answer.text
        '5 mg once daily'
    """

    def __init__(
        self,
        answers: Mapping[str | tuple[str, int], str | Answer | Failure],
        *,
        default: str | Answer | Failure | None = None,
    ) -> None:
        self._answers = dict(answers)
        self._default = default
        self.asked: list[tuple[str, int, str, tuple[Passage, ...]]] = []
        """Case id, repetition, question and context of each call."""

    @property
    def fingerprint(self) -> str:
        """Digest of everything that it can answer."""
        plain = {str(key): _plain(value) for key, value in self._answers.items()}
        return digest({"scripted": plain, "default": _plain(self._default)})

    async def generate(
        self, question: str, scope: Scope, context: Sequence[Passage], *, case_id: str, repetition: int
    ) -> Generation:
        """The scripted answer or failure."""
        del scope
        self.asked.append((case_id, repetition, question, tuple(context)))
        found = self._answers.get((case_id, repetition), self._answers.get(case_id, self._default))
        if isinstance(found, Failure):
            return Generation(answer=None, failure=found)
        if isinstance(found, str):
            return Generation(answer=Answer(text=found))
        if found is not None:
            return Generation(answer=found)
        missing = Failure(stage="generate", kind=FailureKind.MISSING, message=f"no answer is scripted for {case_id}")
        return Generation(answer=None, failure=missing)


def _plain(value: str | Answer | Failure | None) -> object:
    return value if value is None or isinstance(value, str) else value.content()
