"""A project's own rubrics: listed, shown, checked, and judged by."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TONE = """\
---
id: tone
version: 1
title: Tone of the answer
scale: labels
labels: {kind: 1.0, curt: 0.0}
applies_to: [answered]
needs: [question]
pass_at: 0.5
---
Whether the answer is kind. Give exactly one label.
"""

PROJECT = """\
version: 1
name: ward
index: {memory: true}
systems: {ours: {generator: {kind: extractive}}}
release: ours
judges: {rubric_folder: rubrics, rubrics: [faithfulness, tone], model: {name: openai/any}}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project with one rubric of its own, whose version is recorded."""
    (tmp_path / "primum.yaml").write_text(PROJECT, encoding="utf-8")
    (tmp_path / "rubrics").mkdir()
    (tmp_path / "rubrics" / "tone.md").write_text(TONE, encoding="utf-8")
    return tmp_path


def rubrics(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Runs ``primum rubrics`` in a folder."""
    command = [sys.executable, "-c", "from primum.cli import main; main()", "rubrics", *arguments]
    return subprocess.run(
        command, cwd=folder, env={**os.environ, "NO_COLOR": "1"}, capture_output=True, text=True, check=False
    )


def test_own_rubrics_stand_beside_the_shipped_ones(folder: Path) -> None:
    """And are shown as a judge sees them."""
    listed = rubrics(folder, "list")
    assert [line.split()[0] for line in listed.stdout.splitlines()][-2:] == ["relevance", "tone"]
    shown = rubrics(folder, "show", "tone")
    assert "Whether the answer is kind." in shown.stdout
    assert "curt 0" in shown.stdout
    assert rubrics(folder, "show", "taste").returncode == 2


def test_lint_holds_a_text_to_its_version(folder: Path) -> None:
    """Record, edit, fail; raise the version, record, pass."""
    assert rubrics(folder, "lint").returncode == 2  # no record yet
    assert rubrics(folder, "lint", "--record").returncode == 0
    path = folder / "rubrics" / "tone.md"
    path.write_text(TONE.replace("kind.", "friendly."), encoding="utf-8")
    edited = rubrics(folder, "lint")
    assert edited.returncode == 2
    assert "write version: 2" in edited.stdout
    path.write_text(TONE.replace("kind.", "friendly.").replace("version: 1", "version: 2"), encoding="utf-8")
    assert rubrics(folder, "lint", "--record").stdout.startswith("recorded: tone 2")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("rubric_folder: nowhere", "judges.rubric_folder names no folder"),
        ("rubrics: [faithfulness]", "there is no rubric; write one"),
        ("", "judges.rubric_folder names no folder; name one"),
    ],
)
def test_a_folder_without_rubrics_is_told(tmp_path: Path, settings: str, message: str) -> None:
    """Nothing to check is not a pass."""
    judges = f"judges: {{{settings}}}" if "folder" in settings else "judges: {rubric_folder: .}" if settings else ""
    text = PROJECT.partition("judges:")[0] + judges + "\n"
    (tmp_path / "primum.yaml").write_text(text, encoding="utf-8")
    done = rubrics(tmp_path, "lint")
    assert done.returncode == 2
    assert message in done.stderr


def test_a_shipped_rubric_is_not_replaced(folder: Path) -> None:
    """Verdicts by two rubrics of one name would look alike."""
    (folder / "rubrics" / "relevance.md").write_text(TONE.replace("id: tone", "id: relevance"), encoding="utf-8")
    done = rubrics(folder, "list")
    assert done.returncode == 2
    assert "choose another id" in done.stderr
