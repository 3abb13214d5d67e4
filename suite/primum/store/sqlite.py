"""A store in one SQLite file, readable while it is written, whole after a crash."""

import os
import sqlite3
import tempfile
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from sqlalchemy import Engine, create_engine, event, func, insert, select
from sqlalchemy.engine import URL

import primum
from primum.errors import StoreError
from primum.records.manifest import RunEnd, RunStatus
from primum.store import tables
from primum.store.border import mapped
from primum.store.sql import SqlStore
from primum.store.triggers import triggers

APPLICATION_ID: Final = 0x5052494D
"""``PRIM``, the mark by which a file says that it is a Primum store."""

CHECKED_WHOLE: Final = 64 * 1024 * 1024
"""Files up to this size, in bytes, are checked page by page when they are opened."""


class SqliteStore(SqlStore):
    """Keeps runs in one SQLite file (WAL).

    A record is safe from the death of the process once it was added. A power cut can take the last few records, whole;
    ending a run writes everything through to the disk. Rows carry their digest, which is checked at each reading.

    Args:
        path: The file; its folder is made, for the owner alone, when it is missing.
        create: Whether to make the file when it is missing.
        wait: Seconds to wait for another process that writes.

    Raises:
        StoreError: The file is missing, foreign, newer than this version, damaged or cut off.
    """

    def __init__(self, path: Path | str, *, create: bool = True, wait: float = 30.0) -> None:
        self.path = Path(path)
        if not self.path.exists():
            if not create:
                raise StoreError(
                    f"{self.path}: there is no store; make a run first (`primum run`) or name another file"
                )
            _create(self.path)
        elif not self.path.is_file():
            raise StoreError(f"{self.path}: is not a file; name the store's file")
        elif self.path.stat().st_size == 0:
            raise StoreError(
                f"{self.path}: is empty, so it was cut off or never was a store; remove it to start afresh"
            )
        engine = _engine(self.path, wait)
        try:
            _check(engine, self.path)
        except StoreError:
            engine.dispose()
            raise
        super().__init__(engine, str(self.path))

    def finish_run(self, run: str, status: RunStatus = RunStatus.COMPLETED) -> RunEnd:
        """Notes that the run ended, and writes all of it through to the disk."""
        end = super().finish_run(run, status)
        with self._connection() as connection:
            # Into the main file, so that a plain copy of it is complete; a reader elsewhere may put that off.
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").all()
        return end


def _engine(path: Path, wait: float) -> Engine:
    engine = create_engine(
        URL.create("sqlite+pysqlite", database=str(path)), connect_args={"timeout": wait}, hide_parameters=True
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _record: object) -> None:  # pyright: ignore[reportUnusedFunction] - called by the engine
        # The file may come from somewhere else: no functions from its schema, and damage is to be noticed.
        for pragma in ("trusted_schema=OFF", "cell_size_check=ON", "foreign_keys=ON", "recursive_triggers=ON"):
            connection.execute(f"PRAGMA {pragma}")
        connection.execute("PRAGMA synchronous=NORMAL")

    return engine


def _create(path: Path) -> None:
    """Makes an empty store beside `path` and moves it there in one step, so that no half-made one is ever seen."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=".new-store-", dir=path.parent)
        os.close(handle)
    except OSError as error:
        raise StoreError(
            f"{path}: the store cannot be made ({error.strerror}); choose a folder you may write"
        ) from None
    fresh = Path(name)
    try:
        engine = _engine(fresh, 30.0)
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


def _check(engine: Engine, path: Path) -> None:
    with mapped(str(path)), engine.connect() as connection:
        if connection.exec_driver_sql("PRAGMA application_id").scalar_one() != APPLICATION_ID:
            raise StoreError(f"{path}: is not a Primum store; name another file")
        version = connection.execute(select(func.max(tables.formats.c.version))).scalar_one()
        if version is None or version > tables.FORMAT:
            raise StoreError(
                f"{path}: has format {version}, and this Primum {primum.__version__} reads up to {tables.FORMAT}; "
                "upgrade Primum or name another file"
            )
        if path.stat().st_size <= CHECKED_WHOLE:
            found = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one()
            if found != "ok":
                raise StoreError(f"{path}: is damaged ({found}); restore it from a copy, or name another file")
