"""Rubric files are read strictly."""

from pathlib import Path

import pytest

from primum.errors import ConfigError
from primum.records import KeyField, Outcome
from primum_judges import load_rubric, load_rubrics, shipped_rubrics

GOOD = """---
id: tone
version: 2
title: Tone
scale: labels
labels: {kind: 1.0, blunt: 0.0}
applies_to: [answered]
needs: [question, reference]
pass_at: 1.0
---

Judge the tone.
"""


def written(tmp_path: Path, text: str, name: str = "tone.md") -> Path:
    """A rubric file."""
    path = tmp_path / name
    path.write_bytes(text.encode())
    return path


def test_the_shipped_rubrics_are_read() -> None:
    """Their ids are their files' names."""
    rubrics = shipped_rubrics()
    assert {"faithfulness", "relevance"} <= set(rubrics)
    assert all(rubric.id == name for name, rubric in rubrics.items())
    assert rubrics["faithfulness"].pass_at == 1.0


def test_a_users_own_rubric_is_read(tmp_path: Path) -> None:
    """Front matter and text."""
    rubric = load_rubric(written(tmp_path, GOOD))
    assert (rubric.id, rubric.version, rubric.text) == ("tone", 2, "Judge the tone.")
    assert rubric.applies_to == {Outcome.ANSWERED}
    assert rubric.key_needs == {KeyField.REFERENCE}
    assert dict(rubric.labels) == {"kind": 1.0, "blunt": 0.0}


def test_the_hash_changes_with_every_character_but_not_with_line_ends(tmp_path: Path) -> None:
    """A checkout on another system has the same rubric."""
    first = load_rubric(written(tmp_path, GOOD)).hash
    assert load_rubric(written(tmp_path, GOOD.replace("\n", "\r\n"))).hash == first
    assert load_rubric(written(tmp_path, GOOD.replace("the tone", "its tone"))).hash != first
    assert load_rubric(written(tmp_path, GOOD.replace("pass_at: 1.0", "pass_at: 0.5"))).hash != first


@pytest.mark.parametrize(
    ("old", "new", "place", "says"),
    [
        ("---\nid", "id", ":1:", "front matter"),
        ("---\n\nJudge", "\nJudge", ":1:", "front matter"),
        ("\nJudge the tone.\n", "", ":10:", "no text"),
        ("version: 2", "version: 0", ":3:1:", "version"),
        ("version: 2", "version: two", ":3:1:", "version"),
        ("title: Tone\n", "", ":1:", "title"),
        ("title: Tone", "title: Tone\ncolour: red", ":5:1:", "colour"),
        ("title: Tone", "title: Tone\ntitle: Tune", ":5:1:", "duplicate"),
        ("title: Tone", "title: [", ":6:", "YAML"),
        ("[answered]", "[answered, sung]", ":7:", "applies_to.1"),
        ("[answered]", "[]", ":7:", "applies_to"),
        ("[question, reference]", "[question, prayer]", ":8:", "needs.1"),
        ("pass_at: 1.0", "pass_at: 1.5", ":9:1:", "pass_at"),
        ("pass_at: 1.0", "pass_at: .nan", ":9:", "finite"),
        ("pass_at: 1.0", "pass_at: 1.0\nhash: abc", ":10:1:", "hash"),
        ("blunt: 0.0", "blunt: 1.2", ":1:", "score from 0 to 1"),
        (", blunt: 0.0", "", ":1:", "at least two"),
        ("scale: labels", "scale: claims", ":1:", "labels"),
        ("id: tone", "id: Tone Of Voice", ":2:1:", "id"),
    ],
)
def test_a_mistake_is_named_with_file_and_line(tmp_path: Path, old: str, new: str, place: str, says: str) -> None:
    """The place is clickable."""
    assert old in GOOD
    path = written(tmp_path, GOOD.replace(old, new, 1))
    with pytest.raises(ConfigError) as caught:
        load_rubric(path)
    assert f"{path}{place}" in str(caught.value)
    assert says in str(caught.value)


def test_a_file_that_is_not_utf_8_is_named(tmp_path: Path) -> None:
    """With what to do."""
    path = tmp_path / "tone.md"
    path.write_bytes(GOOD.encode() + b"\xff")
    with pytest.raises(ConfigError, match="save it as UTF-8"):
        load_rubric(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    """As a configuration error."""
    with pytest.raises(ConfigError, match=r"absent\.md"):
        load_rubric(tmp_path / "absent.md")


def test_a_file_is_named_after_its_rubric(tmp_path: Path) -> None:
    """So that a rubric is found by its id."""
    written(tmp_path, GOOD, "voice.md")
    with pytest.raises(ConfigError, match=r"must be called tone\.md"):
        load_rubrics(tmp_path)
