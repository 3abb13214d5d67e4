"""Finds the files that are shipped beside the code: rubrics and datasets."""

from pathlib import Path

from primum.errors import ConfigError

_PACKAGE = Path(__file__).resolve().parent


def shipped(name: str) -> Path:
    """The folder of shipped files called `name` (``rubrics`` or ``datasets``).

    An installed wheel has them inside the package; a checkout has them at its root.

    Raises:
        ConfigError: the folder is in neither place.
    """
    inside = _PACKAGE / "_shipped" / name
    if inside.is_dir():
        return inside
    root = _PACKAGE.parent.parent
    if (root / "pyproject.toml").is_file() and (root / name).is_dir():
        return root / name
    raise ConfigError(
        f"the shipped folder {name!r} is neither in {inside} nor in a checkout's root; "
        "install Primum again with: pip install --force-reinstall primum"
    )
