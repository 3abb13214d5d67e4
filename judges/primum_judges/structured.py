"""Asks a model for a reply of a given structure; the one module that imports instructor.

One attempt is one request. A reply that does not fit is thrown away and asked for again with the same prompt, never
mended and never searched for something that looks like a verdict.
"""

import json
import logging
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any, Final, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from primum.endpoint import Endpoint
from primum.endpoint.calls import CallLog, attempt
from primum.endpoint.chat import length_failure
from primum.endpoint.faults import TRANSIENT
from primum.endpoint.reply import Reply, inspect
from primum.errors import EndpointError, MalformedReplyError
from primum.records import Failure, FailureKind, ModelCall
from primum_judges.prompt import Prompt

Mode = Literal["tools", "json_schema", "json"]
"""How an endpoint takes a schema. ``json`` adds the schema to the system message; the others leave the prompt alone."""

_AGAIN: Final = TRANSIENT | {FailureKind.MALFORMED, FailureKind.CONTRADICTORY}
_PLAIN: Final = re.compile(r"[a-z_]{1,40}")


class StrictReply(BaseModel):
    """Base of reply structures: no unknown field, no conversion from another type."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


T = TypeVar("T", bound=BaseModel)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked(Generic[T]):
    """What came of asking: a value or a failure, and how it went."""

    call: ModelCall
    value: T | None = None
    failure: Failure | None = None


async def ask(
    endpoint: Endpoint, prompt: Prompt, structure: type[T], *, mode: Mode, check: Callable[[T], None]
) -> Asked[T]:
    """Asks until a reply fits `structure` and `check`, at most `Endpoint.attempts` times in all.

    Transport faults and replies that do not fit are asked for again. A truncated, filtered or refused reply, another
    model answering, and a prompt that is too long are not.

    Args:
        endpoint: Which model and how.
        prompt: The prompt; it must have a system message.
        structure: A `StrictReply`.
        mode: How the endpoint takes a schema.
        check: Raises MalformedReplyError for a reply that fits the schema and yet cannot be used.
    """
    log = CallLog(endpoint=endpoint, stage="judge", prompt_hash=prompt.hash)
    too_long = length_failure(endpoint, prompt.messages, stage="judge")
    if too_long is not None:
        return Asked(call=log.call(), failure=too_long)

    async def once() -> T:
        value = await _one_request(endpoint, prompt, structure, mode, log)
        check(value)
        return value

    result = await attempt(log, once, again=_AGAIN)
    if isinstance(result, Failure):
        return Asked(call=log.call(), failure=result)
    return Asked(call=log.call(), value=result)


async def _one_request(endpoint: Endpoint, prompt: Prompt, structure: type[T], mode: Mode, log: CallLog) -> T:
    from primum.endpoint.litellm_client import completion_function, read_reply

    instructor = _instructor()
    send = completion_function(endpoint)
    refused: list[EndpointError] = []

    async def sent(**arguments: Any) -> Any:
        try:
            response = await send(**arguments)
            reply = read_reply(response)
            log.replies.append(reply)
            inspect(reply, endpoint)
            _only_the_structure(reply, arguments)
        except EndpointError as error:
            refused.append(error)  # instructor wraps what is raised here, prompt and all
            raise
        return response

    client = instructor.from_litellm(sent, mode=getattr(instructor.Mode, mode.upper()), async_client=True)
    messages = [{"role": message.role, "content": message.content} for message in prompt.messages]
    try:
        # max_retries=0 is one request. Without a context, instructor expands no template in the messages.
        value = await client.chat.completions.create(
            model=endpoint.model, messages=messages, response_model=structure, max_retries=0
        )
    except Exception as error:  # noqa: BLE001 - fail closed: whatever cannot be read is not a verdict
        if refused:
            raise refused[0] from None
        raise MalformedReplyError(f"the reply does not fit the structure{_where(error)}") from None
    if not isinstance(value, structure):
        raise MalformedReplyError("the reply does not fit the structure")
    return value


def _only_the_structure(reply: Reply, arguments: Mapping[str, Any]) -> None:
    """Raises unless the reply is one JSON object in the place that was asked for, and nothing else."""
    tools = arguments.get("tools")
    if tools:
        name = tools[0]["function"]["name"]
        if [call.name for call in reply.tool_calls] != [name]:
            raise MalformedReplyError(f"the model called {len(reply.tool_calls)} tools instead of the one it was given")
        text = reply.tool_calls[0].arguments
    else:
        text = reply.text or ""
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise MalformedReplyError("the reply is not one JSON object with each key once, and nothing else") from None
    if not isinstance(value, dict):
        raise MalformedReplyError("the reply is JSON, but no object")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not JSON")


def _where(error: BaseException) -> str:
    """Where a schema is violated, without any text of the reply."""
    cause = error if isinstance(error, ValidationError) else error.__cause__
    if not isinstance(cause, ValidationError):
        return ""
    first = cause.errors(include_url=False, include_context=False, include_input=False)[0]
    parts = (str(part) for part in first["loc"])
    place = ".".join(part if part.isdecimal() or _PLAIN.fullmatch(part) else "?" for part in parts)
    return f": {first['type']} at {place}" if place else f": {first['type']}"


@cache
def _instructor() -> ModuleType:
    import instructor

    # It logs failed replies, which hold what the answer and the passages say.
    logging.getLogger("instructor").setLevel(logging.CRITICAL + 1)
    return instructor
