"""Stores where nothing can be written, where space runs out, and beside what was left of others."""

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from sqlalchemy import create_engine

from primum.errors import StoreError
from primum.records import Observation
from primum.records.manifest import RunManifest
from primum.store import SqliteStore
from primum.store.border import mapped

RUN = "20261130-074512-ab12cd"
NOBODY = 65534


@contextmanager
def unprivileged() -> Generator[None]:
    """The superuser may write anywhere, so it steps back."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


@pytest.fixture
def closed(store: SqliteStore, path: Path, observe: Callable[..., Observation]) -> Iterator[Path]:
    """A finished, closed store in a folder that everybody may read; its own folder is the superuser's alone."""
    store.add_observation(RUN, observe("a"))
    store.finish_run(RUN)
    store.close()
    folder = Path(tempfile.mkdtemp(prefix="primum-test-"))
    copy = folder / "primum.db"
    shutil.copyfile(path, copy)
    copy.chmod(0o444)
    folder.chmod(0o555)
    yield copy
    folder.chmod(0o755)
    shutil.rmtree(folder)


def test_a_store_in_a_read_only_folder_can_be_read(closed: Path, manifest: RunManifest) -> None:
    """Nothing is made beside it, and nothing can be added."""
    with unprivileged(), SqliteStore(closed, read_only=True) as store:
        assert store.runs() == (manifest,)
        assert [one.id for one in store.observations(RUN)] == ["base/a/plain/0"]
        with pytest.raises(StoreError, match="it is read-only"):
            store.finish_run(RUN)
    assert [file.name for file in closed.parent.iterdir()] == ["primum.db"]


def test_a_store_in_a_read_only_folder_says_so_to_a_writer(closed: Path) -> None:
    """Rather than that it does not exist."""
    with unprivileged(), pytest.raises(StoreError, match="read-only"):
        SqliteStore(closed)


def test_last_writes_that_cannot_be_read_are_not_left_out(closed: Path) -> None:
    """A store that was copied while it was written, without its shared memory."""
    closed.parent.chmod(0o755)
    Path(f"{closed}-wal").write_bytes(b"\x37\x7f\x06\x82" + bytes(28))
    closed.parent.chmod(0o555)
    with unprivileged(), pytest.raises(StoreError, match=r"read-only, and the last writes are still in primum\.db-wal"):
        SqliteStore(closed, read_only=True)


def test_a_reader_changes_nothing_where_it_could(
    store: SqliteStore, path: Path, manifest: RunManifest, observe: Callable[..., Observation]
) -> None:
    """It sees what another process has just added, and adds nothing itself."""
    with SqliteStore(path, read_only=True) as reader:
        store.add_observation(RUN, observe("a"))
        assert reader.observed(RUN) == {"base/a/plain/0"}
        assert reader.runs() == (manifest,)
        with pytest.raises(StoreError, match="it is read-only"):
            reader.add_observation(RUN, observe("b"))
    assert store.observed(RUN) == {"base/a/plain/0"}


def test_a_reader_makes_no_store(path: Path) -> None:
    """Nor its folder."""
    with pytest.raises(StoreError, match="there is no store"):
        SqliteStore(path, read_only=True)
    assert not path.parent.exists()


def test_a_reader_opens_a_path_of_any_characters(tmp_path: Path, manifest: RunManifest) -> None:
    """It is part of an address inside."""
    path = tmp_path / "a ?mode=rwc&x#y%41 \u00fc" / "primum.db"
    with SqliteStore(path) as store:
        store.start_run(manifest)
    with SqliteStore(path, read_only=True) as reader:
        assert reader.runs() == (manifest,)


def test_a_reader_refuses_a_damaged_store(tmp_path: Path) -> None:
    """As a writer does."""
    path = tmp_path / "primum.db"
    path.write_bytes(b"not a database at all, " * 400)
    with pytest.raises(StoreError, match="not a Primum store"):
        SqliteStore(path, read_only=True)


LIMITED = """
import resource, sys
from primum.errors import StoreError
from primum.records import Observation
from primum.store import SqliteStore

path, size, text = sys.argv[1:]
first = Observation.model_validate_json(text)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(size), resource.RLIM_INFINITY))
try:
    with SqliteStore(path) as store:
        for number in range(100):
            store.add_observation("20261130-074512-ab12cd", first.model_copy(update={"repetition": number}))
except StoreError as error:
    print(error)
"""


@pytest.mark.parametrize(("fresh", "size"), [(True, 40_000), (False, 200_000)])
def test_space_that_ran_out_is_called_so(
    store: SqliteStore, path: Path, observe: Callable[..., Observation], fresh: bool, size: int
) -> None:
    """Under a limit on the size of files, while a store is made and while it grows; what was stored stays."""
    where = path.parent / "new.db" if fresh else path
    said = subprocess.run(
        [sys.executable, "-c", LIMITED, str(where), str(size), observe("a", text="word " * 4000).model_dump_json()],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert said.startswith(f"{where}: space ran out")
    assert "restore" not in said
    assert not list(path.parent.glob(".new-store-*"))
    if fresh:
        assert not where.exists()
    else:
        assert 0 < len(store.observed(RUN)) < 100


def test_a_full_disk_is_called_so() -> None:
    """Simulated by the most pages that a database may have."""
    engine = create_engine("sqlite://")
    with engine.connect() as full:
        full.exec_driver_sql("PRAGMA max_page_count=3")
        full.exec_driver_sql("CREATE TABLE t (a)")
        with pytest.raises(StoreError, match=r"runs\.sqlite: space ran out"), mapped("runs.sqlite"):
            full.exec_driver_sql("INSERT INTO t VALUES (zeroblob(100000))")
    engine.dispose()


def test_old_leftovers_are_removed_and_young_ones_stay(path: Path, manifest: RunManifest) -> None:
    """A process that was killed while it made a store cannot tidy up; one that is at work is left alone."""
    path.parent.mkdir()
    old = [path.parent / name for name in (".new-store-a", ".new-store-a-wal", ".new-store-b-shm")]
    young = path.parent / ".new-store-c"
    other = path.parent / "new-store-d"
    for file in (*old, young, other):
        file.write_text("left")
        os.utime(file, (0, 0) if file != young else None)
    (path.parent / ".new-store-folder").mkdir()
    for _ in range(2):  # made, and found
        with SqliteStore(path) as store:
            if not store.runs():
                store.start_run(manifest)
        assert not [file for file in old if file.exists()]
        assert young.exists()
        assert other.exists()
        old[0].write_text("left")
        os.utime(old[0], (0, 0))


def test_a_store_that_was_never_finished_is_none(store: SqliteStore, path: Path) -> None:
    """Also when all of it is there but its name."""
    store.finish_run(RUN)
    left = path.with_name(".new-store-x")
    with closing(sqlite3.connect(path)) as whole, closing(sqlite3.connect(left)) as copy:
        whole.backup(copy)
    for read_only in (True, False):
        with pytest.raises(StoreError, match="never finished; name another file"):
            SqliteStore(left, read_only=read_only)
