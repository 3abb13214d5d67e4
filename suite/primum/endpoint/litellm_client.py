"""The one module that imports litellm: sends single requests and maps its errors to ours.

litellm is imported when the first request is sent. Its own retries, telemetry and notices are off; its price map is
the one in the package, never fetched.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# (litellm's functions are partly untyped; what leaves this module is typed.)

import asyncio
import contextlib
import json
import logging
import os
import warnings
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from decimal import Decimal
from functools import cache
from types import ModuleType
from typing import Any, Final
from weakref import WeakKeyDictionary

from primum.endpoint.embedding_reply import EmbeddingReply
from primum.endpoint.faults import RejectedError
from primum.endpoint.litellm_errors import mapped
from primum.endpoint.local_model import is_local, require_installed
from primum.endpoint.records import Endpoint
from primum.endpoint.reply import Reply, ToolCall
from primum.errors import AuthenticationError, EndpointTimeoutError, MalformedReplyError, MissingDependencyError
from primum.records import FailureKind, Usage

_NO_KEY: Final = "no-key"
"""Sent where a client insists on a key and none is configured, so that no key of the environment goes to api_base."""

_closers: WeakKeyDictionary[asyncio.AbstractEventLoop, AsyncGenerator[None]] = WeakKeyDictionary()


def completion_function(endpoint: Endpoint) -> Callable[..., Awaitable[Any]]:
    """A coroutine function that sends exactly one chat request to `endpoint` and gives litellm's response.

    It takes what litellm's ``acompletion`` takes (messages, tools, response_format); model, address, key, deadline and
    parameters are the endpoint's.

    Raises (when called):
        EndpointError: one of its kinds, without any text of the provider.
    """

    async def send(**arguments: Any) -> Any:
        litellm = _litellm(offline=endpoint.offline)
        if is_local(endpoint.model):
            _register_local(litellm, endpoint.model)
        await _close_with_loop(litellm)
        asked = {**endpoint.parameters, **arguments, **_connection(endpoint)}
        return await _one_request(endpoint, lambda: litellm.acompletion(**asked))

    return send


async def send_embedding(endpoint: Endpoint, texts: Sequence[str]) -> EmbeddingReply:
    """Sends one embedding request; raises EndpointError kinds as `completion_function` does."""
    litellm = _litellm(offline=endpoint.offline)
    await _close_with_loop(litellm)
    asked = {**endpoint.parameters, **_connection(endpoint), "input": list(texts)}
    response = await _one_request(endpoint, lambda: litellm.aembedding(**asked))
    rows = response.data if isinstance(response.data, list) else []
    try:
        found = {int(row["index"]): tuple(float(x) for x in row["embedding"]) for row in rows}
    except (KeyError, TypeError, ValueError):
        raise MalformedReplyError("the endpoint's embeddings are not lists of numbers with an index") from None
    if len(rows) != len(texts) or sorted(found) != list(range(len(texts))):
        raise MalformedReplyError(f"{len(texts)} texts were sent and {len(rows)} embeddings came back")
    return EmbeddingReply(
        vectors=tuple(found[index] for index in range(len(texts))),
        model=_text(response.model),
        usage=_usage(response),
        cost_usd=_cost(response),
    )


def read_reply(response: Any) -> Reply:
    """A litellm chat response in our own words.

    Raises:
        MalformedReplyError: the response has no choice.
    """
    if not getattr(response, "choices", None):
        raise MalformedReplyError("the reply has no choices")
    choice = response.choices[0]
    message = choice.message
    calls = tuple(
        ToolCall(name=str(call.function.name or ""), arguments=_json_text(call.function.arguments))
        for call in (getattr(message, "tool_calls", None) or ())
    )
    content = message.content
    return Reply(
        text=content if isinstance(content, str) else None,
        tool_calls=calls,
        refusal=_text(getattr(message, "refusal", None)),
        finish_reason=_text(choice.finish_reason),
        model=_text(_hidden(response).get("provider_response_model")) or _text(getattr(response, "model", None)),
        fingerprint=_text(getattr(response, "system_fingerprint", None)),
        usage=_usage(response),
        cost_usd=_cost(response),
    )


def _connection(endpoint: Endpoint) -> dict[str, Any]:
    given: dict[str, Any] = {
        "model": endpoint.model,
        "timeout": endpoint.timeout_seconds,
        "max_retries": 0,
        "num_retries": 0,
    }
    if endpoint.api_base is not None:
        given |= {"api_base": endpoint.api_base, "api_key": _NO_KEY}
    if endpoint.api_key_env is not None:
        key = os.environ.get(endpoint.api_key_env, "").strip()
        if not key:
            raise AuthenticationError(
                f"the environment variable {endpoint.api_key_env} is not set; it must hold the key for {endpoint.model}"
            )
        given["api_key"] = key
    return given


async def _one_request(endpoint: Endpoint, send: Callable[[], Awaitable[Any]]) -> Any:
    # litellm builds its types when they are first used, in the middle of a call, and pydantic warns of some of them.
    warnings.filterwarnings("ignore", message=r"Items? .* `ReadOnly` qualifier", category=UserWarning)
    try:
        # litellm's timeout is per read: a reply that drips in would outlast it.
        async with asyncio.timeout(endpoint.timeout_seconds):
            return await send()
    except TimeoutError:
        raise EndpointTimeoutError(
            f"no complete reply from {endpoint.model} within {endpoint.timeout_seconds:g} s"
        ) from None
    except Exception as error:  # noqa: BLE001 - the border: whatever a provider's client raises becomes one of ours
        # `from None`: the provider's text can quote the prompt or the key.
        raise mapped(error, endpoint) from None


def _register_local(litellm: ModuleType, model: str) -> None:
    try:
        require_installed(model)
    except MissingDependencyError as error:
        raise RejectedError(str(error), kind=FailureKind.EXCEPTION) from None
    from primum.endpoint.litellm_local import register

    register(litellm)


@cache
def _litellm(*, offline: bool) -> ModuleType:
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    if offline:
        os.environ["LITELLM_OFFLINE_MODE"] = "true"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import litellm
    if isinstance(getattr(litellm, "telemetry", None), bool):  # a switch in older releases, a package in newer ones
        setattr(litellm, "telemetry", False)  # noqa: B010 - the attribute is not in every release
    litellm.suppress_debug_info = True
    litellm.turn_off_message_logging = True
    litellm.num_retries = None
    setattr(litellm, "DEFAULT_MAX_RETRIES", 0)  # noqa: B010 - untyped; embeddings take it when max_retries is 0
    # Its loggers write prompts at debug level and provider texts at error level, to handlers of their own.
    for name in ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    # The client below it writes whole requests at debug level.
    logging.getLogger("openai").setLevel(logging.INFO)
    return litellm


async def _close_with_loop(litellm: ModuleType) -> None:
    """Has litellm's connections of the running loop closed when that loop ends.

    litellm keeps them open for reuse and leaves them to the garbage collector. ``asyncio.run`` closes the async
    generators that were started in its loop, so one that closes the connections is started here.
    """
    loop = asyncio.get_running_loop()
    if loop not in _closers:
        closer = _closers[loop] = _closer(litellm)
        await anext(closer)


async def _closer(litellm: ModuleType) -> AsyncGenerator[None]:
    try:
        yield
    finally:
        clients = litellm.in_memory_llm_clients_cache
        ending = clients.update_cache_key_with_event_loop("")  # what the keys of this loop's clients end with
        for key in [key for key in clients.cache_dict if ending and key.endswith(ending)]:
            client = clients.cache_dict.pop(key)
            close = getattr(client, "close", None) or getattr(client, "aclose", None)
            # The loop is ending: a connection that cannot be closed properly is gone with it.
            with contextlib.suppress(Exception):
                closed = close() if close is not None else None
                if isinstance(closed, Awaitable):
                    await closed


def _json_text(arguments: object) -> str:
    """Arguments of a tool as text; some servers send an object where the protocol has a string."""
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _hidden(response: Any) -> Mapping[str, Any]:
    hidden = getattr(response, "_hidden_params", None)
    return hidden if isinstance(hidden, dict) else {}


def _usage(response: Any) -> Usage | None:
    usage = getattr(response, "usage", None)
    prompt, completion = getattr(usage, "prompt_tokens", None), getattr(usage, "completion_tokens", None)
    if not isinstance(prompt, int) or prompt < 0:
        return None
    return Usage(prompt_tokens=prompt, completion_tokens=completion if isinstance(completion, int) else 0)


def _cost(response: Any) -> Decimal | None:
    # litellm leaves the price out, or says 0, when it does not know the model.
    cost = _hidden(response).get("response_cost")
    return Decimal(str(cost)) if isinstance(cost, float) and cost > 0 else None
