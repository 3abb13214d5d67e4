"""The lock: nothing that a decision rests on changes unseen."""

import json
from collections.abc import Callable
from typing import Any

import pytest

Ward = Any
"""What the fixture `ward` offers."""


def test_an_unchanged_project_runs_locked(ward: Ward) -> None:
    written = ward.primum("lock", "write")
    assert written.returncode == 0, written.stderr
    assert ward.primum("lock", "diff").stdout == "nothing differs\n"
    assert ward.primum("run", "--locked").returncode == 0
    content = json.loads((ward.folder / "primum.lock.json").read_text())
    assert set(content["rubrics"]) == {"faithfulness", "relevance"}
    assert "numpy" in content["packages"]
    assert "pytest" not in content["packages"]


@pytest.mark.parametrize(
    ("file", "old", "new", "place"),
    [
        ("primum.yaml", "limit: 4", "limit: 5", "settings.retrieval.limit"),
        ("primum.yaml", "release: ours", "release: ours\npolicy: {judged_minimum: 0.5}", "policy"),
        ("cases.jsonl", "adult dose of", "usual adult dose of", "dataset"),
        ("documents/mono-lumaxolol.md", "in asthma", "in severe asthma", "corpus"),
        ("our_rag.py", "END =", "NEW = 1\nEND =", "generators.ours"),
    ],
)
def test_each_change_is_named_and_ends_a_locked_run(ward: Ward, file: str, old: str, new: str, place: str) -> None:
    """Before anything is asked; without --locked the run goes on."""
    ward.primum("lock", "write")
    path = ward.folder / file
    content = path.read_text()
    assert old in content
    path.write_text(content.replace(old, new))
    if file == "documents/mono-lumaxolol.md":
        cases = ward.folder / "cases.jsonl"
        cases.write_text(cases.read_text().replace("given in asthma.", "given in severe asthma."))
    shown = ward.primum("lock", "diff")
    assert shown.returncode == 2, shown.stderr
    assert place in shown.stdout.splitlines()
    refused = ward.primum("run", "--locked")
    assert refused.returncode == 2
    assert "primum lock diff" in refused.stderr
    assert ward.asked == []


def test_another_version_of_a_package_is_named(ward: Ward) -> None:
    ward.primum("lock", "write")
    path = ward.folder / "primum.lock.json"
    content = json.loads(path.read_text())
    content["packages"]["numpy"] = "0.1"
    path.write_text(json.dumps(content))
    assert "packages.numpy: 0.1, now " in ward.primum("lock", "diff").stdout


@pytest.mark.parametrize("content", [None, "{", "{}"])
def test_a_missing_or_broken_lock_is_a_usage_error(ward: Ward, content: str | None) -> None:
    if content is not None:
        (ward.folder / "primum.lock.json").write_text(content)
    done = ward.primum("run", "--locked")
    assert done.returncode == 2
    assert "primum lock write" in done.stderr


def test_no_secret_stands_in_the_lock(ward: Ward, edit: Callable[[str, str], None]) -> None:
    edit("release: ours", "release: ours\njudges: {model: {name: openai/m, api_key_env: OUR_KEY}}")
    done = ward.primum("lock", "write", OUR_KEY="sk-secret-value-12345678")
    assert done.returncode == 0, done.stderr
    text = (ward.folder / "primum.lock.json").read_text()
    assert "sk-secret" not in text
    assert "openai/m/faithfulness" in text
