"""Any Python function as a generator."""

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TypeAlias

from pydantic import ValidationError

from primum.errors import AuthenticationError, MalformedReplyError
from primum.failures import failure_of
from primum.records import Answer, Generation, Passage, Scope
from primum.usercode import TIMEOUT_SECONDS, UserFunction, load_function, revalidated

Reply: TypeAlias = str | Answer | Generation
Function: TypeAlias = Callable[[str, Scope, Sequence[Passage]], Reply | Awaitable[Reply]]
"""``function(question, scope, passages)``: the answer as text, or an Answer, or a whole Generation."""


class CallableGenerator:
    """Asks a Python function, plain or async. A plain one runs in a thread, so that it holds up nothing else.

    Whatever the function raises becomes a failure, `SystemExit` included, and so does a reply that comes too late.
    AuthenticationError alone stops the run. An async function that blocks the event loop cannot be stopped, neither by
    the deadline nor by the first Ctrl-C, until it awaits again; let a function that blocks be a plain one.

    Args:
        function: Called with question, scope and passages.
        name: What it is called in fingerprints and messages, such as ``module:function``.
        timeout_seconds: Deadline of one answer, finite and above 0; no part of the fingerprint.

    Raises:
        ConfigError: `timeout_seconds` is no sensible limit.
    """

    def __init__(self, function: Function, name: str, *, timeout_seconds: float = TIMEOUT_SECONDS) -> None:
        self._function = UserFunction(function, name, timeout_seconds)

    @classmethod
    def from_path(
        cls, path: str, *, folder: Path | None = None, timeout_seconds: float = TIMEOUT_SECONDS
    ) -> "CallableGenerator":
        """The generator behind ``module:function``.

        Args:
            path: Importable module and, after a colon, the name of the function in it; dots reach into classes.
            folder: Also searched for the module, after the usual places.
            timeout_seconds: As for the class.

        Raises:
            ConfigError: There is no such module or function, it is none, or the module cannot be imported.
        """
        function = load_function(path, folder=folder, takes=("question", "scope", "passages"))
        return cls(function, path, timeout_seconds=timeout_seconds)

    @property
    def fingerprint(self) -> str:
        """The function's name and the digest of its module's source, where there is one."""
        return f"callable:{self._function.name}:{self._function.source_digest}"

    async def generate(
        self,
        question: str,
        scope: Scope,
        context: Sequence[Passage],
        *,
        case_id: str,  # noqa: ARG002 - the function is asked like a user would ask it
        repetition: int,  # noqa: ARG002 - the protocol's signature
    ) -> Generation:
        """What the function says; what it raises, and what is no answer, is a failure."""
        try:
            return await self._function.call(question, scope, context, finish=self._generation)
        except AuthenticationError:
            raise
        except Exception as error:  # noqa: BLE001 - the function may raise anything; it is counted, not lost
            return Generation(answer=None, failure=failure_of(error, "generate"))

    def _generation(self, reply: object) -> Generation:
        name = self._function.name
        if isinstance(reply, Generation):
            return revalidated(Generation, reply, name)
        if isinstance(reply, Answer):
            return Generation(answer=revalidated(Answer, reply, name))
        if not isinstance(reply, str):
            raise MalformedReplyError(
                f"{name} returned a {type(reply).__name__}; return a str, an Answer or a Generation"
            )
        try:
            return Generation(answer=Answer(text=reply))
        except ValidationError:  # its text would quote the reply
            raise MalformedReplyError(f"{name} returned a str that is no text; return whole characters") from None
