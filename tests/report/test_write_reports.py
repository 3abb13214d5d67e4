"""Report files are there whole or not at all."""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from primum.errors import UsageError
from primum.records.summary import RunReport
from primum.report import render_html, write_reports
from primum.report.write import write_whole


def test_every_kind_is_written_and_nothing_else(make: Callable[..., RunReport], tmp_path: Path) -> None:
    """The folder is made; no part file stays behind."""
    folder = tmp_path / "runs" / "one"
    paths = write_reports(make(), folder)
    assert {"html", "json"} <= set(paths)
    assert sorted(folder.iterdir()) == sorted(paths.values())
    assert paths["html"].read_text("utf-8") == render_html(make())
    assert json.loads(paths["json"].read_bytes())["format"] == "primum.report/1"


def test_writing_again_replaces_with_equal_bytes(make: Callable[..., RunReport], tmp_path: Path) -> None:
    """Equal reports give equal files."""
    before = {kind: path.read_bytes() for kind, path in write_reports(make(), tmp_path).items()}
    assert {kind: path.read_bytes() for kind, path in write_reports(make(), tmp_path).items()} == before


def test_a_folder_that_cannot_be_written_is_named(make: Callable[..., RunReport], tmp_path: Path) -> None:
    """The message says where and what to do."""
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(UsageError, match=r"file.*cannot be written.*name another folder"):
        write_reports(make(), tmp_path / "file")


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    """Text that cannot be encoded stops the write before anything is replaced."""
    path = tmp_path / "report.html"
    path.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        write_whole(path, "new \ud800")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.fixture
def open_to_all() -> Iterator[None]:
    """A process whose new files would be for everybody."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("open_to_all")
def test_reports_are_for_the_owner_alone(make: Callable[..., RunReport], tmp_path: Path) -> None:
    """Answers may hold patient data; so are the folders that are made on the way, and no others."""
    there = tmp_path / "there"
    there.mkdir(mode=0o755)
    (there / "report.html").write_text("old")
    (there / "report.html").chmod(0o644)
    for folder in (there, there / "runs" / "one"):
        for path in write_reports(make(), folder, gate_reports=()).values():
            assert path.stat().st_mode & 0o777 == 0o600
    assert there.stat().st_mode & 0o777 == 0o755
    assert {(there / name).stat().st_mode & 0o777 for name in ("runs", "runs/one")} == {0o700}


def test_hostile_texts_reach_every_file(make: Callable[..., RunReport], tmp_path: Path) -> None:
    """Lone surrogates, which recorded answers can hold, do not stop a report."""
    paths = write_reports(make("\ud800\x00\u202e"), tmp_path)
    assert all(path.stat().st_size for path in paths.values())
