"""Files that can hold patient data are for their owner alone."""

import os
from pathlib import Path


def make_folder(folder: Path) -> None:
    """Makes the folder, and those above it that are missing, for the owner alone; those that are there stay.

    Raises:
        OSError: It cannot be made.
    """
    for missing in reversed([path for path in (folder, *folder.parents) if not path.exists()]):
        missing.mkdir(mode=0o700, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)  # raises when something else is in the way


def private(path: str, flags: int) -> int:
    """An opener for `open`: a file that it makes is for the owner alone, whatever the folder allows."""
    return os.open(path, flags, 0o600)
