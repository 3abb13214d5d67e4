"""A rubric's text does not change under its version."""

import json
import shutil
from pathlib import Path

import pytest

from primum.errors import ConfigError
from primum.resources import shipped
from primum_judges.versions import lint_rubrics, record_versions


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the shipped rubrics."""
    return Path(shutil.copytree(shipped("rubrics"), tmp_path / "rubrics"))


def edit(path: Path, old: str, new: str) -> None:
    """Changes a text in a file."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_the_shipped_rubrics_are_what_was_recorded() -> None:
    """Whoever edits one raises its version and records it."""
    assert lint_rubrics(shipped("rubrics")) == ()


def test_an_edit_without_a_new_version_is_an_error(folder: Path) -> None:
    """However small; and recording does not help."""
    edit(folder / "relevance.md", "Give exactly one label.", "Give one label.")
    (problem,) = lint_rubrics(folder)
    assert "relevance.md: the text changed and its version did not; write version: 2" in problem
    with pytest.raises(ConfigError, match="write version: 2"):
        record_versions(folder)


def test_a_new_version_is_recorded(folder: Path) -> None:
    """The old one stays on record."""
    edit(folder / "relevance.md", "version: 1", "version: 2")
    (problem,) = lint_rubrics(folder)
    assert "version 2 is not recorded" in problem
    assert record_versions(folder) == ("relevance 2",)
    assert lint_rubrics(folder) == ()
    assert record_versions(folder) == ()
    assert set(json.loads((folder / "versions.json").read_text(encoding="utf-8"))["relevance"]) == {"1", "2"}


def test_every_mistake_is_told_at_once(folder: Path) -> None:
    """With its file and line."""
    edit(folder / "relevance.md", "scale: labels", "scale: stars")
    edit(folder / "completeness.md", "id: completeness", "id: complete")
    problems = lint_rubrics(folder)
    assert len(problems) == 2
    assert "must be called complete.md" in problems[0]
    assert "relevance.md:5" in problems[1]


@pytest.mark.parametrize("text", [None, "{", "[]", '{"relevance": 1}'])
def test_a_missing_or_broken_record_is_an_error(folder: Path, text: str | None) -> None:
    """Never a silent pass."""
    record = folder / "versions.json"
    record.unlink()
    if text is not None:
        record.write_text(text, "utf-8")
    with pytest.raises(ConfigError):
        lint_rubrics(folder)
