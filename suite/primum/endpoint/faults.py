"""Turns what went wrong at an endpoint into the failure kinds that are stored."""

from typing import Final

from primum import failures
from primum.errors import EndpointError
from primum.records import Failure, FailureKind

TRANSIENT: Final = frozenset({FailureKind.TIMEOUT, FailureKind.RATE_LIMITED, FailureKind.UNAVAILABLE})
"""Kinds that the same request may not meet again."""


class RejectedError(EndpointError):
    """The endpoint answered and the answer is no use; sending the same again is not expected to help."""

    def __init__(self, message: str, *, kind: FailureKind) -> None:
        super().__init__(message)
        self.kind = kind
        """Too long, content filter, refusal, truncation, another model, or a request that it does not take."""


def failure_of(error: EndpointError, *, stage: str) -> Failure:
    """The failure to store for an endpoint's error."""
    if isinstance(error, RejectedError):
        return Failure(stage=stage, kind=error.kind, message=str(error))
    return failures.failure_of(error, stage)
