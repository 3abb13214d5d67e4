"""The waivers of a project, as they lie there or as a git revision has them."""

import subprocess
from collections.abc import Sequence
from datetime import date, datetime
from pathlib import Path

from primum.app.workspace import Workspace
from primum.config.strict_yaml import read_yaml
from primum.errors import ConfigError, UsageError
from primum.policy import NEVER_WAIVED
from primum.records import GateReport
from primum.records.manifest import RunManifest
from primum.records.waiver import Waiver, WaiverFile
from primum.waivers import Waived, apply_waivers


def waived(work: Workspace, system: str, reports: Sequence[GateReport], manifest: RunManifest) -> Waived:
    """The gate reports of a system with the project's waivers applied; they are for the release system only.

    Raises:
        ConfigError: The waiver file is missing or wrong.
        UsageError: The revision cannot be read.
    """
    settings = work.project.settings
    waivers = read_waivers(work) if system == settings.release else ()
    started: date = datetime.fromisoformat(manifest.created_at).date()
    never = NEVER_WAIVED | set(settings.policy.never_waived)
    return apply_waivers(reports, waivers, system=system, never=never, on=started)


def read_waivers(work: Workspace) -> tuple[Waiver, ...]:
    """The waivers that the project names; none when it names no file.

    Raises:
        ConfigError: The file is missing or wrong, or a waiver names no gate or case that there is.
        UsageError: The revision cannot be read.
    """
    named = work.project.settings.waivers
    if named is None:
        if work.waivers_from is not None:
            raise UsageError(f"{work.project.path}: waivers names no file that {work.waivers_from} could have")
        return ()
    path = work.project.root / named
    text = None if work.waivers_from is None else _at_revision(path, work.waivers_from)
    found = read_yaml(path, WaiverFile, missing="write it, or take waivers out of the project file", text=text)
    for waiver in found.waivers:
        unknown = [case for case in waiver.cases if case not in work.project.all_cases]
        if unknown:
            raise ConfigError(f"{path}: waiver {waiver.id} names {unknown[0]}, and the dataset has no such case")
    return found.waivers


def _at_revision(path: Path, revision: str) -> str:
    """The file as a git revision has it."""
    command = ["git", "show", "--end-of-options", f"{revision}:./{path.name}"]
    try:
        shown = subprocess.run(command, cwd=path.parent, capture_output=True, check=False)  # noqa: S603 - git
    except OSError as error:
        raise UsageError(f"{path}: git cannot be run to read {revision}: {error.strerror}") from None
    if shown.returncode:
        raise UsageError(f"{path}: git has no such file at {revision}; fetch it, or add the file to it first")
    return shown.stdout.decode("utf-8", "replace")
