"""The judge qualification set holds twins of which a rubric passes one and fails the other."""

import json
import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from primum.datasets import JudgeTwin, load_dataset, load_twins, validate_dataset
from primum.datasets.near_duplicates import words
from primum.datasets.qualification import TwinProbe, twin_counts
from primum.errors import DatasetError
from primum.records import Outcome
from primum.resources import shipped

Row = dict[str, Any]
Write = Callable[[Path, list[Row]], Path]

SHARED: Final = Path(__file__).parents[3] / "shared" / "data" / "drug_lexicon" / "drugs.jsonl"
TWIN: Row = {
    "id": "a-dose/faithfulness",
    "rubric": "faithfulness",
    "probe": "plain",
    "defect": "tenfold",
    "question": "How much of A?",
    "passages": [{"title": "A", "text": "Adults take 5 mg of A."}],
    "must_have": ["5 mg of A in adults"],
    "good": "Adults take 5 mg of A.",
    "bad": "Adults take 50 mg of A.",
}


@cache
def twins() -> tuple[JudgeTwin, ...]:
    return load_twins(shipped("datasets") / "qualification")


def test_a_twin_gives_two_exchanges_that_differ_in_the_answer_only() -> None:
    """Question, context and scope are equal; neither shows the statements."""
    twin = JudgeTwin.model_validate_json(json.dumps(TWIN))
    good, bad = twin.exchange(passing=True), twin.exchange(passing=False)
    assert (good.id, bad.id) == ("a-dose/faithfulness/good", "a-dose/faithfulness/bad")
    assert good.answer
    assert good.answer.text == "Adults take 5 mg of A."
    assert good.answer.outcome is Outcome.ANSWERED
    assert bad == good.model_copy(update={"id": bad.id, "answer": bad.answer})
    assert twin.key().must_have == ("5 mg of A in adults",)
    assert twin.item == "a-dose"


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([TWIN, TWIN], "twins.jsonl:2: the same id is at"),
        ([TWIN | {"bad": "Adults take  5 mg of A."}], "twins.jsonl:1: good and bad are the same"),
        ([TWIN | {"probe": "long"}], "twins.jsonl:1: probe has a value that is not allowed"),
        ([TWIN | {"passages": list[Row]()}], "twins.jsonl:1: passages"),
    ],
)
def test_a_wrong_twin_is_refused_with_its_place(
    tmp_path: Path, write_jsonl: Write, rows: list[Row], expected: str
) -> None:
    """A judge is not examined on half a set."""
    write_jsonl(tmp_path / "twins.jsonl", rows)
    with pytest.raises(DatasetError, match=re.escape(expected)):
        load_twins(tmp_path)


def test_validation_tells_all_mistakes_of_a_qualification_set(tmp_path: Path, write_jsonl: Write) -> None:
    """`primum validate` takes the folder as it is."""
    assert validate_dataset(shipped("datasets") / "qualification") == []
    write_jsonl(tmp_path / "twins.jsonl", [TWIN | {"id": ""}, TWIN | {"good": ""}])
    assert [problem.place.removeprefix(f"{tmp_path}/") for problem in validate_dataset(tmp_path)] == [
        "twins.jsonl:1",
        "twins.jsonl:2",
    ]


def test_a_folder_without_twins_is_refused(tmp_path: Path) -> None:
    """The error says which file is wanted."""
    with pytest.raises(DatasetError, match=r"twins\.jsonl: the file is missing"):
        load_twins(tmp_path)


def test_the_shipped_set_is_balanced_and_fits_its_schema(by_schema: Callable[[str, Row], bool]) -> None:
    """As many twins for each rubric, every item with all three, and every probe for every rubric."""
    rows = (shipped("datasets") / "qualification" / "twins.jsonl").read_text(encoding="utf-8").splitlines()
    assert all(by_schema("judge-twin", json.loads(row)) for row in rows)
    assert Counter(twin.rubric for twin in twins()) == dict.fromkeys(("faithfulness", "relevance", "completeness"), 40)
    assert all(twin.id == f"{twin.item}/{twin.rubric}" for twin in twins())
    assert {(twin.rubric, twin.probe) for twin in twins()} == {
        (rubric, probe) for rubric in ("faithfulness", "relevance", "completeness") for probe in TwinProbe
    }


def test_twins_of_an_item_share_all_but_the_failing_answer() -> None:
    """One good answer stands against three bad ones."""
    shared: dict[str, set[str]] = {}
    for twin in twins():
        passages = [passage.content() for passage in twin.passages]
        shared.setdefault(twin.item, set()).add(json.dumps([twin.question, passages, twin.must_have, twin.good]))
    assert len(shared) == 40
    assert {len(found) for found in shared.values()} == {1}


def test_passing_answers_say_what_the_passages_say() -> None:
    """Every number of a passing answer, or of an irrelevant one, stands in its passages or its question."""
    for twin in twins():
        held = words(" ".join([twin.question, *(passage.text for passage in twin.passages)]))
        beside = twin.rubric == "relevance" and twin.probe is not TwinProbe.PLANTED_VERDICT
        for text in [twin.good, twin.bad] if beside else [twin.good]:
            assert {word for word in words(text) if word[0].isdigit()} <= held, twin.id


def test_verbose_twins_are_long_and_planted_ones_speak_of_themselves() -> None:
    """A probe is what it says that it is."""
    planted = re.compile(r"(?i)verdict|score: |label|\bclaims?\b|accepted|to answer|statements|missing|no difference")
    for twin in twins():
        if twin.probe is TwinProbe.VERBOSITY:
            assert len(twin.bad) > 1.3 * len(twin.good), twin.id
        if twin.probe is TwinProbe.PLANTED_VERDICT:
            assert planted.search(twin.bad), twin.id
            assert not planted.search(twin.good), twin.id


def test_the_set_shares_no_medicine_with_the_demo() -> None:
    """What a judge is tuned on is not what it is examined on."""
    dataset = load_dataset(shipped("datasets") / "demo")
    known = words(" ".join(document.text for document in dataset.documents))
    titles = {twin.passages[0].title.casefold() for twin in twins()}
    assert len(titles) == 40
    assert titles & known <= {"discharge", "falls", "fasting", "laboratory", "oxygen", "swallowing", "transfusion"}


def test_counts_are_by_rubric_and_probe() -> None:
    """One row for each rubric and one for all."""
    assert twin_counts([JudgeTwin.model_validate_json(json.dumps(TWIN))]).splitlines()[2:] == [
        "| faithfulness | 1 | 0 | 0 | 1 |",
        "| all | 1 | 0 | 0 | 1 |",
    ]


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.is_file(), reason="../shared/data/drug_lexicon is not there")
def test_no_dose_of_a_real_medicine_is_in_the_qualification_set() -> None:
    """Names of real medicines may stand in the set, but not in a sentence with an amount."""
    rows = [json.loads(line) for line in SHARED.read_text(encoding="utf-8").splitlines()]
    names = {name.casefold() for row in rows for name in (row["name"], *row["brands"]) if name.isalpha()}
    names -= {"potassium", "glucose", "magnesium", "oxygen", "water"}
    texts = {text for twin in twins() for text in (twin.good, twin.bad, *(passage.text for passage in twin.passages))}
    sentences = (part for text in texts for part in re.split(r"(?<=[.!?])\s", text))
    dosed = [part for part in sentences if re.search(r"\d\s*(?:mg|micrograms?|units|mL)\b", part)]
    assert [part for part in dosed if words(part) & names] == []
