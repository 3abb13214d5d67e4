"""The file of a store: how it is opened, made whole in one step, and what is left of one that was not finished."""

import os
import sqlite3
import tempfile
import time
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from urllib.parse import quote

from sqlalchemy import Engine, create_engine, event, insert
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

import primum
from primum.errors import StoreError
from primum.private_files import make_folder
from primum.store import tables
from primum.store.border import mapped
from primum.store.triggers import triggers

APPLICATION_ID: Final = 0x5052494D
"""``PRIM``, the mark by which a file says that it is a Primum store."""

UNFINISHED: Final = ".new-store-"
"""How the name of a store begins while it is made."""

_LEFT_BEHIND_SECONDS: Final = 3600


def writing_engine(path: Path, wait: float) -> Engine:
    """An engine that reads and writes the file, waiting up to `wait` seconds for another process that writes."""
    return _engine(URL.create("sqlite+pysqlite", database=str(path)), wait)


def reading_engine(path: Path, wait: float) -> Engine:
    """An engine that only reads, also where nothing may be written.

    Beside a store SQLite keeps two helper files. Where it may not make them, a store that was closed is read as a file
    that nobody changes; a process of another user that begins to write to it meanwhile is not noticed.

    Raises:
        StoreError: It cannot be opened without losing what is only in the file of the last writes.
    """
    engine = _engine(_read_only(path), wait)
    try:
        with engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA application_id").all()
    except DBAPIError as error:
        if not str(getattr(error.orig, "sqlite_errorname", "")).startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY")):
            return engine  # whoever reads on is told what is wrong
    else:
        return engine
    engine.dispose()
    pending = Path(f"{path}-wal")
    if pending.exists() and pending.stat().st_size:
        raise StoreError(
            f"{path}: its folder is read-only, and the last writes are still in {pending.name}; "
            "copy both to where you may write, and open them there"
        )
    return _engine(_read_only(path, immutable="1"), wait)


def _read_only(path: Path, **query: str) -> URL:
    name = quote(os.fsencode(path.absolute()))
    return URL.create("sqlite+pysqlite", database=f"file:{name}", query={"uri": "true", "mode": "ro", **query})


def _engine(url: URL, wait: float) -> Engine:
    engine = create_engine(url, connect_args={"timeout": wait}, hide_parameters=True)

    @event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _record: object) -> None:  # pyright: ignore[reportUnusedFunction] - called by the engine
        # The file may come from somewhere else: no functions from its schema, and damage is to be noticed.
        for pragma in ("trusted_schema=OFF", "cell_size_check=ON", "foreign_keys=ON", "recursive_triggers=ON"):
            connection.execute(f"PRAGMA {pragma}")
        connection.execute("PRAGMA synchronous=NORMAL")

    return engine


def create_store(path: Path) -> None:
    """Makes an empty store beside `path` and moves it there in one step, so that no half-made one is ever seen."""
    try:
        make_folder(path.parent)
        handle, name = tempfile.mkstemp(prefix=UNFINISHED, dir=path.parent)
        os.close(handle)
    except OSError as error:
        raise StoreError(
            f"{path}: the store cannot be made ({error.strerror}); choose a folder you may write"
        ) from None
    fresh = Path(name)
    try:
        engine = writing_engine(fresh, 30.0)
        try:
            with mapped(str(path)):
                _lay_out(engine)
        finally:
            engine.dispose()
        with suppress(FileExistsError):  # another process was first; its store is as good
            os.link(fresh, path)
    except OSError as error:
        raise StoreError(f"{path}: the store cannot be made ({error.strerror}); choose another folder") from None
    finally:
        for leftover in (fresh, Path(f"{name}-wal"), Path(f"{name}-shm")):
            leftover.unlink(missing_ok=True)


def _lay_out(engine: Engine) -> None:
    with engine.begin() as connection:
        tables.metadata.create_all(connection)
        for trigger in triggers():
            connection.exec_driver_sql(trigger)
        made = {
            "version": tables.FORMAT,
            "created_at": datetime.now(UTC).isoformat(timespec="seconds"),
            "primum_version": primum.__version__,
        }
        connection.execute(insert(tables.formats), made)
        connection.exec_driver_sql(f"PRAGMA application_id={APPLICATION_ID}")
    with engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA journal_mode=WAL")


def sweep(folder: Path) -> None:
    """Removes what processes that were killed while they made a store have left in `folder`; young files stay."""
    for leftover in folder.glob(f"{UNFINISHED}*"):
        with suppress(OSError):  # to be tidy is no reason to fail
            if time.time() - leftover.lstat().st_mtime > _LEFT_BEHIND_SECONDS:
                leftover.unlink()
