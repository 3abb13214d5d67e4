"""``primum judge-check``: examines judges before their verdicts count."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from primum.cli.options import CONFIG

if TYPE_CHECKING:
    from collections.abc import Iterable

    from primum.config import Settings
    from primum.config.settings import JudgeSettings


@click.command("judge-check", short_help="Examine the judges before their verdicts count.")
@CONFIG
@click.option("--judge", "named", help="Examine this judge instead: lexical, or a model's name as litellm has it.")
@click.option("--api-base", help="Address of the OpenAI-compatible server that has the judge of --judge.")
@click.option("--rubric", "rubrics", multiple=True, help="Examine on this rubric only; may be given several times.")
@click.option(
    "--set",
    "specimens",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="Folder with twins.jsonl; the shipped qualification set if left out.",
)
@click.option("--repetitions", type=click.IntRange(1, 20), default=2, show_default=True, help="Times for each answer.")
@click.option("--items", type=click.IntRange(1), help="Only the first so many items: a quick look, rarely enough.")
@click.option("-v", "--verbose", is_flag=True, help="List every specimen that a judge got wrong.")
def judge_check(
    config: Path,
    named: str | None,
    api_base: str | None,
    rubrics: tuple[str, ...],
    specimens: Path | None,
    repetitions: int,
    items: int | None,
    verbose: bool,
) -> int:
    """Examine the judges of a project on answers whose right verdict is known, and by probes that try to sway them.

    What is found is kept in the folder `judges.examinations`. Only judges that reach the policy's bar count in a
    decision.

    Exits with 0 when all are qualified, 1 when one is refused, 3 when too few verdicts were reached to tell.
    """
    from primum.app.judge_check import Check, exit_code
    from primum.app.judge_check import judge_check as examine_all
    from primum.app.rubrics import known_rubrics
    from primum.cli.examination import examination_lines
    from primum.cli.options import progress
    from primum.cli.view import error_console
    from primum.report.text import one_line
    from primum.resources import shipped

    settings = _settings(config, named)
    judges = _named(settings.judges, named, api_base)
    _refuse_unknown(rubrics, known_rubrics(judges, config.parent))
    check = Check(
        judges=judges.model_copy(update={"rubrics": rubrics}) if rubrics else judges,
        root=config.parent,
        specimens=specimens or shipped("datasets") / "qualification",
        examinations=config.parent / settings.judges.examinations,
        bar=settings.policy.judge_bar,
        repetitions=repetitions,
        items=items,
        concurrency=settings.concurrency,
    )
    found = examine_all(check, progress(error_console()))
    for checked in found:
        for line in examination_lines(checked, verbose=verbose):
            indent = len(line) - len(line.lstrip())
            click.echo(" " * indent + one_line(line, 600))
        click.echo("")
    return exit_code(found)


def _settings(config: Path, named: str | None) -> "Settings":
    """The project's settings; a named judge needs no project."""
    from primum.app.checks import check_keys, check_names, check_secrets
    from primum.config import Settings, load_settings

    if named is not None and not config.exists():
        generator = {"generator": {"kind": "extractive"}}
        return Settings.model_validate(
            {"version": 1, "name": "none", "index": {"memory": True}, "systems": {"none": generator}, "release": "none"}
        )
    settings = load_settings(config)
    check_secrets(config, settings)
    check_names(config, settings)
    check_keys(config, settings)
    return settings


def _named(judges: "JudgeSettings", named: str | None, api_base: str | None) -> "JudgeSettings":
    """The judges of the settings, or the one that is named on the command line."""
    from primum.config.settings import ModelSettings
    from primum.errors import UsageError

    if named is None and api_base is not None:
        raise UsageError("--api-base goes with --judge; name the model that the server has")
    if named is None:
        return judges
    if named == "lexical":
        return judges.model_copy(update={"model": None, "panel": ()})
    like = judges.model.content() if judges.model else {}
    model = {**like, "name": named, **({"api_base": api_base} if api_base else {})}
    try:
        return judges.model_copy(update={"model": ModelSettings.model_validate(model), "panel": ()})
    except ValueError:
        raise UsageError(f"--api-base {api_base!r} is no address, such as http://localhost:8000/v1") from None


def _refuse_unknown(rubrics: "Iterable[str]", known: "Iterable[str]") -> None:
    from primum.errors import UsageError

    for rubric in rubrics:
        if rubric not in known:
            raise UsageError(f"there is no rubric {rubric!r}; choose one of {', '.join(sorted(known))}")
