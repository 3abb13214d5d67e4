"""Holds rubric files to their versions: a text that changed has a new number."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from pydantic import TypeAdapter, ValidationError

from primum.errors import ConfigError, at
from primum_judges.rubric import Rubric, load_rubrics, rubric_files

RECORD: Final = "versions.json"
"""The file beside the rubrics that holds, for each id and version, the hash that was released; it is committed."""

_Recorded: Final = TypeAdapter(dict[str, dict[str, str]])


def lint_rubrics(folder: Path) -> tuple[str, ...]:
    """Everything that is wrong with the rubrics of a folder, each with its place and a fix; empty when nothing is.

    A verdict bears its rubric's id, version and hash. Were a text changed under the same version, verdicts on two texts
    would look alike to people, so a text that is not what `RECORD` holds for its version is a mistake.

    Raises:
        ConfigError: The record is missing or is not one.
    """
    recorded = _read(folder / RECORD)
    problems: list[str] = []
    for path in rubric_files(folder):
        try:
            (rubric,) = load_rubrics(folder, only=path).values()
        except ConfigError as error:
            problems.append(str(error))
        else:
            problems.extend(_unlike_its_record(rubric, path, recorded))
    return tuple(problems)


def record_versions(folder: Path) -> tuple[str, ...]:
    """Records the versions that are new; returns them, such as ``tone 2``.

    Raises:
        ConfigError: A rubric is wrong, or its text changed and its version did not.
    """
    path = folder / RECORD
    recorded = _read(path) if path.exists() else {}
    rubrics = load_rubrics(folder)
    changed = [rubric for rubric in rubrics.values() if _known(rubric, recorded) not in (None, rubric.hash)]
    if changed:
        place = folder / f"{changed[0].id}.md"
        raise ConfigError("; ".join(_unlike_its_record(changed[0], place, recorded)))
    new = [rubric for rubric in rubrics.values() if _known(rubric, recorded) is None]
    for rubric in new:
        recorded = {**recorded, rubric.id: {**recorded.get(rubric.id, {}), str(rubric.version): rubric.hash}}
    path.write_text(json.dumps(recorded, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    return tuple(f"{rubric.id} {rubric.version}" for rubric in new)


def _known(rubric: Rubric, recorded: Mapping[str, Mapping[str, str]]) -> str | None:
    return recorded.get(rubric.id, {}).get(str(rubric.version))


def _unlike_its_record(rubric: Rubric, path: Path, recorded: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    known = _known(rubric, recorded)
    if known is None:
        record = f"primum rubrics lint --record {path.parent}"
        yield f"{at(path)}: version {rubric.version} is not recorded; record it: {record}"
    elif known != rubric.hash:
        yield f"{at(path)}: the text changed and its version did not; write version: {rubric.version + 1}"


def _read(path: Path) -> dict[str, dict[str, str]]:
    try:
        return _Recorded.validate_json(path.read_bytes())
    except FileNotFoundError:
        raise ConfigError(
            f"{at(path)}: there is no record of the rubrics' versions; make it: "
            f"primum rubrics lint --record {path.parent}"
        ) from None
    except ValidationError as error:
        problem = error.errors(include_url=False, include_input=False, include_context=False)[0]["msg"]
        raise ConfigError(f"{at(path)}: not an object of rubric ids with version: hash: {problem}") from None
