"""The lock of a project: what its decisions rest on, so that nothing changes unseen."""

from pathlib import Path

import click

from primum.cli.options import CONFIG, project_only


@click.group()
def lock() -> None:
    """What decisions rest on: dataset, rubrics, prompts, corpus, policy, settings, packages."""


@lock.command()
@CONFIG
def write(config: Path) -> int:
    """Write primum.lock.json beside the project file; commit it."""
    from primum.app.lock import write_lock

    with project_only(config) as (project, _, _):
        path = write_lock(project)
    click.echo(str(path))
    return 0


@lock.command()
@CONFIG
def diff(config: Path) -> int:
    """Say what differs from primum.lock.json; exits with 2 when anything does."""
    from primum.app.lock import drift
    from primum.report.text import one_line

    with project_only(config) as (project, _, _):
        changed = drift(project)
    for line in changed:
        click.echo(one_line(line, 300))
    click.echo(f"{len(changed)} differences" if changed else "nothing differs")
    return 2 if changed else 0
