"""A project that is being worked on: the project, its store and where progress is shown."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from primum.app.drift import refuse_drift
from primum.app.project import Project, load_project
from primum.errors import StoreError, UsageError
from primum.progress import Progress
from primum.records import Case, Observation
from primum.records.manifest import RunManifest
from primum.store import SqliteStore


@dataclass(frozen=True, kw_only=True)
class Workspace:
    """What every stage works with."""

    project: Project
    store: SqliteStore
    output: Path
    """Folder of the store, the index and the reports."""
    examinations: Path
    """Folder of the judges' examinations."""
    progress: Progress
    waivers_from: str | None = None
    """Git revision that waivers are read from."""

    def run_id(self, wanted: str | None = None) -> str:
        """The run called `wanted`, or the newest one.

        Raises:
            UsageError: there is none.
        """
        known = [manifest.run for manifest in self.store.runs()]
        if wanted is None and known:
            return known[-1]
        if wanted is not None and wanted in known:
            return wanted
        if wanted is not None and known:
            raise UsageError(f"{self.output}: no run {wanted}; the newest ones are {', '.join(known[:-6:-1])}")
        raise UsageError(f"{self.output}: no run yet; start one with: primum observe -c {self.project.path}")

    def started_as(self, run: str) -> RunManifest:
        """What the run set out to do, which the project must still say.

        Raises:
            UsageError: settings or dataset changed since.
        """
        manifest = self.store.manifest(run)
        refuse_drift(self.project, manifest)
        return manifest

    def case_of(self, observation: Observation) -> Case:
        """The case of a stored observation.

        Raises:
            StoreError: it is not the one that was observed.
        """
        case = self.project.all_cases.get(observation.case_id)
        if case is None or case.digest() != observation.case_digest:
            what = "was removed" if case is None else "changed"
            raise StoreError(
                f"case {observation.case_id} {what} since it was observed; start a new run: primum observe"
            )
        return case


@contextmanager
def open_workspace(
    config: Path,
    *,
    progress: Progress,
    output: Path | None = None,
    read_only: bool = False,
    waivers_from: str | None = None,
) -> Generator[Workspace]:
    """Opens the project file `config` and its store.

    Args:
        config: The project file.
        progress: Shows how far long work is.
        output: Where to write, instead of the folder that the project file names.
        waivers_from: The git revision that waivers are read from, instead of the file as it lies there.
        read_only: Whether nothing is added to the store, which may then lie where nothing can be written.
    """
    project = load_project(config)
    folder = project.root / project.settings.output if output is None else output
    if read_only and not (folder / "runs.sqlite").exists():
        raise UsageError(f"{folder}: no run yet; start one with: primum observe -c {config}")
    with SqliteStore(folder / "runs.sqlite", read_only=read_only) as store:
        yield Workspace(
            project=project,
            store=store,
            output=folder,
            # Beside the project, to be committed; whoever names another output may not be able to write there.
            examinations=(project.root if output is None else output) / project.settings.judges.examinations,
            progress=progress,
            waivers_from=waivers_from,
        )
