"""Replays answers that were recorded earlier."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from primum.digest import digest
from primum.records import Answer, Failure, FailureKind, Generation, Passage, Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """One recorded answer, with what the recorded system saw when that is known."""

    answer: Answer
    context: tuple[Passage, ...] | None = None
    """What reached its prompt; None when it was what the run puts there."""
    retrieved: tuple[Passage, ...] | None = None
    """What it retrieved, best first; None when it was what the run retrieves."""


class RecordedGenerator:
    """Looks answers up by case and repetition; what was not recorded is a failure, never a guess.

    Args:
        answers: By ``(case_id, repetition)``.
        label: What the recording is called, such as its file's name.
    """

    def __init__(self, answers: Mapping[tuple[str, int], Recorded], label: str) -> None:
        self._answers = dict(answers)
        self._label = label
        content = [
            [case_id, repetition, one.answer.content(), _content(one.context), _content(one.retrieved)]
            for (case_id, repetition), one in sorted(self._answers.items(), key=lambda item: item[0])
        ]
        self._fingerprint = f"recorded:{label}:{digest(content)}"

    @property
    def fingerprint(self) -> str:
        """The recording's name and the digest of all that is in it."""
        return self._fingerprint

    async def generate(
        self,
        question: str,  # noqa: ARG002 - the recording is looked up, not asked
        scope: Scope,  # noqa: ARG002 - the protocol's signature
        context: Sequence[Passage],  # noqa: ARG002 - the protocol's signature
        *,
        case_id: str,
        repetition: int,
    ) -> Generation:
        """The recorded answer, or a failure of kind ``missing``."""
        found = self._answers.get((case_id, repetition))
        if found is None:
            message = (
                f"{self._label} has no answer for {case_id}, repetition {repetition}; add a line or ask less often"
            )
            return Generation(answer=None, failure=Failure(stage="generate", kind=FailureKind.MISSING, message=message))
        return Generation(answer=found.answer, context=found.context, retrieved=found.retrieved)


def _content(passages: tuple[Passage, ...] | None) -> object:
    return None if passages is None else [passage.content() for passage in passages]
