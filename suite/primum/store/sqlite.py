"""A store in one SQLite file, readable while it is written, whole after a crash."""

from pathlib import Path
from typing import Final

from sqlalchemy import Engine, func, select

import primum
from primum.errors import StoreError
from primum.records.manifest import RunEnd, RunStatus
from primum.store import tables
from primum.store.border import mapped
from primum.store.files import APPLICATION_ID, UNFINISHED, create_store, reading_engine, sweep, writing_engine
from primum.store.sql import SqlStore

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
        read_only: Only read; the file must be there, and may lie where nothing can be written.

    Raises:
        StoreError: The file is missing, foreign, newer than this version, damaged or cut off.
    """

    def __init__(self, path: Path | str, *, create: bool = True, wait: float = 30.0, read_only: bool = False) -> None:
        self.path = Path(path)
        if not read_only:
            sweep(self.path.parent)
        if self.path.name.startswith(UNFINISHED):
            raise StoreError(f"{self.path}: is what is left of a store that was never finished; name another file")
        if not self.path.exists():
            if read_only or not create:
                raise StoreError(
                    f"{self.path}: there is no store; make a run first (`primum run`) or name another file"
                )
            create_store(self.path)
        elif not self.path.is_file():
            raise StoreError(f"{self.path}: is not a file; name the store's file")
        elif self.path.stat().st_size == 0:
            raise StoreError(
                f"{self.path}: is empty, so it was cut off or never was a store; remove it to start afresh"
            )
        engine = reading_engine(self.path, wait) if read_only else writing_engine(self.path, wait)
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
