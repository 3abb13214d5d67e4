"""The exceptions that Primum raises.

    PrimumError                 anything below; `exit_code` says how a command ends
    ├── UsageError              2   what the caller asked for cannot be done as asked
    │   ├── ConfigError         2   primum.yaml is wrong, with the place
    │   ├── DatasetError        2   cases, documents or recorded answers are wrong, with the place
    │   ├── RankingError        2   a ranking or judgment that cannot be scored (not a miss)
    │   ├── IndexMismatchError  2   the vector index does not hold what it should
    │   └── MissingDependencyError 2  an optional package is not installed
    ├── ScopeLeakError          1   our own search returned what its filter forbids; blocks a release
    ├── EndpointError           3   a model, embedding or retrieval endpoint did not do its part
    │   ├── AuthenticationError 3   the key was refused; stops the run at once
    │   ├── RateLimitError      3
    │   ├── EndpointTimeoutError 3
    │   ├── UnavailableError    3   connection refused, reset, 5xx
    │   └── MalformedReplyError 3   a reply that is not what was asked for
    │       └── ContradictoryReplyError 3  of the right form, and it contradicts itself
    └── StoreError              3   the store cannot be read or written

Errors of other libraries are mapped to these where they enter, so callers never catch foreign types.
"""

from pathlib import Path
from typing import ClassVar


class PrimumError(Exception):
    """Base of every error that Primum raises on purpose; the message says what to do next."""

    exit_code: ClassVar[int] = 2


class UsageError(PrimumError):
    """What the caller asked for cannot be done as asked."""


class ConfigError(UsageError):
    """A configuration file is wrong."""


class DatasetError(UsageError):
    """Cases, documents, labels or recorded answers are wrong."""


class RankingError(UsageError):
    """A ranking or a set of judgments cannot be scored; distinct from a ranking that scores 0."""

    def __init__(self, message: str, *, code: str) -> None:
        super().__init__(message)
        self.code = code
        """Stable name of the mistake, such as ``duplicate_id``."""


class IndexMismatchError(UsageError):
    """The vector index does not hold what the corpus and the configuration say it should."""


class MissingDependencyError(UsageError):
    """An optional package is needed and not installed."""


class ScopeLeakError(PrimumError):
    """A search returned a passage that its mandatory filter forbids, or one that is not as it was indexed.

    It is stored as the failure of the observation and blocks, whatever else holds.
    """

    exit_code: ClassVar[int] = 1


class EndpointError(PrimumError):
    """An endpoint did not do its part."""

    exit_code: ClassVar[int] = 3

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        """Seconds that the endpoint asked to wait, if it said so."""


class AuthenticationError(EndpointError):
    """The endpoint refused the key; trying again cannot help."""


class RateLimitError(EndpointError):
    """The endpoint asked to slow down."""


class EndpointTimeoutError(EndpointError):
    """No complete reply within the deadline."""


class UnavailableError(EndpointError):
    """Connection refused or reset, or a server error."""


class MalformedReplyError(EndpointError):
    """The reply is not what was asked for."""


class ContradictoryReplyError(MalformedReplyError):
    """The reply has the right form, and its parts cannot be true together."""


class StoreError(PrimumError):
    """The store cannot be read or written."""

    exit_code: ClassVar[int] = 3


def at(path: Path | str, line: int | None = None, column: int | None = None) -> str:
    """The place of a mistake as ``file:line:column``, the form that editors and CI make clickable."""
    return ":".join([str(path), *(str(part) for part in (line, column) if part is not None)])
