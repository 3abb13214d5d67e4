"""A store in an SQL database: one transaction a record, streams in pages, nothing ever changed."""

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, Self, TypeVar

from sqlalchemy import Column, Connection, Engine, Select, Table, and_, func, insert, select, tuple_
from sqlalchemy.exc import IntegrityError

from primum.errors import StoreError
from primum.records import Decision, GateReport, Observation, Record, Status, Verdict
from primum.records.manifest import RunEnd, RunManifest, RunStatus
from primum.store import tables
from primum.store.border import mapped
from primum.store.codec import decode, encode
from primum.store.redact import redact_call, redact_manifest

R = TypeVar("R", bound=Record)

PAGE = 200
"""Rows that a stream holds at once."""


class SqlStore:
    """Keeps runs in an SQL database.

    Streams read pages of rows, each in a short transaction of its own, up to the last row that was there when the
    stream began. So a caller may write while it reads, sees one moment of the run, and needs memory for one page.

    Args:
        engine: An SQLAlchemy engine on a database that holds the tables of this format.
        place: How messages name the store, such as its path.
    """

    def __init__(self, engine: Engine, place: str) -> None:
        self._engine = engine
        self._place = place

    def start_run(self, manifest: RunManifest) -> RunManifest:
        """Begins a run; returns its manifest as stored, free of secrets. Raises StoreError when the id is taken."""
        clean = redact_manifest(manifest)
        self._add(tables.runs, clean, run=clean.run, created_at=clean.created_at)
        return clean

    def manifest(self, run: str) -> RunManifest:
        """What the run set out to do; raises StoreError when there is no such run."""
        with self._connection() as connection:
            found = connection.execute(_record_of(tables.runs).where(tables.runs.c.run == run)).one_or_none()
        if found is None:
            raise StoreError(f"{self._place}: no run {run!r}; list the runs that there are, or start one")
        return self._read(RunManifest, found)

    def runs(self) -> tuple[RunManifest, ...]:
        """The manifests of all runs, oldest first."""
        with self._connection() as connection:
            found = connection.execute(_record_of(tables.runs).order_by(tables.runs.c.sequence)).all()
        return tuple(self._read(RunManifest, row) for row in found)

    def finish_run(self, run: str, status: RunStatus = RunStatus.COMPLETED) -> RunEnd:
        """Notes that the run ended, and how much it holds; a run that is taken up again may end again."""
        self.manifest(run)
        end = RunEnd(
            run=run,
            finished_at=datetime.now(UTC).isoformat(timespec="seconds"),
            status=status,
            observations=self._count(tables.observations, run),
            gate_reports=self._count(tables.gate_reports, run),
            verdicts=self._count(tables.verdicts, run),
            decisions=self._count(tables.decisions, run),
        )
        self._add(tables.run_ends, end, run=run, status=status.value)
        return end

    def end(self, run: str) -> RunEnd | None:
        """How the run ended last; None while it is not finished.

        Raises:
            StoreError: Rows that were there when the run ended are gone, so the store is not complete.
        """
        self.manifest(run)
        ends = tables.run_ends
        newest = _record_of(ends).where(ends.c.run == run).order_by(ends.c.sequence.desc()).limit(1)
        with self._connection() as connection:
            found = connection.execute(newest).one_or_none()
        if found is None:
            return None
        end = self._read(RunEnd, found)
        for table in (tables.observations, tables.gate_reports, tables.verdicts, tables.decisions):
            was, now = getattr(end, table.name), self._count(table, run)
            if now < was:
                raise StoreError(
                    f"{self._place}: run {run} ended with {was} {table.name} and now holds {now}; "
                    "the store was cut off or copied without its -wal file. Restore it, or run again"
                )
        return end

    def add_observation(self, run: str, observation: Observation) -> None:
        """Keeps one observation, without secrets in its call; raises StoreError when it is there already."""
        self._add(
            tables.observations,
            observation.model_copy(update={"call": redact_call(observation.call)}),
            run=run,
            id=observation.id,
            system=observation.system,
            case_id=observation.case_id,
            repetition=observation.repetition,
            failure=observation.failure.kind.value if observation.failure else None,
        )

    def observations(self, run: str, *, system: str | None = None) -> Iterator[Observation]:
        """Streams the observations of a run, ordered by id."""
        self.manifest(run)
        table = tables.observations
        wanted = table.c.run == run if system is None else and_(table.c.run == run, table.c.system == system)
        return self._stream(Observation, table, [table.c.id], wanted)

    def observation(self, run: str, observation_id: str) -> Observation:
        """One observation; raises StoreError when it is not there."""
        self.manifest(run)
        table = tables.observations
        with self._connection() as connection:
            found = connection.execute(
                _record_of(table).where(table.c.run == run, table.c.id == observation_id)
            ).one_or_none()
        if found is None:
            raise StoreError(f"{self._place}: run {run} holds no observation {observation_id!r}; observe it first")
        return self._read(Observation, found)

    def observed(self, run: str) -> frozenset[str]:
        """Ids of the observations that are stored, for resuming."""
        self.manifest(run)
        table = tables.observations
        with self._connection() as connection:
            return frozenset(connection.execute(select(table.c.id).where(table.c.run == run)).scalars())

    def add_gate_report(self, run: str, report: GateReport) -> None:
        """Keeps the gates' results on one observation; a later report on the same observation supersedes it."""
        blocked = any(result.status in (Status.FAIL, Status.ERROR) for result in report.results)
        self._add(tables.gate_reports, report, run=run, observation_id=report.observation_id, blocked=blocked)

    def gate_reports(self, run: str) -> Iterator[GateReport]:
        """The newest report of each observation, ordered by observation id."""
        self.manifest(run)
        table = tables.gate_reports
        return self._stream(GateReport, table, [table.c.observation_id], table.c.run == run, newest=True)

    def add_verdict(self, run: str, verdict: Verdict) -> None:
        """Keeps one verdict, free of secrets; a later one of the same judge, rubric and repetition supersedes it."""
        self._add(
            tables.verdicts,
            verdict.model_copy(update={"call": redact_call(verdict.call)}),
            run=run,
            observation_id=verdict.observation_id,
            judge=verdict.judge,
            rubric=verdict.rubric,
            repetition=verdict.repetition,
            status=verdict.status.value,
        )

    def verdicts(self, run: str) -> Iterator[Verdict]:
        """The newest verdict of each (observation, judge, rubric, repetition), in that order."""
        self.manifest(run)
        table = tables.verdicts
        key = [table.c.observation_id, table.c.judge, table.c.rubric, table.c.repetition]
        return self._stream(Verdict, table, key, table.c.run == run, newest=True)

    def add_decision(self, run: str, decision: Decision) -> None:
        """Keeps the decision about one system; a later one about the same system supersedes it."""
        self._add(tables.decisions, decision, run=run, system=decision.system, kind=decision.kind.value)

    def decisions(self, run: str) -> tuple[Decision, ...]:
        """The newest decision about each system, ordered by system."""
        self.manifest(run)
        table = tables.decisions
        return tuple(self._stream(Decision, table, [table.c.system], table.c.run == run, newest=True))

    def close(self) -> None:
        """Lets go of the database."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _add(self, table: Table, record: Record, **columns: object) -> None:
        digest, data = encode(record)
        row = {**columns, "digest": digest, "record": data}
        with mapped(self._place):
            try:
                with self._engine.begin() as connection:
                    connection.execute(insert(table), row)
            except IntegrityError as error:
                raise self._refusal(table, error, columns) from None

    def _refusal(self, table: Table, error: IntegrityError, columns: dict[str, object]) -> StoreError:
        said = str(error.orig)
        run = columns["run"]
        if "FOREIGN KEY" in said:
            about = columns.get("observation_id")
            missing = f"run {run}" if about is None else f"observation {about!r} of run {run}"
            return StoreError(f"{self._place}: {missing} is not stored; store it before its {table.name}")
        if "already stored" in said or "UNIQUE" in said:
            what = columns.get("id", run)
            return StoreError(f"{self._place}: {what!r} is already stored in {table.name}; rows are only ever added")
        return StoreError(f"{self._place}: the database refused a row of {table.name} ({said})")

    @contextmanager
    def _connection(self) -> Generator[Connection]:
        with mapped(self._place), self._engine.connect() as connection:
            yield connection

    def _count(self, table: Table, run: str) -> int:
        with self._connection() as connection:
            return int(
                connection.execute(select(func.count()).select_from(table).where(table.c.run == run)).scalar_one()
            )

    def _read(self, kind: type[R], row: Any) -> R:
        return decode(kind, row.digest, row.record, place=self._place)

    def _stream(
        self, kind: type[R], table: Table, key: Sequence[Column[Any]], wanted: Any, *, newest: bool = False
    ) -> Iterator[R]:
        with self._connection() as connection:
            last_row = connection.execute(select(func.max(table.c.sequence))).scalar_one() or 0
        rows = select(*key, table.c.digest, table.c.record).where(wanted, table.c.sequence <= last_row)
        if newest:
            rows = rows.where(table.c.sequence == _newest(table, key, last_row))
        rows = rows.order_by(*key).limit(PAGE)
        page = rows
        while True:
            with self._connection() as connection:
                found = connection.execute(page).all()
            for row in found:
                yield self._read(kind, row)
            if len(found) < PAGE:
                return
            page = rows.where(tuple_(*key) > tuple_(*found[-1][: len(key)]))


def _record_of(table: Table) -> Select[Any, Any]:
    return select(table.c.digest, table.c.record)


def _newest(table: Table, key: Sequence[Column[Any]], last_row: int) -> Any:
    other = table.alias("other")
    same = [other.c.run == table.c.run, *(other.c[column.name] == column for column in key)]
    return select(func.max(other.c.sequence)).where(other.c.sequence <= last_row, *same).scalar_subquery()
