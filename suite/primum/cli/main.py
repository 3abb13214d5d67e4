"""The command line. Commands import what they need when they run, so that ``--help`` is quick."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from primum import __version__
from primum.errors import PrimumError

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from rich.console import Console

    from primum.app.workspace import Workspace
    from primum.progress import Progress

INTERRUPTED = 130
UNEXPECTED = 3
"""An unexpected error means that nothing was decided; Python's own 1 would read as a block."""

CONFIG = click.option(
    "-c",
    "--config",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("primum.yaml"),
    show_default=True,
    help="The project file.",
)
RUN = click.option("--run", "run_id", default=None, help="Id of the run; the newest one if left out.")


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs a command and exits with 0 pass, 1 blocked, 2 usage, 3 inconclusive or 130 interrupted."""
    try:
        code = primum.main(arguments, prog_name="primum", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except (click.Abort, KeyboardInterrupt):
        _say("interrupted; what was observed is kept, and the same run goes on with: primum run --resume")
        code = INTERRUPTED
    except PrimumError as error:
        _say(str(error))
        code = error.exit_code
    except BrokenPipeError:
        code = INTERRUPTED
    except Exception:  # noqa: BLE001 - the border: any other end would be read as a decision
        import traceback

        traceback.print_exc()
        _say("unexpected error, nothing was decided; please report it with the lines above")
        code = UNEXPECTED
    sys.exit(code)


def _say(message: str) -> None:
    click.echo(click.style("primum: ", bold=True) + message, err=True)


class InOrder(click.Group):
    """Lists the commands in the order in which a person meets them."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The order of the definitions."""
        return list(self.commands)


@click.group(cls=InOrder, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="primum")
def primum() -> None:
    """Evaluates a RAG system and decides whether it may be released: safety gates before scores.

    Exit codes: 0 pass, 1 blocked, 2 usage, configuration or dataset error, 3 inconclusive, 130 interrupted.
    """


@primum.command(short_help="Evaluate the two systems of the shipped demo.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("primum-demo"),
    show_default=True,
    help="Folder for the store and the reports.",
)
def demo(output: Path) -> int:
    """Evaluate the two systems of the shipped demo: one that passes and one that is blocked."""
    from primum.app.demo import run_demo, surprises
    from primum.cli.view import error_console, show

    written = run_demo(output, _progress(error_console()))
    show(written)
    unexpected = surprises([system.decision for system in written.content.systems])
    for line in unexpected:
        _say(f"the demo did not end as it should; {line}")
    return UNEXPECTED if unexpected else 0


@primum.command()
@CONFIG
@click.option("--resume", is_flag=True, help="Continue the newest run instead of starting one.")
def run(config: Path, resume: bool) -> int:
    """Run all stages: index, observe, gate, judge, decide, report."""
    from primum.app.run import run_all
    from primum.cli.view import show

    with _workspace(config) as work:
        written = run_all(work, resume=resume)
    show(written)
    return written.exit_code


@primum.command()
@CONFIG
def index(config: Path) -> int:
    """Cut the documents, embed the chunks and fill the Qdrant collection."""
    from primum.app import stages

    with _workspace(config) as work:
        click.echo(stages.build_index(work))
    return 0


@primum.command()
@CONFIG
@click.option("--resume", is_flag=True, help="Continue the newest run instead of starting one.")
def observe(config: Path, resume: bool) -> int:
    """Retrieve and generate, and store every observation; prints the id of the run."""
    from primum.app import stages

    with _workspace(config) as work:
        click.echo(stages.observe(work, resume=resume))
    return 0


def _on_run(work_on: Callable[["Workspace", str], int]) -> click.Command:
    """Makes a command of a function that works on a stored run."""

    @primum.command(work_on.__name__, help=work_on.__doc__)
    @CONFIG
    @RUN
    def command(config: Path, run_id: str | None) -> int:
        with _workspace(config) as work:
            return work_on(work, work.run_id(run_id))

    return command


@_on_run
def gate(work: "Workspace", run_id: str) -> int:
    """Run the safety gates on the observations of a run."""
    from primum.app import stages

    click.echo(stages.gate(work, run_id))
    return 0


@_on_run
def judge(work: "Workspace", run_id: str) -> int:
    """Let the judges score the observations of a run."""
    from primum.app import stages

    click.echo(stages.judge(work, run_id))
    return 0


@_on_run
def decide(work: "Workspace", run_id: str) -> int:
    """Decide from what is stored; the exit code is the decision."""
    from primum.app.outcome import decide_run

    decisions = decide_run(work, run_id)
    for decision in decisions:
        click.echo(decision.headline)
    return next(d.exit_code for d in decisions if d.system == work.project.settings.release)


@_on_run
def report(work: "Workspace", run_id: str) -> int:
    """Write the reports of a decided run again."""
    from primum.app.outcome import report_run
    from primum.cli.view import show

    show(report_run(work, run_id))
    return 0


@primum.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
def validate(folder: Path) -> int:
    """Check a dataset folder and explain each mistake with its place and a fix."""
    from primum.datasets import ProblemSeverity, validate_dataset

    problems = validate_dataset(folder)
    for problem in problems:
        click.echo(str(problem))
    errors = sum(problem.severity is ProblemSeverity.ERROR for problem in problems)
    click.echo(f"{folder}: {errors} errors, {len(problems) - errors} warnings")
    return 2 if errors else 0


def _workspace(config: Path) -> "AbstractContextManager[Workspace]":
    from primum.app.workspace import open_workspace
    from primum.cli.view import error_console

    return open_workspace(config, progress=_progress(error_console()))


def _progress(console: "Console") -> "Progress":
    from primum.cli.progress import ConsoleProgress

    return ConsoleProgress(console)
