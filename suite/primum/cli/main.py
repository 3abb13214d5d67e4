"""Where every command ends: with a documented exit code, and with words that are safe to show."""

import sys
from collections.abc import Sequence

import click

from primum.cli.commands import primum
from primum.errors import PrimumError

INTERRUPTED = 130
UNEXPECTED = 3
"""An unexpected error means that nothing was decided; Python's own 1 would read as a block."""


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
    except SystemExit as error:
        # click itself ends so when the reader of its output left; any other one comes from a user's code.
        left = _raised_in(error) == "click.core"
        code = INTERRUPTED if left else UNEXPECTED
        if not left:
            _say_unexpected(error)
    except BaseException as error:  # noqa: BLE001 - any other end would read as a decision
        _say_unexpected(error)
        code = UNEXPECTED
    sys.exit(code)


def _raised_in(error: BaseException) -> str:
    """The module of the innermost frame."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return str(trace.tb_frame.f_globals.get("__name__")) if trace is not None else ""


def _say(message: str) -> None:
    from primum.report.text import one_line

    lines = [one_line(line, 2_000) for line in message.splitlines()]
    click.echo(click.style("primum: ", bold=True) + "\n".join(lines), err=True)


def _say_unexpected(error: BaseException) -> None:
    """Where it happened and its type. The error's own words may be about a patient."""
    import traceback

    click.echo("".join(traceback.format_tb(error.__traceback__)), err=True, nl=False)
    _say(f"unexpected {type(error).__name__}, nothing was decided; please report it with the lines above")
