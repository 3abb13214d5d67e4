"""The rubrics that a project knows: those that come with Primum, and those in its own folder."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from primum.config.settings import JudgeSettings
from primum.errors import ConfigError, at

if TYPE_CHECKING:
    from primum_judges import Rubric


def known_rubrics(settings: JudgeSettings, root: Path) -> "Mapping[str, Rubric]":
    """Every rubric by id.

    Args:
        settings: Name the folder of the project's own rubrics, if it has one.
        root: The folder that this is relative to.

    Raises:
        ConfigError: The folder is missing, or one of its rubrics is wrong or bears the id of a shipped one.
    """
    from primum_judges import load_rubrics, shipped_rubrics

    shipped = shipped_rubrics()
    folder = own_folder(settings, root)
    if folder is None:
        return shipped
    own = load_rubrics(folder)
    taken = sorted(set(own) & set(shipped))
    if taken:
        raise ConfigError(f"{at(folder / f'{taken[0]}.md')}: {taken[0]} is a rubric of Primum's; choose another id")
    return {**shipped, **own}


def own_folder(settings: JudgeSettings, root: Path) -> Path | None:
    """The folder of the project's own rubrics; None when it has none.

    Raises:
        ConfigError: The folder that is named is not there.
    """
    if settings.rubric_folder is None:
        return None
    folder = root / settings.rubric_folder
    if not folder.is_dir():
        raise ConfigError(f"{at(folder)}: judges.rubric_folder names no folder; make it, or leave the setting out")
    return folder
