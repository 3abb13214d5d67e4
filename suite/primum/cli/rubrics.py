"""``primum rubrics``: what is judged, in words; text from files is made safe for the terminal."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from primum.cli.options import CONFIG

if TYPE_CHECKING:
    from primum.config.settings import JudgeSettings
    from primum_judges import Rubric


@click.group()
def rubrics() -> None:
    """The rubrics: what is judged, in words. Your own lie in the folder that judges.rubric_folder names."""


@rubrics.command("list")
@CONFIG
def list_all(config: Path) -> int:
    """List the rubrics of a project, or those that come with Primum where there is no project."""
    from primum.report.text import one_line

    for rubric in _known(config).values():
        outcomes = ", ".join(sorted(rubric.applies_to))
        title = one_line(rubric.title, 200)
        click.echo(f"{rubric.id:<18} version {rubric.version}  {rubric.scale:<10}  {outcomes:<10}  {title}")
    return 0


@rubrics.command()
@click.argument("rubric_id", metavar="RUBRIC")
@CONFIG
def show(rubric_id: str, config: Path) -> int:
    """Show one RUBRIC: how it is scored, and its text as a judge sees it."""
    from primum.errors import UsageError
    from primum.report.text import visible

    known = _known(config)
    rubric = known.get(rubric_id)
    if rubric is None:
        raise UsageError(f"there is no rubric {rubric_id!r}; there are {', '.join(known)}")
    click.echo(visible(f"{rubric.id}, version {rubric.version}: {rubric.title}"))
    click.echo(
        f"scale {rubric.scale}, passes at {rubric.pass_at:g}, shown: {', '.join(sorted(rubric.needs))}, the answer"
    )
    for label, score in rubric.labels.items():
        click.echo(f"  {label} {score:g}")
    click.echo(f"hash {rubric.hash}\n\n{visible(rubric.text)}")
    return 0


@rubrics.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False, exists=True), required=False)
@CONFIG
@click.option("--record", is_flag=True, help="Record versions that are new in versions.json; commit that file.")
def lint(folder: Path | None, config: Path, record: bool) -> int:
    """Check the rubrics in FOLDER, or those of the project's own, and that no text changed under its version.

    Exits with 2 when something is wrong; run it in CI.
    """
    from primum.app.rubrics import own_folder
    from primum.errors import UsageError
    from primum.report.text import one_line
    from primum_judges.rubric import rubric_files
    from primum_judges.versions import lint_rubrics, record_versions

    place = folder or own_folder(_settings(config), config.parent)
    if place is None:
        raise UsageError(f"{config}: judges.rubric_folder names no folder; name one, or: primum rubrics lint FOLDER")
    if not rubric_files(place):
        raise UsageError(f"{place}: there is no rubric; write one as a Markdown file, such as tone.md")
    if record:
        click.echo(f"recorded: {', '.join(record_versions(place)) or 'nothing new'}")
    problems = lint_rubrics(place)
    for problem in problems:
        click.echo(one_line(problem, 600))
    click.echo(f"{place}: {len(rubric_files(place))} rubrics, {len(problems)} problems")
    return 2 if problems else 0


def _settings(config: Path) -> "JudgeSettings":
    """The project's; without a project, those that name no folder of rubrics."""
    from primum.config import load_settings
    from primum.config.settings import JudgeSettings

    return load_settings(config).judges if config.exists() else JudgeSettings()


def _known(config: Path) -> "Mapping[str, Rubric]":
    from primum.app.rubrics import known_rubrics

    return known_rubrics(_settings(config), config.parent)
