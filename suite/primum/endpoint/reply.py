"""One reply of a chat model in our own words, and what is wrong with it."""

from dataclasses import dataclass
from decimal import Decimal

from primum.endpoint.faults import RejectedError
from primum.endpoint.models import same_model
from primum.endpoint.records import Endpoint
from primum.errors import MalformedReplyError
from primum.records import FailureKind, Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A call of a tool that the model asks for."""

    name: str
    arguments: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What one request brought back."""

    text: str | None
    tool_calls: tuple[ToolCall, ...] = ()
    refusal: str | None = None
    finish_reason: str | None = None
    model: str | None = None
    """As the endpoint names it; None when it names none."""
    fingerprint: str | None = None
    usage: Usage | None = None
    cost_usd: Decimal | None = None

    @property
    def raw(self) -> str | None:
        """The words of the model: its text, else the arguments of its tool calls, else its refusal."""
        if self.text:
            return self.text
        if self.tool_calls:
            return "\n".join(call.arguments for call in self.tool_calls)
        return self.refusal if self.refusal is not None else self.text


def inspect(reply: Reply, endpoint: Endpoint) -> None:
    """Raises when the reply cannot be used, whatever was asked; the order is the order of what explains most.

    Raises:
        RejectedError: another model answered, the provider filtered or refused, or the reply was cut off.
        MalformedReplyError: the reply is empty.
    """
    if reply.model is not None and not same_model(endpoint.model, reply.model, endpoint.accepted_models):
        raise RejectedError(
            f"{endpoint.model} was asked and {reply.model[:100]!r} answered; if that is the same model under another "
            "name, list the name under accepted_models",
            kind=FailureKind.WRONG_MODEL,
        )
    if reply.finish_reason == "content_filter":
        raise RejectedError("the provider's content filter stopped the reply", kind=FailureKind.CONTENT_FILTER)
    if reply.refusal:
        raise RejectedError("the provider refused to answer", kind=FailureKind.REFUSED_BY_PROVIDER)
    if reply.finish_reason == "length":
        raise RejectedError(
            "the reply was cut off at the token limit; raise max_tokens in the model's parameters",
            kind=FailureKind.TRUNCATED,
        )
    if not (reply.text or "").strip() and not reply.tool_calls:
        raise MalformedReplyError("the reply is empty")
