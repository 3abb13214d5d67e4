"""The last accepted run: to compare with it, and to put another one in its place."""

from pathlib import Path

import click

from primum.cli.options import CONFIG, RUN, workspace


@click.group()
def baseline() -> None:
    """The last accepted run, which later runs are compared with."""


@baseline.command()
@CONFIG
@RUN
@click.option("--accept-regressions", is_flag=True, help="Also when it got worse than the run accepted before.")
@click.option("--retrieval", is_flag=True, help="Evaluate retrieval now and accept that, instead of a run.")
def update(config: Path, run_id: str | None, accept_regressions: bool, retrieval: bool) -> int:
    """Accept a decided run: write its outcomes to the file that `baseline` names in the project file.

    With --retrieval, the file is the one that `retrieval.baseline` names.
    """
    from primum.app.accepted import accept

    if retrieval:
        from primum.cli.retrieval import update_baseline

        return update_baseline(config, accept_regressions=accept_regressions)

    with workspace(config, read_only=True) as work:
        run = work.run_id(run_id)
        path = accept(work, run, regressions=accept_regressions)
    click.echo(f"accepted run {run}: {path}")
    return 0


@click.command()
@click.argument("base")
@CONFIG
@RUN
@click.option("--intersection", is_flag=True, help="Compare what both runs hold unchanged, instead of refusing.")
def compare(base: str, config: Path, run_id: str | None, intersection: bool) -> int:
    """Compare a run with BASE, another run of this project or a baseline file.

    Exits with 1 when it got worse, 3 when it cannot be told, else 0.
    """
    from primum.app.accepted import compare_with
    from primum.report.accepted import comparison_lines
    from primum.report.text import one_line

    with workspace(config, read_only=True) as work:
        compared = compare_with(work, base, work.run_id(run_id), intersection=intersection)
    for comparison in compared.comparisons.values():
        for line in comparison_lines(comparison):
            click.echo(one_line(line, 600))
    for reason in compared.reasons:
        click.echo(one_line(f"{reason.kind}: {reason.message}", 600))
    return compared.exit_code
