"""What ``primum gate FILE`` prints; words of answers and passages are made safe for the terminal."""

from pathlib import Path

import click


def show_gated(file: Path, out: Path | None, required: tuple[str, ...]) -> int:
    """Runs the gates on a file of exchanges and prints what they say."""
    from primum.app.gate_file import gate_file
    from primum.policy import BOUNDED_GATE
    from primum.report.text import one_line

    found = gate_file(file, out, required=required)
    code = found.exit_code(required)
    words = {0: "PASS", 1: "BLOCK", 3: "INCONCLUSIVE"}
    undecided = f", {found.undecided} not decided" if found.undecided else ""
    click.echo(f"{words[code]} {found.blocked} of {found.exchanges} exchanges fail{undecided}")
    for name, applied in found.applied.items():
        bounded = ", bounded as a share" if name == BOUNDED_GATE else ""
        missing = ", required" if name in required else ""
        said = f"{found.failed[name]}/{applied} fail{bounded}" if applied else f"? 0/0 nothing to check{missing}"
        click.echo(f"  {name:<18}{said}")
    for id_, reason, message in found.first:
        click.echo(f"{one_line(id_, 60)}: {one_line(reason)}: {one_line(message)}")
    if out is not None:
        click.echo(f"findings  {one_line(str(out))}")
    return code
