"""What is asked of a model endpoint and what comes back."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, Self

from pydantic import Field, JsonValue, model_validator

from primum.digest import digest
from primum.records import Failure, ModelCall, Record

_OURS = frozenset(
    {
        "model", "messages", "timeout", "max_retries", "num_retries", "api_key", "api_base", "base_url", "stream",
        "fallbacks", "mock_response", "caching", "cache", "tools", "tool_choice", "response_format", "n",
    }
)  # fmt: skip

_SECRET: Final = re.compile(r"auth|key|token|secret|cookie|password", re.IGNORECASE)


class Endpoint(Record):
    """One model behind one address, and how to ask it."""

    model: str = Field(min_length=1)
    """The model as litellm names it, provider first, such as ``openai/my-model`` or ``anthropic/my-model``."""
    api_base: str | None = None
    """Base URL of an OpenAI-compatible server; None for the provider's own."""
    api_key_env: str | None = None
    """Name of the environment variable that holds the key. The key is read when a call is made and kept nowhere.

    With an `api_base` and no name, no key is sent. Without both, litellm reads the provider's usual variable.
    """
    timeout_seconds: float = Field(default=60, gt=0)
    """Deadline of one request, from the first byte sent to the last byte received."""
    parameters: Mapping[str, JsonValue] = {}
    """Sampling parameters, such as temperature or seed; only what stands here is sent, as some models refuse some."""
    attempts: int = Field(default=3, ge=1)
    """Requests per call in total, counting retries and, for judges, re-asks."""
    backoff_seconds: float = Field(default=0.5, ge=0)
    """Pause before the second request; it doubles each time, with jitter."""
    max_wait_seconds: float = Field(default=60, ge=0)
    """Longest pause between two requests; an endpoint that asks for a longer one ends the call."""
    max_prompt_characters: int = Field(default=400_000, ge=1)
    """A longer prompt is not sent: it is a failure of kind ``too_long``."""
    accepted_models: tuple[str, ...] = ()
    """Further names under which the endpoint may answer, such as those behind a deployment or an alias."""
    offline: bool = False
    """Whether litellm is told to fetch nothing by itself; only the first call of a process can say so."""

    @model_validator(mode="after")
    def _parameters_are_free(self) -> Self:
        taken = sorted(_OURS.intersection(self.parameters))
        if taken:
            raise ValueError(f"parameters must not contain {', '.join(taken)}: Primum sets these itself")
        for name in ("headers", "extra_headers", "default_headers"):
            headers = self.parameters.get(name)
            if isinstance(headers, Mapping) and any(_SECRET.search(header) for header in headers):
                raise ValueError(
                    f"parameters.{name} holds a key, and parameters are stored; name its variable in api_key_env"
                )
        return self

    @model_validator(mode="after")
    def _api_base_is_an_address(self) -> Self:
        if self.api_base is not None and not re.match(r"https?://[^@/\s]+(?:/|$)", self.api_base):
            raise ValueError("api_base must be an http or https address without a user name or key in it")
        return self


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message of a prompt."""

    role: Literal["system", "user", "assistant"]
    content: str


class Completion(Record):
    """What came of one call: a text or a failure, and how it went."""

    call: ModelCall
    text: str | None = None
    failure: Failure | None = None

    @model_validator(mode="after")
    def _text_or_failure(self) -> Self:
        if (self.text is None) == (self.failure is None):
            raise ValueError("a completion has either a text or a failure")
        return self


def prompt_hash(messages: Sequence[Message], *, without: str | None = None) -> str:
    """SHA-256 of the messages; `without` is a nonce that is left out, so that equal prompts have equal hashes."""
    parts = [
        {"role": message.role, "content": message.content if without is None else message.content.replace(without, "")}
        for message in messages
    ]
    return digest(parts)
