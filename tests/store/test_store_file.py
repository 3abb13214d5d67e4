"""A file that is not a whole store of ours is refused, and a whole one is never changed."""

# ruff: noqa: S608 - the statements name our own tables

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from primum.errors import StoreError
from primum.records import GateReport, Observation, Verdict
from primum.records.manifest import RunManifest
from primum.store import SqliteStore

RUN = "20261130-074512-ab12cd"
Observe = Callable[..., Observation]


@pytest.fixture
def filled(store: SqliteStore, path: Path, observe: Observe) -> Path:
    """A finished, closed store with enough rows for many pages of the file."""
    for number in range(60):
        store.add_observation(RUN, observe(f"f{number:03d}", text="word " * 500))
    store.finish_run(RUN)
    store.close()
    return path


def test_the_folder_and_the_file_are_for_the_owner_alone(store: SqliteStore, path: Path) -> None:
    """Answers may hold patient data."""
    assert store.path == path
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert path.stat().st_mode & 0o077 == 0
    assert {file.name for file in path.parent.iterdir()} <= {"primum.db", "primum.db-wal", "primum.db-shm"}


def test_a_missing_store_is_not_made_for_a_reader(path: Path) -> None:
    """A mistyped path does not read as a store without runs."""
    with pytest.raises(StoreError, match="there is no store; make a run first"):
        SqliteStore(path, create=False)
    assert not path.parent.exists()


def test_a_folder_is_refused(tmp_path: Path) -> None:
    """The message says what to name instead."""
    with pytest.raises(StoreError, match="name the store's file"):
        SqliteStore(tmp_path)


@pytest.mark.parametrize("content", [b"not a database at all, " * 400, b"SQLite format 3\0" + b"\0" * 4000])
def test_a_file_of_another_kind_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    """Also one that begins like a database."""
    file = tmp_path / "notes.db"
    file.write_bytes(content)
    with pytest.raises(StoreError, match=r"notes.db: it is (not a Primum store|damaged)"):
        SqliteStore(file)
    assert file.read_bytes() == content


def test_a_database_of_another_program_is_refused(tmp_path: Path) -> None:
    """A SQLite file without our mark is none of ours."""
    file = tmp_path / "other.db"
    with closing(sqlite3.connect(file)) as other:
        other.execute("CREATE TABLE runs (run TEXT)")
    with pytest.raises(StoreError, match="is not a Primum store; name another file"):
        SqliteStore(file)


def test_a_newer_format_is_refused(filled: Path) -> None:
    """A store from the future is not half-understood."""
    with closing(sqlite3.connect(filled)) as newer:
        newer.execute("INSERT INTO primum_format VALUES (2, '', '9.0')")
        newer.commit()
    with pytest.raises(StoreError, match="upgrade Primum"):
        SqliteStore(filled)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.97])
def test_a_file_that_was_cut_off_is_refused(filled: Path, share: float) -> None:
    """Wherever it was cut."""
    whole = filled.read_bytes()
    filled.write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(StoreError, match=r"cut off|damaged"):
        SqliteStore(filled)


def test_a_damaged_page_is_noticed_when_the_file_is_opened(filled: Path) -> None:
    """Zeroed pages, as failing disks leave them."""
    content = bytearray(filled.read_bytes())
    content[8 * 4096 : 12 * 4096] = bytes(4 * 4096)
    filled.write_bytes(content)
    with pytest.raises(StoreError, match="damaged"):
        SqliteStore(filled)


def test_a_flipped_letter_in_a_record_is_noticed_when_it_is_read(filled: Path) -> None:
    """Rows carry their digest, which the database's own check does not see."""
    content = filled.read_bytes().replace(b"word word", b"word w0rd", 1)
    filled.write_bytes(content)
    with SqliteStore(filled) as store, pytest.raises(StoreError, match="Observation is damaged"):
        list(store.observations(RUN))


def test_a_finished_run_that_lost_rows_is_not_read_as_complete(filled: Path) -> None:
    """Its end says how much there was."""
    with closing(sqlite3.connect(filled)) as cut:
        cut.execute("DROP TRIGGER observations_no_delete")
        cut.execute("DELETE FROM observations WHERE sequence > 50")
        cut.commit()
    with SqliteStore(filled) as store, pytest.raises(StoreError, match="ended with 60 observations and now holds 50"):
        store.end(RUN)


@pytest.mark.parametrize("table", ["runs", "run_ends", "observations", "gate_reports", "verdicts", "decisions"])
def test_stored_rows_cannot_be_changed_removed_or_replaced(
    store: SqliteStore,
    path: Path,
    table: str,
    observe: Observe,
    report: Callable[..., GateReport],
    judged: Callable[..., Verdict],
) -> None:
    """Not even by another program with the file in its hands."""
    observation = observe("a")
    store.add_observation(RUN, observation)
    store.add_gate_report(RUN, report(observation))
    store.add_verdict(RUN, judged(observation))
    store.finish_run(RUN)
    with closing(sqlite3.connect(path)) as other:
        other.execute("INSERT INTO decisions SELECT 1, run, 'base', 'PASS', digest, record FROM runs")
        other.commit()
        before = other.execute(f"SELECT * FROM {table}").fetchall()
        assert before
        for statement in (
            f"UPDATE {table} SET digest = ''",
            f"DELETE FROM {table}",
            f"INSERT OR REPLACE INTO {table} SELECT * FROM {table}",
        ):
            with pytest.raises(sqlite3.IntegrityError, match=r"append-only|already stored"):
                other.execute(statement)
        other.rollback()
        assert other.execute(f"SELECT * FROM {table}").fetchall() == before


def test_a_locked_store_says_so(store: SqliteStore, path: Path, observe: Observe) -> None:
    """A writer that waits too long gives up with advice."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other, SqliteStore(path, wait=0.05) as hurried:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="another process holds it"):
            hurried.add_observation(RUN, observe("a"))
        other.execute("ROLLBACK")
        hurried.add_observation(RUN, observe("a"))
    assert store.observed(RUN) == {"base/a/plain/0"}


def test_a_second_opening_finds_the_first_ones_rows(store: SqliteStore, path: Path, manifest: RunManifest) -> None:
    """Making a store where one is keeps it."""
    with SqliteStore(path) as again:
        assert again.runs() == (manifest,)
    assert store.runs() == (manifest,)
