"""Data files inside of installed packages."""

import hashlib
import sys
from pathlib import Path

import pytest

from primum.errors import MissingDependencyError
from primum.packaged import PackagedFile, require_package


@pytest.fixture
def weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PackagedFile:
    """A package whose code must not run, and a file in it."""
    folder = tmp_path / "zyx_weights"
    folder.mkdir()
    (folder / "__init__.py").write_text("raise RuntimeError('imported')", encoding="utf-8")
    (folder / "model.bin").write_bytes(b"weights")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    sha256 = hashlib.sha256(b"weights").hexdigest()
    return PackagedFile(package="zyx_weights", name="model.bin", sha256=sha256, install="make weights")


def test_a_file_is_found_and_checked_and_its_package_is_not_imported(weights: PackagedFile) -> None:
    """Its code would raise."""
    assert weights.verified().read_bytes() == b"weights"
    assert "zyx_weights" not in sys.modules


def test_a_changed_file_is_refused(weights: PackagedFile) -> None:
    """With the command that brings the right one."""
    weights.locate().write_bytes(b"other")
    with pytest.raises(MissingDependencyError, match=r"SHA-256 .* run: make weights"):
        weights.verified()


@pytest.mark.parametrize(("package", "name"), [("zyx_weights", "gone.bin"), ("zyx_no_such_package", "model.bin")])
def test_an_absent_file_names_the_command(weights: PackagedFile, package: str, name: str) -> None:
    """Whether the package is missing or only the file."""
    absent = PackagedFile(package=package, name=name, sha256=weights.sha256, install=weights.install)
    with pytest.raises(MissingDependencyError, match=f"{package}/{name} is not installed; run: make weights"):
        absent.verified()


def test_an_absent_package_names_who_needs_it() -> None:
    """And the command that brings it."""
    with pytest.raises(MissingDependencyError, match="the model needs the package zyx_no_such_package; run: make it"):
        require_package("zyx_no_such_package", why="the model", install="make it")
