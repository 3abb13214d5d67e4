"""What the commands print."""

import io
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager, redirect_stdout

import click
from rich.console import Console

from primum.app.outcome import Written
from primum.report.terminal import print_report


class _Reader(Console):
    """A console whose reader may leave early, as ``head`` does, without that becoming the command's exit code."""

    def on_broken_pipe(self) -> None:
        """Rich would exit with 1, which means blocked."""
        raise BrokenPipeError


def console() -> Console:
    """Standard output; what its encoding lacks is replaced rather than raised."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    return _Reader(highlight=False)


def error_console() -> Console:
    """Standard error, for progress."""
    return Console(stderr=True, highlight=False)


def show(written: Written) -> None:
    """Prints a report and where its files are."""
    try:
        print_report(written.content, console())
        click.echo(f"{'run':<8} {written.content.manifest.run}")
        for kind, path in written.files.items():
            click.echo(f"{kind:<8} {path}")
        sys.stdout.flush()
    except BrokenPipeError:
        # Nobody reads on. What is still in the buffer must not fail when the interpreter ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def results_only() -> Generator[None]:
    """Keeps standard output for what Primum says: what the user's own code prints goes to standard error."""
    with redirect_stdout(sys.stderr):
        yield
