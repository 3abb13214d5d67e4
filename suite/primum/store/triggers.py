"""Triggers that keep a SQLite store append-only, whoever writes to the file."""

from collections.abc import Iterator

from primum.store import tables


def triggers() -> Iterator[str]:
    """Statements that refuse every change, removal and replacement of a row."""
    for table in tables.APPEND_ONLY:
        name = table.name
        for deed in ("UPDATE", "DELETE"):
            yield (
                f"CREATE TRIGGER {name}_no_{deed.lower()} BEFORE {deed} ON {name} "
                f"BEGIN SELECT RAISE(ABORT, 'append-only: {name}'); END"
            )
        # INSERT OR REPLACE removes the old row without a DELETE trigger; this one sees it first.
        yield (
            f"CREATE TRIGGER {name}_no_replace BEFORE INSERT ON {name} "  # noqa: S608 - names of our own tables only
            f"WHEN EXISTS (SELECT 1 FROM {name} WHERE {_SAME_ROW.get(name, _SAME_SEQUENCE)}) "
            f"BEGIN SELECT RAISE(ABORT, 'already stored in {name}'); END"
        )


_SAME_SEQUENCE = "sequence = NEW.sequence"
_SAME_ROW = {
    tables.formats.name: "version = NEW.version",
    tables.runs.name: f"{_SAME_SEQUENCE} OR run = NEW.run",
    tables.observations.name: f"{_SAME_SEQUENCE} OR (run = NEW.run AND id = NEW.id)",
}
