"""Answers by a chat model."""

from collections.abc import Sequence

from primum.digest import digest
from primum.endpoint import Endpoint, complete
from primum.errors import AuthenticationError
from primum.generation.prompt import PROMPT_HASH, VERSION, answer_prompt
from primum.records import Answer, FailureKind, Generation, Passage, Scope


class ChatGenerator:
    """Asks a chat model to answer from the passages; trouble with the model is a failure, as a value.

    Args:
        endpoint: Which model and how.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint

    @property
    def fingerprint(self) -> str:
        """Model, address, parameters and prompt: what can change an answer. Keys and timeouts are no part of it."""
        identity = {
            "model": self._endpoint.model,
            "api_base": self._endpoint.api_base,
            "parameters": dict(self._endpoint.parameters),
            "prompt": PROMPT_HASH,
        }
        return f"chat:{self._endpoint.model}:prompt-{VERSION}:{digest(identity)}"

    async def generate(
        self,
        question: str,
        scope: Scope,  # noqa: ARG002 - retrieval has kept to the scope; the model is told no patient's number
        context: Sequence[Passage],
        *,
        case_id: str,  # noqa: ARG002 - a model is asked afresh each time
        repetition: int,  # noqa: ARG002 - the protocol's signature
    ) -> Generation:
        """The model's answer, to the letter, or the failure that kept it from answering.

        Raises:
            AuthenticationError: The key was refused, so asking on cannot help.
        """
        completion = await complete(self._endpoint, answer_prompt(question, context))
        failure = completion.failure
        if failure is not None and failure.kind is FailureKind.AUTHENTICATION:
            raise AuthenticationError(failure.message)
        answer = None if completion.text is None else Answer(text=completion.text)
        return Generation(answer=answer, call=completion.call, failure=failure)
