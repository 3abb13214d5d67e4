"""A rubric's text does not change under its version."""

import json
import shutil
from pathlib import Path

import pytest

from primum.errors import ConfigError
from primum.resources import shipped
from primum_judges.versions import check_versions


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the shipped rubrics."""
    return Path(shutil.copytree(shipped("rubrics"), tmp_path / "rubrics"))


def test_the_shipped_rubrics_are_what_was_recorded() -> None:
    """Whoever edits one raises its version and records it."""
    check_versions(shipped("rubrics"))


def test_an_edit_without_a_new_version_is_an_error(folder: Path) -> None:
    """However small."""
    path = folder / "relevance.md"
    path.write_text(path.read_text(encoding="utf-8").replace("Give exactly one label.", "Give one label."), "utf-8")
    with pytest.raises(ConfigError, match=r"relevance\.md: .* write version: 2"):
        check_versions(folder)


def test_a_new_version_is_recorded(folder: Path) -> None:
    """The message says what to add."""
    path = folder / "relevance.md"
    path.write_text(path.read_text(encoding="utf-8").replace("version: 1", "version: 2"), "utf-8")
    with pytest.raises(ConfigError) as caught:
        check_versions(folder)
    assert '"2": "' in str(caught.value)
    record = folder / "versions.json"
    recorded = json.loads(record.read_text(encoding="utf-8"))
    recorded["relevance"]["2"] = str(caught.value).split('"')[3]
    record.write_text(json.dumps(recorded), "utf-8")
    check_versions(folder)


@pytest.mark.parametrize("text", [None, "{", "[]", '{"relevance": 1}'])
def test_a_missing_or_broken_record_is_an_error(folder: Path, text: str | None) -> None:
    """Never a silent pass."""
    record = folder / "versions.json"
    record.unlink()
    if text is not None:
        record.write_text(text, "utf-8")
    with pytest.raises(ConfigError):
        check_versions(folder)
