"""The commands. They import what they need when they run, so that ``--help`` is quick."""

from pathlib import Path

import click

from primum import __version__
from primum.cli.baseline import baseline, compare
from primum.cli.datasets import datasets
from primum.cli.judges import judge_check
from primum.cli.labels import calibrate, disagreements
from primum.cli.lock import lock
from primum.cli.options import CONFIG, RESUME, RUN, WAIVERS, progress, workspace
from primum.cli.retrieval import retrieval
from primum.cli.rubrics import rubrics


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
    """Evaluate the two systems of the shipped demo: one that passes and one that is blocked.

    Exits with 0 when the demo ends as it should, although one of its systems is blocked.
    """
    from primum.app.demo import run_demo, surprises
    from primum.cli.view import error_console, show

    written = run_demo(output, progress(error_console()))
    show(written)
    unexpected = surprises([system.decision for system in written.content.systems])
    for line in unexpected:
        click.echo(f"primum: the demo did not end as it should; {line}", err=True)
    return 3 if unexpected else 0


@primum.command(short_help="Run all stages and decide.")
@CONFIG
@RESUME
@WAIVERS
@click.option("--locked", is_flag=True, help="Refuse to run unless everything is as primum.lock.json says.")
def run(config: Path, resume: bool, waivers_from: str | None, locked: bool) -> int:
    """Run all stages: index, observe, gate, judge, decide, report. The exit code is the decision."""
    from primum.app.lock import refuse_unlocked
    from primum.app.run import run_all
    from primum.cli.view import show

    with workspace(config, waivers_from=waivers_from) as work:
        if locked:
            refuse_unlocked(work.project)
        written = run_all(work, resume=resume)
    show(written)
    return written.exit_code


@primum.command(short_help="Fill the Qdrant collection.")
@CONFIG
def index(config: Path) -> int:
    """Cut the documents, embed the chunks and fill the Qdrant collection."""
    from primum.app import stages

    with workspace(config) as work:
        made = stages.build_index(work)
    click.echo(made)
    return 0


@primum.command(short_help="Retrieve, generate and store.")
@CONFIG
@RESUME
def observe(config: Path, resume: bool) -> int:
    """Retrieve and generate, and store every observation; prints the id of the run."""
    from primum.app import stages

    with workspace(config) as work:
        run_id = stages.observe(work, resume=resume)
    click.echo(run_id)
    return 0


@primum.command()
@click.argument("file", required=False, type=click.Path(path_type=Path, dir_okay=False))
@CONFIG
@RUN
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="With FILE: write the findings, JSON Lines."
)
@click.option(
    "--require", "required", multiple=True, metavar="GATE", help="With FILE: GATE must have something to check."
)
def gate(file: Path | None, config: Path, run_id: str | None, out: Path | None, required: tuple[str, ...]) -> int:
    """Run the safety gates on the observations of a run, or on the recorded exchanges of FILE.

    FILE has one exchange a line, of any system, and needs no project; exchange.schema.json among the shipped schemas
    says what a line holds. With FILE the exit code is 0 when every gate passes, 1 when one fails, 3 when an exchange
    was not decided.
    """
    if file is not None:
        if run_id is not None:
            raise click.UsageError("give either FILE or --run")
        from primum.cli.gate import show_gated

        return show_gated(file, out, required)
    if out is not None or required:
        raise click.UsageError("--out and --require go with FILE; a run's findings are in its reports")
    from primum.app import stages

    with workspace(config) as work:
        said = stages.gate(work, work.run_id(run_id))
    click.echo(said)
    return 0


@primum.command()
@CONFIG
@RUN
def judge(config: Path, run_id: str | None) -> int:
    """Let the judges score the observations of a run."""
    from primum.app import stages

    with workspace(config) as work:
        said = stages.judge(work, work.run_id(run_id))
    click.echo(said)
    return 0


@primum.command()
@CONFIG
@RUN
@WAIVERS
def decide(config: Path, run_id: str | None, waivers_from: str | None) -> int:
    """Decide from what is stored; the exit code is the decision."""
    from primum.app.outcome import decide_run

    with workspace(config, waivers_from=waivers_from) as work:
        decisions = decide_run(work, work.run_id(run_id))
        release = work.project.settings.release
    for decision in decisions:
        click.echo(decision.headline)
    return next(decision.exit_code for decision in decisions if decision.system == release)


@primum.command()
@CONFIG
@RUN
@WAIVERS
def report(config: Path, run_id: str | None, waivers_from: str | None) -> int:
    """Write the reports of a decided run again."""
    from primum.app.outcome import report_run
    from primum.cli.view import show

    with workspace(config, read_only=True, waivers_from=waivers_from) as work:
        written = report_run(work, work.run_id(run_id))
    show(written)
    return 0


@primum.command()
@CONFIG
def runs(config: Path) -> int:
    """List the runs in the store, oldest first, with what was decided."""
    with workspace(config, read_only=True) as work:
        lines = [
            f"{run.run}  {run.created_at}  {', '.join(system.id for system in run.systems)}  "
            f"{', '.join(f'{d.kind} {d.system}' for d in work.store.decisions(run.run)) or 'not decided'}"
            for run in work.store.runs()
        ]
    click.echo("\n".join(lines) or "no run yet")
    return 0


@primum.command()
@click.argument("folder", type=click.Path(path_type=Path))
def validate(folder: Path) -> int:
    """Check a dataset folder and explain each mistake with its place and a fix.

    FOLDER is a dataset folder or the name of a shipped dataset, such as demo.
    """
    from primum.cli.datasets import folder_of
    from primum.datasets import ProblemSeverity, validate_dataset

    folder = folder_of(folder.parent if folder.is_file() else folder)
    problems = validate_dataset(folder)
    for problem in problems:
        click.echo(str(problem))
    errors = sum(problem.severity is ProblemSeverity.ERROR for problem in problems)
    click.echo(f"{folder}: {errors} errors, {len(problems) - errors} warnings")
    return 2 if errors else 0


primum.add_command(judge_check)
primum.add_command(rubrics)
primum.add_command(disagreements)
primum.add_command(calibrate)
primum.add_command(compare)
primum.add_command(baseline)
primum.add_command(lock)
primum.add_command(retrieval)
primum.add_command(datasets)
