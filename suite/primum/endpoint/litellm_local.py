"""Local models as a provider of litellm, so that they are asked in the way of all others.

litellm is handed in by `litellm_client`, the one module that imports it.
"""

import asyncio
import threading
from collections.abc import Mapping
from functools import partial
from types import ModuleType
from typing import Any

from primum.endpoint.local_model import PROVIDER, PromptTooLongError, loaded, weights_of


def register(litellm: ModuleType) -> None:
    """Makes litellm know the provider; again and again does no harm."""
    if any(item["provider"] == PROVIDER for item in litellm.custom_provider_map):
        return
    handler = litellm.CustomLLM()
    handler.acompletion = partial(_answer, litellm)
    litellm.custom_provider_map.append({"provider": PROVIDER, "custom_handler": handler})


async def _answer(litellm: ModuleType, **given: Any) -> Any:
    """One reply, as litellm wants it of a provider."""
    name, asked = given["model"], given["optional_params"]
    model = f"{PROVIDER}/{name}"
    tool = _tool(asked)
    stop = threading.Event()
    try:
        # Loading takes a moment too.
        completion = await asyncio.to_thread(
            lambda: loaded(model).reply(given["messages"], asked, schema_of(asked), stop)
        )
    except PromptTooLongError:
        raise litellm.ContextWindowExceededError("the prompt is too long", name, PROVIDER) from None
    finally:
        stop.set()  # a caller whose deadline is over has left; the thread must end too
    choice = completion["choices"][0]
    return litellm.ModelResponse(
        model=name,
        choices=[
            {
                "index": 0,
                "finish_reason": choice["finish_reason"],
                "message": _message(choice["message"]["content"], tool),
            }
        ],
        usage=completion["usage"],
        system_fingerprint=weights_of(model).sha256[:16],
    )


def _tool(asked: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The function that the model is made to call."""
    tools = asked.get("tools")
    return tools[0]["function"] if tools else None


def _message(text: str, tool: Mapping[str, Any] | None) -> Mapping[str, Any]:
    if tool is None:
        return {"role": "assistant", "content": text}
    call = {"id": "call_0", "type": "function", "function": {"name": tool["name"], "arguments": text}}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def schema_of(asked: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The JSON Schema of the reply; llama.cpp takes it in one way, and OpenAI's protocol gives it in three."""
    tool = _tool(asked)
    wanted: Mapping[str, Any] = asked.get("response_format") or {}
    schema: Mapping[str, Any] | None = None
    if tool is not None:
        schema = tool["parameters"]
    elif wanted.get("type") == "json_schema":
        schema = wanted["json_schema"]["schema"]
    elif wanted.get("type") == "json_object":
        schema = {"type": "object"}
    return schema
