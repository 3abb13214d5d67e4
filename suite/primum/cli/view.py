"""What the commands print."""

import io
import sys

import click
from rich.console import Console

from primum.app.outcome import Written
from primum.report.terminal import print_report


def console() -> Console:
    """Standard output; what its encoding lacks is replaced rather than raised."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    return Console(highlight=False)


def error_console() -> Console:
    """Standard error, for progress."""
    return Console(stderr=True, highlight=False)


def show(written: Written) -> None:
    """Prints a report and where its files are."""
    print_report(written.content, console())
    for kind, path in written.files.items():
        click.echo(f"{kind:<8} {path}")
