"""Plain chat completions."""

from collections.abc import Sequence

from primum.endpoint.calls import CallLog, attempt
from primum.endpoint.faults import TRANSIENT
from primum.endpoint.records import Completion, Endpoint, Message, prompt_hash
from primum.endpoint.reply import inspect
from primum.records import Failure, FailureKind


async def complete(endpoint: Endpoint, messages: Sequence[Message], *, stage: str = "generate") -> Completion:
    """Asks a chat model; trouble with it is a value, never an exception.

    Timeouts, rate limits and server errors are tried again, `Endpoint.attempts` requests in all. What the model itself
    did (an empty, refused, filtered or truncated reply, or another model answering) is not: it is what was observed.

    Args:
        endpoint: Which model and how.
        messages: The prompt.
        stage: The stage that a failure is stored under, such as generate or judge.
    """
    log = CallLog(endpoint=endpoint, stage=stage, prompt_hash=prompt_hash(messages))
    too_long = length_failure(endpoint, messages, stage=stage)
    if too_long is not None:
        return Completion(call=log.call(), failure=too_long)
    from primum.endpoint.litellm_client import completion_function, read_reply

    send = completion_function(endpoint)

    async def once() -> str:
        response = await send(messages=[{"role": message.role, "content": message.content} for message in messages])
        reply = read_reply(response)
        log.replies.append(reply)
        inspect(reply, endpoint)
        return reply.text or ""

    result = await attempt(log, once, again=TRANSIENT)
    if isinstance(result, Failure):
        return Completion(call=log.call(), failure=result)
    return Completion(call=log.call(), text=result)


def length_failure(endpoint: Endpoint, messages: Sequence[Message], *, stage: str) -> Failure | None:
    """The failure of a prompt that is too long to be sent; None when it is not."""
    characters = sum(len(message.content) for message in messages)
    if characters <= endpoint.max_prompt_characters:
        return None
    return Failure(
        stage=stage,
        kind=FailureKind.TOO_LONG,
        message=f"the prompt has {characters} characters and max_prompt_characters is "
        f"{endpoint.max_prompt_characters}; it was not sent",
    )
