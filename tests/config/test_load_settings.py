"""Reading primum.yaml: what is right is read, and each mistake is told with its place and what to write."""

import contextlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primum.config import load_settings
from primum.errors import ConfigError
from primum.yamltext import YamlTextError, parse_yaml

SMALL = """\
version: 1
name: ward
index:
  memory: true
systems:
  baseline:
    generator: {kind: extractive}
release: baseline
"""


def problem(folder: Path, text: str) -> str:
    path = folder / "primum.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_settings(path)
    return str(caught.value).replace(str(path), "primum.yaml")


def test_a_small_file_is_enough(tmp_path: Path) -> None:
    """Everything that is not set has a default that is safe."""
    path = tmp_path / "primum.yaml"
    path.write_text(SMALL, encoding="utf-8")
    settings = load_settings(path)
    assert settings.release == "baseline"
    assert settings.policy.required_gates == ("citation", "dose", "medication", "refusal", "isolation", "disclaimer")
    assert settings.dataset.unjudged == "error"


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (SMALL + "repetitons: 2\n", "primum.yaml:9:1: unknown setting repetitons; did you mean repetitions?"),
        (SMALL.replace("memory: true", "memry: true"), "primum.yaml:4:3: unknown setting index.memry; did you mean"),
        (SMALL.replace("version: 1", "version: 2"), "primum.yaml:1:1: version is 2; write one of 1"),
        (SMALL + "repetitions: none\n", "primum.yaml:9:1: repetitions is 'none': input should be a valid integer"),
        (SMALL + "repetitions: 0\n", "primum.yaml:9:1: repetitions is 0: input should be greater than or equal to 1"),
        (SMALL.replace("release: baseline", "release: other"), "release names 'other', but systems has baseline"),
        (SMALL.replace("  memory: true", "  memory: false"), "primum.yaml:3:1: index: give exactly one of path, url"),
        (
            SMALL.replace("kind: extractive", "kind: extract"),
            "primum.yaml:7:5: systems.baseline.generator needs 'kind:'",
        ),
        (SMALL.replace("index:\n  memory: true\n", ""), "index is missing; add it, such as index: {memory: true}"),
        (
            SMALL.replace("index:\n  memory: true\n", "index:\n"),
            "index is None; write a mapping, such as index: {memory",
        ),
        (SMALL + "policy: {required_gates: []}\n", "policy.required_gates is empty; write at least 1"),
        (SMALL + "judges: {model: gpt}\n", "judges.model is 'gpt'; write a mapping of accepted_models, api_base"),
        (SMALL + "judges: {rubrics: faithfulness}\n", "judges.rubrics is 'faithfulness'; write a list"),
        (SMALL.replace("kind: extractive", "kind: recorded"), "systems.baseline.generator.path is missing; add it"),
        (SMALL.replace("name: ward\n", ""), "primum.yaml:1:1: name is missing; add it"),
        (SMALL + "name: again\n", "primum.yaml:9:1: found duplicate key 'name', first on line 2"),
        (SMALL + "policy: {required_gates: [dose\n", "primum.yaml:10:1: not valid YAML"),
        ("- version: 1\n", "primum.yaml:1: expected settings such as 'version: 1', found a list"),
        ("", "primum.yaml:1: expected settings such as 'version: 1', found nothing"),
        (SMALL + "policy: {answered_minimum: .nan}\n", "primum.yaml:9:28: this is not a finite number"),
        (SMALL + "title: !!python/object/apply:os.system [x]\n", "primum.yaml:9:8: a tag is not expected here"),
        (SMALL + "title: 2026-11-30\n", "primum.yaml:9:8: a tag or a date is not expected here; put it in quotes"),
    ],
)
def test_a_mistake_is_told_with_its_place_and_a_fix(tmp_path: Path, wrong: str, told: str) -> None:
    """File, line and column, then what to write instead."""
    assert told in problem(tmp_path, wrong)


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    """Nobody should have to run it once per mistake."""
    told = problem(tmp_path, SMALL.replace("version: 1", "version: 3") + "seed: x\nextra: 1\n")
    assert [line.split(":")[1] for line in told.splitlines()] == ["1", "9", "10"]


def test_a_file_that_is_not_utf8_or_not_there_is_told(tmp_path: Path) -> None:
    """Reading problems are configuration errors too."""
    path = tmp_path / "primum.yaml"
    path.write_bytes(b"name: caf\xe9\n")
    with pytest.raises(ConfigError, match=r"byte 9 is not UTF-8"):
        load_settings(path)
    with pytest.raises(ConfigError, match=r"no such file"):
        load_settings(tmp_path / "other.yaml")


def test_a_key_cannot_be_written_into_the_file(tmp_path: Path) -> None:
    """Only the name of an environment variable fits; a key does not."""
    generator = "{kind: chat, model: {name: openai/x, api_key_env: sk-12345}}"
    told = problem(tmp_path, SMALL.replace("{kind: extractive}", generator))
    assert "systems.baseline.generator.model.api_key_env: write the NAME of an environment variable" in told
    assert "sk-12345" not in told


@pytest.mark.parametrize(
    "text",
    [
        "type: !!set x",
        "a: !!python/object/apply:x [1]",
        "{\t [1]}",
        "a: !!float x",
        "&a [*a]",
        "a: &a {b: *a}",
        "? [1]\n: 2",
    ],
)
def test_tags_and_loops_are_told(text: str) -> None:
    """Whatever ruamel.yaml makes of it, what we raise has a place."""
    with pytest.raises(YamlTextError):
        parse_yaml(text)


def test_a_value_is_not_repeated_in_an_error() -> None:
    """It may be what is said of a patient."""
    with pytest.raises(YamlTextError) as caught:
        parse_yaml("note: Ida Berg has asthma\nnote: Ida Berg has none\n")
    assert "Berg" not in str(caught.value)


def test_aliases_that_multiply_are_refused() -> None:
    """A small text must not become a huge tree."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 9)]
    with pytest.raises(YamlTextError, match="aliases"):
        parse_yaml("\n".join(lines))


@given(st.text(max_size=200))
def test_any_text_is_read_or_told(text: str) -> None:
    """No text raises anything but the one error."""
    with contextlib.suppress(YamlTextError):
        parse_yaml(text)
