"""Runs, kept: append-only observations, gate reports, verdicts and decisions."""

from typing import TYPE_CHECKING

from primum.store.redact import redact_arguments, redact_manifest, redact_settings, secrets_in
from primum.store.run_id import new_run_id
from primum.store.secrecy import is_secret_name, redact_text

if TYPE_CHECKING:
    from primum.store.sqlite import SqliteStore

__all__ = [
    "SqliteStore",
    "is_secret_name",
    "new_run_id",
    "redact_arguments",
    "redact_manifest",
    "redact_settings",
    "redact_text",
    "secrets_in",
]


def __getattr__(name: str) -> object:
    # The database library is loaded when a store is first used.
    if name != "SqliteStore":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from primum.store.sqlite import SqliteStore

    return SqliteStore
