"""Whether a project still says what a run set out to do; results under other rules are another run."""

from collections.abc import Iterator

from pydantic import JsonValue

from primum.app.project import Project
from primum.config import Settings
from primum.errors import UsageError
from primum.records.manifest import RunManifest
from primum.store import redact_settings

OPERATIONAL = frozenset({"baseline", "concurrency", "output", "title", "waivers"})
"""Settings that change how work is done or shown and no result."""


def binding_settings(settings: Settings) -> dict[str, JsonValue]:
    """The settings that results depend on, free of secrets."""
    content: dict[str, JsonValue] = settings.model_dump(mode="json", exclude=set(OPERATIONAL))
    return dict(redact_settings(content))


def refuse_drift(project: Project, then: RunManifest) -> None:
    """Compares the project with what the run was started under.

    Raises:
        UsageError: names every setting that changed, or the dataset.
    """
    changed = list(differences(dict(then.settings), binding_settings(project.settings)))
    if then.dataset_digest != project.dataset.digest:
        changed.append("the files of the dataset")
    if changed:
        raise UsageError(
            f"run {then.run} was started under other rules: {', '.join(changed)} changed since; "
            "put that back, or start a new run: primum run"
        )


def differences(then: JsonValue, now: JsonValue, place: str = "") -> Iterator[str]:
    """The places at which two plain values differ, as dotted names."""
    if isinstance(then, dict) and isinstance(now, dict):
        for key in sorted({*then, *now}):
            yield from differences(then.get(key), now.get(key), f"{place}.{key}" if place else key)
    elif then != now:
        yield place
