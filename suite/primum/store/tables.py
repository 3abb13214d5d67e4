"""The tables of a store. Each record is kept whole, as canonical JSON, beside the columns that queries need."""

from typing import Final

from sqlalchemy import (
    Boolean,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    UniqueConstraint,
)

FORMAT: Final = 1
"""Raised whenever a store of the old form can no longer be read or written as it is."""

metadata: Final = MetaData()


def _sequence() -> Column[int]:
    return Column("sequence", Integer, primary_key=True, autoincrement=True)


def _run() -> Column[str]:
    return Column("run", String, ForeignKey("runs.run"), nullable=False)


def _record() -> tuple[Column[str], Column[bytes]]:
    # Bytes, because answers may hold lone surrogates, which no text column takes.
    return Column("digest", String, nullable=False), Column("record", LargeBinary, nullable=False)


def _observation() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(["run", "observation_id"], ["observations.run", "observations.id"])


formats: Final = Table(
    "primum_format",
    metadata,
    Column("version", Integer, primary_key=True),
    Column("created_at", String, nullable=False),
    Column("primum_version", String, nullable=False),
)

runs: Final = Table(
    "runs",
    metadata,
    _sequence(),
    Column("run", String, nullable=False, unique=True),
    Column("created_at", String, nullable=False),
    *_record(),
    sqlite_autoincrement=True,
)

run_ends: Final = Table(
    "run_ends",
    metadata,
    _sequence(),
    _run(),
    Column("status", String, nullable=False),
    *_record(),
    sqlite_autoincrement=True,
)

observations: Final = Table(
    "observations",
    metadata,
    _sequence(),
    _run(),
    Column("id", String, nullable=False),
    Column("system", String, nullable=False),
    Column("case_id", String, nullable=False),
    Column("repetition", Integer, nullable=False),
    Column("failure", String),
    *_record(),
    UniqueConstraint("run", "id"),
    Index("observations_by_system", "run", "system", "id"),
    sqlite_autoincrement=True,
)

gate_reports: Final = Table(
    "gate_reports",
    metadata,
    _sequence(),
    _run(),
    Column("observation_id", String, nullable=False),
    Column("blocked", Boolean, nullable=False),
    *_record(),
    _observation(),
    Index("gate_reports_by_observation", "run", "observation_id", "sequence"),
    sqlite_autoincrement=True,
)

verdicts: Final = Table(
    "verdicts",
    metadata,
    _sequence(),
    _run(),
    Column("observation_id", String, nullable=False),
    Column("judge", String, nullable=False),
    Column("rubric", String, nullable=False),
    Column("repetition", Integer, nullable=False),
    Column("status", String, nullable=False),
    *_record(),
    _observation(),
    Index("verdicts_by_key", "run", "observation_id", "judge", "rubric", "repetition", "sequence"),
    sqlite_autoincrement=True,
)

decisions: Final = Table(
    "decisions",
    metadata,
    _sequence(),
    _run(),
    Column("system", String, nullable=False),
    Column("kind", String, nullable=False),
    *_record(),
    Index("decisions_by_system", "run", "system", "sequence"),
    sqlite_autoincrement=True,
)

APPEND_ONLY: Final = (formats, runs, run_ends, observations, gate_reports, verdicts, decisions)
"""Tables whose rows are never changed and never removed."""
