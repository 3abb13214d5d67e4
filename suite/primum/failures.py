"""Turns an exception into a stored failure; the message names the kind of trouble and never the patient."""

import traceback
from pathlib import Path

from primum.errors import (
    AuthenticationError,
    ContradictoryReplyError,
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
    (ContradictoryReplyError, FailureKind.CONTRADICTORY),
    (MalformedReplyError, FailureKind.MALFORMED),
    (UnavailableError, FailureKind.UNAVAILABLE),
)


def failure_of(error: Exception, stage: str) -> Failure:
    """The failure that `error` is.

    Messages of our own errors are kept. Of foreign ones only type and place are: they may quote what they were given.
    """
    kind = next((kind for type_, kind in _KINDS if isinstance(error, type_)), FailureKind.EXCEPTION)
    message = str(error) if isinstance(error, PrimumError) else f"{type(error).__name__} was raised{_place(error)}"
    return Failure(stage=stage, kind=kind, message=message)


def _place(error: Exception) -> str:
    """File and line of the innermost frame, without the folders."""
    frames = traceback.extract_tb(error.__traceback__)
    return f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
