"""Data files inside of installed packages, such as weights: found without running any code of those packages."""

import hashlib
import importlib.util
from dataclasses import dataclass
from pathlib import Path

from primum.errors import MissingDependencyError


@dataclass(frozen=True)
class PackagedFile:
    """A data file inside an installed package, with the content that is expected of it."""

    package: str
    name: str
    sha256: str
    install: str
    """What brings it, for messages, such as ``pip install 'primum[demo]'``."""

    def locate(self) -> Path:
        """The file's path, found without importing its package.

        Raises:
            MissingDependencyError: the package, or the file in it, is not there.
        """
        spec = importlib.util.find_spec(self.package)
        for folder in (spec.submodule_search_locations or []) if spec else []:
            path = Path(folder) / self.name
            if path.is_file():
                return path
        raise MissingDependencyError(f"the file {self.package}/{self.name} is not installed; run: {self.install}")

    def verified(self) -> Path:
        """The file's path, once its content was found to be the expected one.

        Raises:
            MissingDependencyError: the file is missing, or is not the pinned one.
        """
        path = self.locate()
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        if found != self.sha256:
            raise MissingDependencyError(
                f"{self.package}/{self.name} has SHA-256 {found[:12]}..., not {self.sha256[:12]}...: "
                f"another version of the package, or a changed file; run: {self.install}"
            )
        return path


def require_package(name: str, *, why: str, install: str) -> None:
    """Raises MissingDependencyError unless the package `name` is installed; it is not imported."""
    if importlib.util.find_spec(name) is None:
        raise MissingDependencyError(f"{why} needs the package {name}; run: {install}")
