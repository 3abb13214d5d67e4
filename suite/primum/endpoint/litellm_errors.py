"""Maps what litellm raises to Primum's errors. Its exceptions carry an HTTP status, so their types are not needed."""

import re
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


def mapped(error: Exception, endpoint: Endpoint) -> EndpointError:
    """The EndpointError for an exception of litellm, without the provider's text, which can quote prompt or key."""
    if isinstance(error, EndpointError):
        return error
    names = {type_.__name__ for type_ in type(error).__mro__}
    status = getattr(error, "status_code", None)
    model = endpoint.model
    if "ContextWindowExceededError" in names:
        return RejectedError(f"the prompt is longer than {model} can take", kind=FailureKind.TOO_LONG)
    if "ContentPolicyViolationError" in names:
        return RejectedError(f"the content filter of {model} refused the prompt", kind=FailureKind.CONTENT_FILTER)
    if "APITimeoutError" in names or "Timeout" in names:
        return EndpointTimeoutError(f"no complete reply from {model} within {endpoint.timeout_seconds:g} s")
    if status in (401, 403):
        return AuthenticationError(f"{model} refused the key (HTTP {status}); check {_key_place(endpoint)}")
    if status == 429:
        return RateLimitError(
            f"{model} asked to slow down (HTTP 429)", retry_after=retry_after_seconds(_headers(error))
        )
    if "APIResponseValidationError" in names or "JSONSchemaValidationError" in names:
        return MalformedReplyError(f"{model} sent a reply that its client cannot read")
    if isinstance(status, int) and 400 <= status < 500:
        return RejectedError(
            f"{model} did not take the request (HTTP {status}{_codes(error)}); check model, api_base and parameters",
            kind=FailureKind.EXCEPTION,
        )
    if isinstance(status, int):
        return UnavailableError(f"{model} cannot be reached or failed (HTTP {status})")
    return UnavailableError(f"{model} could not be asked ({type(error).__name__})")


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
