"""What the commands share: their options, and the project that they work on."""

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Generator

    from rich.console import Console

    from primum.app.project import Project
    from primum.app.workspace import Workspace
    from primum.progress import Progress

CONFIG = click.option(
    "-c",
    "--config",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("primum.yaml"),
    show_default=True,
    help="The project file.",
)
RESUME = click.option("--resume", is_flag=True, help="Continue the newest run instead of starting one.")
RUN = click.option("--run", "run_id", default=None, help="Id of the run; the newest one if left out.")
WAIVERS = click.option(
    "--waivers-from",
    metavar="REVISION",
    default=None,
    help="Read waivers as this git revision has them, such as origin/main: the change under test cannot add one.",
)


@contextmanager
def workspace(config: Path, *, read_only: bool = False, waivers_from: str | None = None) -> "Generator[Workspace]":
    """The project; while it is worked on, standard output is closed to the user's own code."""
    from primum.app.workspace import open_workspace
    from primum.cli.view import error_console, results_only

    shown = progress(error_console())
    with (
        results_only(),
        open_workspace(config, progress=shown, read_only=read_only, waivers_from=waivers_from) as work,
    ):
        yield work


@contextmanager
def project_only(config: Path) -> "Generator[tuple[Project, Path, Progress]]":
    """The project, its output folder and progress, without a store; standard output is closed as in `workspace`."""
    from primum.app.project import load_project
    from primum.cli.view import error_console, results_only

    with results_only():
        project = load_project(config)
        yield project, project.root / project.settings.output, progress(error_console())


def progress(console: "Console") -> "Progress":
    """Shows on `console` how far long work is."""
    from primum.cli.progress import ConsoleProgress

    return ConsoleProgress(console)
