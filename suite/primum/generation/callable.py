"""Any Python function as a generator."""

import asyncio
import importlib
import inspect
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TypeAlias, cast

from primum.digest import sha256_text
from primum.errors import AuthenticationError, ConfigError
from primum.failures import failure_of
from primum.records import Answer, Failure, FailureKind, Generation, Passage, Scope

Reply: TypeAlias = str | Answer | Generation
Function: TypeAlias = Callable[[str, Scope, Sequence[Passage]], Reply | Awaitable[Reply]]
"""``function(question, scope, passages)``: the answer as text, or an Answer, or a whole Generation."""


class CallableGenerator:
    """Asks a Python function, plain or async. A plain one runs in a thread, so that it holds up nothing else.

    What the function raises becomes a failure, apart from AuthenticationError, which stops the run.

    Args:
        function: Called with question, scope and passages.
        name: What it is called in fingerprints and messages, such as ``module:function``.
    """

    def __init__(self, function: Function, name: str) -> None:
        self._function = function
        self._name = name

    @classmethod
    def from_path(cls, path: str, *, folder: Path | None = None) -> "CallableGenerator":
        """The generator behind ``module:function``.

        Args:
            path: Importable module and, after a colon, the name of the function in it; dots reach into classes.
            folder: Also searched for the module, after the usual places.

        Raises:
            ConfigError: There is no such module or function, or it is none.
        """
        module_name, _, function_name = path.partition(":")
        if folder is not None and str(folder) not in sys.path:
            sys.path.append(str(folder))
        try:
            found: object = importlib.import_module(module_name)
            for part in function_name.split("."):
                found = getattr(found, part)
        except ModuleNotFoundError as error:
            raise ConfigError(
                f"{path}: there is no module {error.name!r}; install it, or start where it can be imported"
            ) from error
        except (AttributeError, ValueError) as error:
            raise ConfigError(f"{path}: {module_name} has no {function_name!r}; write module:function") from error
        if not callable(found):
            raise ConfigError(f"{path}: is not a function; name one that takes question, scope and passages")
        return cls(cast("Function", found), path)

    @property
    def fingerprint(self) -> str:
        """The function's name and the digest of its module's source, where there is one."""
        try:
            source = inspect.getsource(inspect.getmodule(self._function) or type(self._function))
        except (OSError, TypeError):
            source = ""
        return f"callable:{self._name}:{sha256_text(source)}"

    async def generate(
        self,
        question: str,
        scope: Scope,
        context: Sequence[Passage],
        *,
        case_id: str,  # noqa: ARG002 - the function is asked like a user would ask it
        repetition: int,  # noqa: ARG002
    ) -> Generation:
        """What the function says; what it raises, and what is no answer, is a failure."""
        try:
            if inspect.iscoroutinefunction(self._function):
                reply = await self._function(question, scope, context)
            else:
                reply = await asyncio.to_thread(self._function, question, scope, context)
            if inspect.isawaitable(reply):
                reply = await reply
        except AuthenticationError:
            raise
        except Exception as error:  # noqa: BLE001 - the function may raise anything; it is counted, not lost
            return Generation(answer=None, failure=failure_of(error, "generate"))
        return self._generation(reply)

    def _generation(self, reply: object) -> Generation:
        if isinstance(reply, Generation):
            return reply
        if isinstance(reply, Answer):
            return Generation(answer=reply)
        if isinstance(reply, str):
            return Generation(answer=Answer(text=reply))
        message = f"{self._name} returned a {type(reply).__name__}; return a str, an Answer or a Generation"
        return Generation(answer=None, failure=Failure(stage="generate", kind=FailureKind.MALFORMED, message=message))
