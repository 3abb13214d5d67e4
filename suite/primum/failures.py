"""Turns an exception into a stored failure; the message names the kind of trouble and never the patient."""

from primum.errors import (
    AuthenticationError,
    EndpointTimeoutError,
    MalformedReplyError,
    PrimumError,
    RateLimitError,
    ScopeLeakError,
    UnavailableError,
)
from primum.records import Failure, FailureKind

_KINDS: tuple[tuple[type[Exception], FailureKind], ...] = (
    (ScopeLeakError, FailureKind.SCOPE_LEAK),
    (AuthenticationError, FailureKind.AUTHENTICATION),
    (RateLimitError, FailureKind.RATE_LIMITED),
    (EndpointTimeoutError, FailureKind.TIMEOUT),
    (TimeoutError, FailureKind.TIMEOUT),
    (MalformedReplyError, FailureKind.MALFORMED),
    (UnavailableError, FailureKind.UNAVAILABLE),
)


def failure_of(error: Exception, stage: str) -> Failure:
    """The failure that `error` is.

    Messages of our own errors are kept. Of foreign ones only the type is: they may quote what they were given.
    """
    kind = next((kind for type_, kind in _KINDS if isinstance(error, type_)), FailureKind.EXCEPTION)
    message = str(error) if isinstance(error, PrimumError) else f"{type(error).__name__} was raised"
    return Failure(stage=stage, kind=kind, message=message)
