"""docs/configuration.md and the code that reads primum.yaml say the same."""

import re
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from primum.app.checks import check_names, check_secrets
from primum.app.drift import OPERATIONAL
from primum.config import load_settings
from primum.config.settings import Settings
from primum.errors import ConfigError, RankingError
from primum.metrics import parse_measure
from primum_judges import lexical_judges, shipped_rubrics
from primum_safety import default_gates

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "configuration.md").read_text(encoding="utf-8")
SCRIPT = runpy.run_path(str(DOCS / "generate.py"))
EXAMPLES: list[str] = re.findall(r"^```yaml\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
SMALLEST = EXAMPLES[0]
MODEL = "{kind: chat, model: {name: openai/m, MORE}}"


def whole(example: str) -> str:
    """The smallest file, with the parts that the example has in place of its own."""
    own = set(re.findall(r"^(\w+):", example, re.MULTILINE))
    parts = re.split(r"^(?=\w)", SMALLEST, flags=re.MULTILINE)
    return example + "".join(part for part in parts if part.partition(":")[0] not in own)


def read(folder: Path, text: str) -> Settings:
    path = folder / "primum.yaml"
    path.write_text(text, encoding="utf-8")
    settings = load_settings(path)
    check_secrets(path, settings)
    check_names(path, settings)
    return settings


def spans(before: str, after: str) -> list[str]:
    """The code spans of the text between two others."""
    return re.findall(r"`([^`]+)`", " ".join(PAGE.split()).split(before, 1)[1].split(after, 1)[0])


def test_the_tables_are_those_of_the_code() -> None:
    """After a change of a setting run: python docs/generate.py."""
    with_tables: Callable[[str], str] = SCRIPT["with_tables"]
    assert with_tables(PAGE) == PAGE


def test_every_part_of_the_file_has_its_table_below_its_heading() -> None:
    """A class that the script finds in the source and the page leaves out would be a hidden setting."""
    source: Any = SCRIPT["read_source"](PAGE)
    assert set(source.titles) == set(source.settings())
    assert "Settings" in source.titles
    assert len(re.findall("<!-- settings:begin", PAGE)) == len(source.titles)


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_is_read(tmp_path: Path, example: str) -> None:
    """Put into the smallest file, it is right in form and in the names that it uses."""
    read(tmp_path, whole(example))


def test_every_default_of_the_file_is_on_the_page(tmp_path: Path) -> None:
    """The defaults that the script reads from the source are those that a file has which sets nothing."""
    settings = read(tmp_path, SMALLEST)
    assert f"| `concurrency` | `{settings.concurrency}` |" in PAGE
    assert f"| `max_characters` | `{settings.chunking.max_characters}` |" in PAGE
    assert f"| `measures` | `[{', '.join(settings.retrieval.measures)}]` |" in PAGE
    assert f"| `required_gates` | `[{', '.join(settings.policy.required_gates)}]` |" in PAGE
    assert f"| `roles` | `[{', '.join(settings.dataset.roles)}]` |" in PAGE


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("index: {memory: true, path: index}\n", "exactly one of path, url and memory"),
        ("index: {}\n", "exactly one of path, url and memory"),
        ("retrieval: {limit: 3, context: 4}\n", "cannot be more than limit"),
        ("retrieval: {kind: bm25, min_score: 0.3}\n", "unknown setting retrieval.min_score; it goes with another kind"),
        (f"systems: {{baseline: {{generator: {MODEL}}}}}\n".replace("MORE", "api_key_env: sk-123"), "NAME of an"),
        (f"systems: {{baseline: {{generator: {MODEL}}}}}\n".replace("MORE", "parameters: {n: 2}"), "sets these itself"),
        ("policy: {judge_minimum: {completeness: 0.9}}\n", "policy.judge_minimum has 'completeness'"),
        ("policy: {retrieval_minimum: {Recall@7: 0.9}}\n", "policy.retrieval_minimum has 'Recall@7'"),
        ("titel: Ward\n", "did you mean title?"),
        ("title: 2026-11-30\n", "put it in quotes"),
    ],
)
def test_what_the_page_says_is_refused_is_refused(tmp_path: Path, text: str, told: str) -> None:
    """The rules between settings, which no table can say."""
    with pytest.raises(ConfigError, match=re.escape(told)):
        read(tmp_path, whole(text))


def test_the_page_lists_all_gates_rubrics_and_measures() -> None:
    """Each list is complete and has nothing else."""
    assert spans("Gates: ", "([gates.md]") == [gate.id for gate in default_gates()]
    assert sorted(spans("Rubrics: ", ". The lexical judge")) == sorted(shipped_rubrics())
    measures = spans("Measures: ", ", with a whole number")
    for form in measures:
        parse_measure(form.replace("@k", "@5"))
    with pytest.raises(RankingError) as caught:
        parse_measure("none")
    there = str(caught.value).partition("there are ")[2].split(", ")
    assert {re.split(r"[@(]", form)[0] for form in measures} == set(there)


def test_which_rubrics_need_a_model() -> None:
    """The lexical judge takes those that the page names, and refuses the others."""
    estimated = set(spans("The lexical judge estimates ", "; the others need a model"))
    for name, rubric in shipped_rubrics().items():
        if name in estimated:
            lexical_judges([rubric])
        else:
            with pytest.raises(ConfigError, match=r"judges\.model\.name"):
                lexical_judges([rubric])


def test_what_may_change_between_the_commands_of_a_run_is_what_the_code_lets_change() -> None:
    """The page names the settings that the comparison leaves out."""
    assert set(spans("**Between the commands of one run** only ", " may change")) == OPERATIONAL


def test_links_of_the_page_lead_somewhere() -> None:
    """Files exist, and so do the headings that are pointed at."""
    for target, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]+))?\)", PAGE):
        text = (DOCS / target).read_text(encoding="utf-8") if target else PAGE
        headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
        assert not anchor or anchor in {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in headings}
