"""The lock of a project: written beside it, committed, and compared when a run must not drift."""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Final

from pydantic import JsonValue, ValidationError

from primum import __version__
from primum.app import parts
from primum.app.drift import binding_settings, differences
from primum.app.project import Project
from primum.app.rubrics import known_rubrics
from primum.errors import ConfigError, UsageError, at
from primum.records.lock import Lock
from primum.report.write import write_whole

NAME: Final = "primum.lock.json"


def lock_of(project: Project) -> Lock:
    """What a run of the project would rest on now.

    Raises:
        ConfigError: a part of it cannot be made.
    """
    settings = project.settings
    rubrics = known_rubrics(settings.judges, project.root)
    systems = settings.systems.items()
    return Lock(
        primum=__version__,
        dataset=project.dataset.digest,
        corpus=project.corpus_digest,
        policy=settings.policy.digest(),
        gates={gate.id: gate.version for gate in parts.gates(project)},
        rubrics={name: rubrics[name].hash for name in settings.judges.rubrics},
        prompts=dict(_prompts(project)),
        generators={name: parts.generator(project, system.generator).fingerprint for name, system in systems},
        settings=binding_settings(settings),
        packages=dict(_packages()),
    )


def write_lock(project: Project) -> Path:
    """Writes the lock beside the project file, whole or not at all."""
    path = project.root / NAME
    write_whole(path, lock_of(project).model_dump_json(indent=1) + "\n")
    return path


def drift(project: Project) -> tuple[str, ...]:
    """What differs from the lock beside the project, such as ``policy`` or ``packages.numpy: 1.26.4, now 2.3.1``.

    Raises:
        ConfigError: There is no lock, or it is none.
    """
    then, now = read_lock(project.root / NAME).content(), lock_of(project).content()
    return tuple(_said(place, then, now) for place in differences(then, now))


def refuse_unlocked(project: Project) -> None:
    """Ends a run that must not drift, before anything is spent.

    Raises:
        UsageError: The project or its environment is not as it was locked.
        ConfigError: There is no lock.
    """
    changed = drift(project)
    if changed:
        raise UsageError(
            f"{project.root / NAME}: {len(changed)} differences, first {changed[0]}; see primum lock diff, "
            "and when the change is meant, lock again with: primum lock write"
        )


def read_lock(path: Path) -> Lock:
    """The lock in a file.

    Raises:
        ConfigError: It is missing or not what `write_lock` wrote.
    """
    again = "write it with: primum lock write"
    try:
        return Lock.model_validate_json(path.read_bytes())
    except OSError as error:
        raise ConfigError(f"{at(path)}: cannot be read: {error.strerror}; {again}") from None
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "the file"
        raise ConfigError(f"{at(path)}: {place}: {first['msg']}; {again}") from None


def _prompts(project: Project) -> Iterator[tuple[str, str]]:
    from primum_judges.model_judge import ModelJudge

    for judge in parts.judges(project):
        if isinstance(judge, ModelJudge):
            yield f"{judge.id}/{judge.rubric}", judge.prompt_hash


def _packages() -> Iterator[tuple[str, str]]:
    """What Primum depends on and is installed; tools of development change no result."""
    for requirement in sorted(requires("primum") or ()):
        name, marker = _NAME.match(requirement), _EXTRA.search(requirement)
        if name is None or (marker is not None and marker[1] in _TOOLS):
            continue
        with suppress(PackageNotFoundError):
            yield name[0], version(name[0])


_NAME: Final = re.compile(r"[A-Za-z0-9._-]+")
_EXTRA: Final = re.compile(r"extra\s*==\s*['\"]([\w-]+)")
_TOOLS: Final = frozenset({"build", "dev"})


def _said(place: str, then: Mapping[str, JsonValue], now: Mapping[str, JsonValue]) -> str:
    """A difference in words; digests are not worth printing."""
    first, _, rest = place.partition(".")
    if first not in ("packages", "gates", "primum"):
        return place
    before, after = then.get(first), now.get(first)
    if rest and isinstance(before, dict) and isinstance(after, dict):
        before, after = before.get(rest), after.get(rest)
    return f"{place}: {before or 'none'}, now {after or 'none'}"
