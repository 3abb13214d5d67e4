"""Where errors of the database library become ours."""

from collections.abc import Generator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from primum.errors import StoreError

_NO_SPACE = (
    "space ran out: the disk is full, or a quota or a limit on the size of files was reached; "
    "what was stored before is kept. Free some space or raise the limit, then run again"
)
_ADVICE = (
    ("database is locked", "another process holds it for longer than the wait; let that one end, then run again"),
    ("SQLITE_FULL", _NO_SPACE),
    ("SQLITE_IOERR_WRITE", _NO_SPACE),
    ("SQLITE_IOERR_FSYNC", _NO_SPACE),
    ("SQLITE_IOERR_SHMSIZE", _NO_SPACE),
    ("readonly", "it is read-only; change the permissions of the file and its folder, or name another one"),
    ("unable to open", "it cannot be opened: it or its folder is missing, read-only for you, or not yours to read"),
    ("not a database", "it is not a Primum store; name another file"),
    ("malformed", "it is damaged or cut off; restore it from a copy, or name another file and run again"),
    ("disk I/O error", "the disk reports an error, or the file was cut off; restore it from a copy"),
    ("append-only", "stored rows are never changed or removed"),
)


@contextmanager
def mapped(place: str) -> Generator[None]:
    """Turns database errors into StoreError, without the statement's values, which may hold patient data."""
    try:
        yield
    except SQLAlchemyError as error:
        raise StoreError(f"{place}: {advice(error)}") from None
    except UnicodeEncodeError:
        raise StoreError(f"{place}: an id holds a lone surrogate; use ids of whole characters") from None


def advice(error: SQLAlchemyError) -> str:
    """What happened and what to do, in words for people."""
    said = str(getattr(error, "orig", None) or type(error).__name__)
    name = getattr(error.orig, "sqlite_errorname", "") if isinstance(error, DBAPIError) else ""
    for sign, words in _ADVICE:
        if sign in said or sign == name:
            return words
    return f"the database refused ({said.splitlines()[0]}); check the file, or name another one and run again"
