"""Holds rubric files to their versions: a text that changed has a new number."""

from pathlib import Path
from typing import Final

from pydantic import TypeAdapter, ValidationError

from primum.errors import ConfigError, at
from primum_judges.rubric import load_rubrics

RECORD: Final = "versions.json"
"""The file beside the rubrics that holds, for each id and version, the hash that was released."""

_Recorded: Final = TypeAdapter(dict[str, dict[str, str]])


def check_versions(folder: Path) -> None:
    """Compares the rubrics of a folder with the hashes recorded in its ``versions.json``.

    A verdict bears its rubric's id, version and hash. Were a text changed under the same version, verdicts on two texts
    would look alike to people.

    Raises:
        ConfigError: a text changed and its version did not, or a version is not recorded; with what to do.
    """
    path = folder / RECORD
    try:
        recorded = _Recorded.validate_json(path.read_bytes())
    except FileNotFoundError:
        raise ConfigError(f"{at(path)}: there is no record of the rubrics' versions; write one with {{}}") from None
    except ValidationError as error:
        problem = error.errors(include_url=False, include_input=False, include_context=False)[0]["msg"]
        raise ConfigError(f"{at(path)}: not an object of rubric ids with version: hash: {problem}") from None
    for rubric in load_rubrics(folder).values():
        known = recorded.get(rubric.id, {}).get(str(rubric.version))
        place = at(folder / f"{rubric.id}.md")
        if known is None:
            raise ConfigError(
                f'{place}: version {rubric.version} is not recorded; add "{rubric.version}": "{rubric.hash}" '
                f"under {rubric.id} in {path}"
            )
        if known != rubric.hash:
            raise ConfigError(f"{place}: the text changed and its version did not; write version: {rubric.version + 1}")
