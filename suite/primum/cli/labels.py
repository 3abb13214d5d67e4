"""``primum disagreements`` and ``primum calibrate``: what people should look at, and what their labels say."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from primum.cli.options import CONFIG, RUN, workspace

if TYPE_CHECKING:
    from primum.records.interval import Interval
    from primum.statistics.krippendorff import Alpha
    from primum_judges.calibration import Calibration

LABELS = click.Path(path_type=Path, dir_okay=False)


@click.command()
@click.argument("run_id", metavar="[RUN]", required=False)
@CONFIG
@click.option("--labels", type=LABELS, help="Labels of people or references, one JSON object a line.")
@click.option("--limit", type=click.IntRange(1), default=20, show_default=True, help="How many to list.")
def disagreements(run_id: str | None, config: Path, labels: Path | None, limit: int) -> int:
    """List what judges, gates and people say differently about a RUN, worst first.

    The whole queue is written to disagreements.json in the output folder. RUN is the newest one if left out.
    """
    from primum.app.disagreements import QUEUE, disagreement_queue
    from primum.report.text import one_line

    with workspace(config) as work:
        found = disagreement_queue(work, work.run_id(run_id), labels)
        path = work.output / QUEUE
    for one in found[:limit]:
        head = f"{one.severity:<8} {one.between:<11} margin {one.margin:.2f}  {one.observation_id}  {one.rubric}"
        click.echo(f"{one_line(head, 300)}\n    {one_line(one.reason, 300)}")
    click.echo(f"{len(found)} disagreements, {min(limit, len(found))} listed: {path}")
    return 0


@click.command()
@click.argument("labels", type=LABELS)
@CONFIG
@RUN
def calibrate(labels: Path, config: Path, run_id: str | None) -> int:
    """Compare the judges of a run with the LABELS of people, one JSON object a line.

    A label has observation_id, rubric, rater and status (pass or fail), and may have a score from 0 to 1.
    """
    from primum.app.disagreements import calibrate_run
    from primum.errors import UsageError
    from primum.report.text import one_line

    with workspace(config, read_only=True) as work:
        found = calibrate_run(work, work.run_id(run_id), labels)
    if not found:
        raise UsageError(f"{labels}: no judge judged by a rubric that is labelled; judge first: primum judge")
    for calibration in found:
        for line in _lines(calibration):
            indent = len(line) - len(line.lstrip())
            click.echo(" " * indent + one_line(line, 300))
    return 0


def _lines(found: "Calibration") -> Iterator[str]:
    from primum.report.numbers import rate

    yield f"{found.judge} on {found.rubric}: {found.labelled} labelled answers, {found.left_out} left out"
    cells = found.confusion
    yield "                 judge fails  judge passes"
    yield f"  people fail    {cells.true_positive:<11}  {cells.false_negative}"
    yield f"  people pass    {cells.false_positive:<11}  {cells.true_negative}"
    if found.errors and found.agreement:
        yield f"  sensitivity    {rate(found.errors.sensitivity.rate)} {found.errors.sensitivity.wilson or ''}"
        yield f"  specificity    {rate(found.errors.specificity.rate)} {found.errors.specificity.wilson or ''}"
        kappa, ac1 = found.agreement.kappa, found.agreement.ac1
        yield f"  Cohen's kappa  {_number(kappa.value, kappa.reason)} {_families(found.kappa_interval)}"
        yield f"  Gwet's AC1     {_number(ac1.value, ac1.reason)} {_families(found.ac1_interval)}"
    if found.graded:
        linear, quadratic = found.graded.linear_kappa, found.graded.quadratic_kappa
        yield f"  weighted kappa {_number(linear.value, linear.reason)} linear, "
        yield f"                 {_number(quadratic.value, quadratic.reason)} quadratic, on grades"
    yield f"  alpha          {_alpha(found.alpha)}, the judge among people"
    yield f"  people alone   {_alpha(found.people)}"
    yield f"  fails          {rate(found.raw)} by the judge"
    if found.refused:
        yield f"  corrected      refused: {found.refused}"
    corrected = found.corrected
    if corrected and corrected.clipped is not None:
        yield f"  corrected      {corrected.clipped:.3f} (Rogan-Gladen, error {corrected.standard_error:.3f})"
    if found.powered:
        yield f"  corrected      {found.powered.estimate:.3f} {found.powered.interval} (prediction-powered)"


def _number(value: float | None, reason: str | None) -> str:
    return f"none: {reason}" if value is None else f"{value:.3f}"


def _families(interval: "Interval | None") -> str:
    return f"{interval} (95%, by families)" if interval else "(no interval: too few families)"


def _alpha(alpha: "Alpha") -> str:
    return f"{_number(alpha.value, alpha.reason)} (Krippendorff, {alpha.units} answers)"
