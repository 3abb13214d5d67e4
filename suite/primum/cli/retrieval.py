"""``primum retrieval``: did retrieval find the evidence? Without a generator, for every pull request."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from primum.cli.options import CONFIG, project_only

if TYPE_CHECKING:
    from primum.records.retrieval_summary import RetrievalSummary

_FILE = click.Path(path_type=Path, dir_okay=False)
_FOLDER = click.Path(path_type=Path, file_okay=False)


@click.command(short_help="Evaluate retrieval alone, of a project or of files.")
@CONFIG
@click.option("--parallel", type=click.IntRange(min=1), metavar="N", help="Searches at once.")
@click.option("--throwaway", metavar="COMMIT", help="Build a collection for this commit, and delete it afterwards.")
@click.option("--baseline", type=_FILE, help="Compare with this file instead of the project's.")
@click.option("--no-diagnose", is_flag=True, help="Do not search again for diagnostics.")
@click.option("--families", is_flag=True, help="Show every family.")
@click.option("--misses", type=click.IntRange(min=0), default=10, show_default=True, help="Misses to show.")
@click.option("-o", "--output", type=_FOLDER, help="Folder for the reports, instead of the project's output folder.")
@click.option("--write-run", type=_FILE, help="Write the rankings as a TREC run.")
@click.option("--write-qrels", type=_FILE, help="Write the judgments as TREC qrels.")
@click.option("--run", "run_file", type=_FILE, help="Score this TREC run, with no project.")
@click.option("--qrels", type=_FILE, help="Its judgments.")
@click.option("--golden", type=_FILE, help="Score rankings against this golden set (JSON Lines), with no project.")
@click.option("--rankings", type=_FILE, help="The recorded rankings (JSON Lines).")
@click.option("--update-baseline", is_flag=True, help="Of files: make this the accepted one, in the file --baseline.")
@click.option("--accept-regressions", is_flag=True, help="Also when it got worse.")
@click.option("--cutoffs", default="1,3,5,10", show_default=True, help="Values of k for files.")
def retrieval(
    config: Path,
    parallel: int | None,
    throwaway: str | None,
    baseline: Path | None,
    no_diagnose: bool,
    families: bool,
    misses: int,
    output: Path | None,
    write_run: Path | None,
    write_qrels: Path | None,
    run_file: Path | None,
    qrels: Path | None,
    golden: Path | None,
    rankings: Path | None,
    update_baseline: bool,
    accept_regressions: bool,
    cutoffs: str,
) -> int:
    """Evaluate retrieval alone: measures, forbidden chunks, misses, thresholds, and the fall against a baseline.

    With --run and --qrels, or --golden and --rankings, it scores files and needs no project.

    Exits with 0 pass, 1 blocked, 2 usage, configuration or dataset error, 3 inconclusive.
    """
    if (run_file, qrels, golden, rankings) != (None,) * 4:
        accepted = None if update_baseline and baseline is not None and not baseline.exists() else baseline
        summary = _of_files(run_file, qrels, golden, rankings, accepted, _numbers(cutoffs))
        folder = output
    elif update_baseline:
        raise click.UsageError("the baseline of a project is made with: primum baseline update --retrieval")
    else:
        from primum.app.retrieval import Options, evaluate
        from primum.app.retrieval_files import write_trec

        options = Options(parallel=parallel, throwaway=throwaway, baseline=baseline, diagnose=not no_diagnose)
        with project_only(config) as (project, kept, progress):
            evaluation = evaluate(project, kept, progress, options)
        summary, folder = evaluation.summary, output or kept
        write_trec(project, evaluation.rankings, run=write_run, qrels=write_qrels)
    _show(summary, folder, families=families, misses=misses)
    if not update_baseline:
        return summary.decision.exit_code
    if baseline is None:
        raise click.UsageError("--update-baseline needs --baseline FILE")
    return _accept(baseline, summary, regressions=accept_regressions)


def update_baseline(config: Path, *, accept_regressions: bool) -> int:
    """Evaluates, shows the difference to the accepted retrieval, and puts this one in its place."""
    from primum.app.retrieval import Options, evaluate, named_baseline

    with project_only(config) as (project, kept, progress):
        path = named_baseline(project)
        options = Options(compare=path.exists(), diagnose=False)
        summary = evaluate(project, kept, progress, options).summary
    _show(summary, None, families=False, misses=0)
    return _accept(path, summary, regressions=accept_regressions)


def _accept(path: Path, summary: "RetrievalSummary", *, regressions: bool) -> int:
    from primum.app.retrieval_baseline import accept_retrieval
    from primum.report.text import one_line

    accept_retrieval(path, summary, regressions=regressions)
    click.echo(one_line(f"accepted: {path}; commit it", 400))
    return 0


def _of_files(
    run: Path | None,
    qrels: Path | None,
    golden: Path | None,
    rankings: Path | None,
    baseline: Path | None,
    cutoffs: tuple[int, ...],
) -> "RetrievalSummary":
    from primum.app.retrieval_baseline import read_baseline
    from primum.app.retrieval_files import summarise_golden, summarise_trec
    from primum.evaluation import compare_with_baseline
    from primum.evaluation.summary import with_findings

    accepted = read_baseline(baseline) if baseline is not None else None
    if run is not None and qrels is not None and golden is None and rankings is None:
        summary, what = summarise_trec(run, qrels, cutoffs)
    elif golden is not None and rankings is not None and run is None and qrels is None:
        summary, what = summarise_golden(golden, rankings, cutoffs)
    else:
        raise click.UsageError("give --run with --qrels, or --golden with --rankings")
    if accepted is None:
        return summary
    return with_findings(summary, what, comparison=compare_with_baseline(accepted, summary))


def _show(summary: "RetrievalSummary", folder: Path | None, *, families: bool, misses: int) -> None:
    from primum.report.retrieval_lines import retrieval_lines
    from primum.report.retrieval_write import write_retrieval

    files = write_retrieval(summary, folder) if folder is not None else {}
    for line in retrieval_lines(summary, families=families, misses=misses):
        click.echo(line)
    for kind, path in files.items():
        click.echo(f"{kind:<12}{path}")


def _numbers(text: str) -> tuple[int, ...]:
    parts: Iterable[str] = text.split(",")
    try:
        found = tuple(sorted({int(part) for part in parts}))
    except ValueError:
        found = (0,)
    if found[0] < 1:
        raise click.UsageError("--cutoffs are whole numbers from 1 up, such as 1,3,5,10")
    return found
