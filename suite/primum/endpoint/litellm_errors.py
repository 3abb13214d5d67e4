"""Maps what litellm raises to Primum's errors, by the HTTP status and by what lies beneath.

litellm gives a status even where no server answered: a refused port is its "HTTP 500". What happened on the wire shows
in the chain of causes, which is alike for all providers.
"""

import re
from collections.abc import Iterator
from typing import Final

from primum.endpoint.faults import RejectedError
from primum.endpoint.records import Endpoint
from primum.endpoint.retry import retry_after_seconds
from primum.errors import (
    AuthenticationError,
    EndpointError,
    EndpointTimeoutError,
    MalformedReplyError,
    RateLimitError,
    UnavailableError,
)
from primum.records import FailureKind

_CODE: Final = re.compile(r"[a-z][a-z0-9_.]{0,49}")
# Errors of code that takes a reply apart.
_UNREADABLE: Final = frozenset(
    {"ValueError", "TypeError", "LookupError", "AttributeError", "APIResponseValidationError"}
)


def mapped(error: Exception, endpoint: Endpoint) -> EndpointError:
    """The EndpointError for an exception of litellm, without the provider's text, which can quote prompt or key."""
    if isinstance(error, EndpointError):
        return error
    names = {type_.__name__ for type_ in type(error).__mro__}
    model = endpoint.model
    if "ContextWindowExceededError" in names:
        return RejectedError(f"the prompt is longer than {model} can take", kind=FailureKind.TOO_LONG)
    if "ContentPolicyViolationError" in names:
        return RejectedError(f"the content filter of {model} refused the prompt", kind=FailureKind.CONTENT_FILTER)
    if "APITimeoutError" in names or "Timeout" in names:
        return EndpointTimeoutError(f"no complete reply from {model} within {endpoint.timeout_seconds:g} s")
    if getattr(error, "status_code", None) in (401, 403, 429):
        return _by_status(error, endpoint)
    return _without_a_status(error, model) or _by_status(error, endpoint)


def _without_a_status(error: Exception, model: str) -> EndpointError | None:
    """The error when no server said what is wrong: no connection, a broken one, or a reply that cannot be read."""
    beneath = {type_.__name__ for cause in _causes(error) for type_ in type(cause).__mro__}
    if "HTTPStatusError" in beneath:
        return None
    if "ConnectError" in beneath:
        return UnavailableError(f"{model} cannot be reached: no connection; check api_base and whether it runs")
    if "TransportError" in beneath:
        return UnavailableError(f"{model} cannot be reached: the connection broke off before the whole reply came")
    if beneath & _UNREADABLE:
        return MalformedReplyError(f"{model} sent a reply that its client cannot read")
    return None


def _by_status(error: Exception, endpoint: Endpoint) -> EndpointError:
    status = getattr(error, "status_code", None)
    model = endpoint.model
    retry_after = retry_after_seconds(_headers(error))
    if status in (401, 403):
        return AuthenticationError(f"{model} refused the key (HTTP {status}); check {_key_place(endpoint)}")
    if status == 429:
        return RateLimitError(f"{model} asked to slow down (HTTP 429)", retry_after=retry_after)
    if isinstance(status, int) and 400 <= status < 500:
        return RejectedError(
            f"{model} did not take the request (HTTP {status}{_codes(error)}); check model, api_base and parameters",
            kind=FailureKind.EXCEPTION,
        )
    if isinstance(status, int):
        return UnavailableError(f"{model} failed (HTTP {status})", retry_after=retry_after)
    return UnavailableError(f"{model} could not be asked ({type(error).__name__})")


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error and what it was raised from or during, outermost first."""
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        yield cause
        cause = cause.__cause__ or cause.__context__


def _headers(error: Exception) -> dict[str, str]:
    """The reply's headers; which attribute holds them depends on how litellm reaches the provider."""
    found: dict[str, str] = {}
    response = getattr(error, "response", None)
    for headers in (getattr(response, "headers", None), getattr(error, "litellm_response_headers", None)):
        if headers is not None:
            found.update({str(name): str(value) for name, value in headers.items()})
    return found


def _key_place(endpoint: Endpoint) -> str:
    if endpoint.api_key_env is not None:
        return f"the environment variable {endpoint.api_key_env}"
    return "that api_key_env names the environment variable with the key"


def _codes(error: Exception) -> str:
    """The provider's error code and the parameter it names, if they look like identifiers; never its prose."""
    found = (getattr(error, name, None) for name in ("code", "param"))
    known = [value for value in found if isinstance(value, str) and _CODE.fullmatch(value)]
    return "".join(f", {value}" for value in known)
