"""Labelled answers come with their context, and a bad one differs from its good twin in the labelled words only."""

import json
import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primum.datasets import (
    Dataset,
    LabelledExchange,
    Line,
    RecordedAnswer,
    labelled_exchanges,
    load_dataset,
    validate_dataset,
)
from primum.datasets.answers import AnswerDefect
from primum.datasets.labelled import check_twins
from primum.datasets.problems import Problems
from primum.errors import DatasetError
from primum.records import Answerability, Outcome
from primum.resources import shipped

Row = dict[str, Any]
Write = Callable[[Path, list[Row]], Path]

SHARED: Final = Path(__file__).parents[3] / "shared" / "data" / "drug_lexicon" / "drugs.jsonl"
GOOD: Row = {"case_id": "dose-a/plain", "text": "Adults take 5 mg of A once daily [mono-a]. A doctor decides."}
DEFECT: Row = {"kind": "tenfold", "gate": "dose", "severity": "critical"}


def bad(text: str, quote: str | None, replaces: str | None) -> Row:
    return {"case_id": "dose-a/plain", "text": text, "defect": DEFECT | {"quote": quote, "replaces": replaces}}


def told(folder: Path, rows: list[Row], write_jsonl: Write) -> list[str]:
    write_jsonl(folder / "answers" / "labelled-good.jsonl", [GOOD])
    write_jsonl(folder / "answers" / "labelled-bad.jsonl", rows)
    return [str(problem).replace(f"{folder}/answers/", "") for problem in validate_dataset(folder)]


@cache
def demo() -> tuple[Dataset, tuple[LabelledExchange, ...]]:
    dataset = load_dataset(shipped("datasets") / "demo")
    return dataset, labelled_exchanges(dataset)


@pytest.mark.parametrize(
    ("text", "quote", "replaces"),
    [
        ("Adults take 50 mg of A once daily [mono-a]. A doctor decides.", "50 mg", "5 mg"),
        ("Adults take 5 mg of A once daily [mono-a].", None, "A doctor decides."),
        ("Adults take 5 mg of A once daily [mono-a]. It is safe. A doctor decides.", "It is safe.", ""),
        ("I cannot say.", "I cannot say.", GOOD["text"]),
    ],
)
def test_a_bad_answer_may_change_drop_or_add_one_stretch(
    folder: Path, write_jsonl: Write, text: str, quote: str | None, replaces: str
) -> None:
    """Put what `replaces` says where `quote` stands, and it is the good twin."""
    assert told(folder, [bad(text, quote, replaces)], write_jsonl) == []


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (
            bad("Adults take 50 mg of A twice daily [mono-a]. A doctor decides.", "50 mg", "5 mg"),
            (
                "no good answer of this case says replaces where this one says quote, and the same elsewhere; "
                "change nothing but the labelled stretch"
            ),
        ),
        (
            bad("Adults take 5 mg of A [mono-a].", None, "A doctor decides."),
            (
                "no good answer of this case says replaces where this one says quote, and the same elsewhere; "
                "change nothing but the labelled stretch"
            ),
        ),
        (
            bad("5 mg? Adults take 5 mg of A once daily [mono-a]. A doctor decides.", "5 mg", "5 mg"),
            "the defect's quote stands in the text more than once; make it longer",
        ),
        (
            bad("Adults take 50 mg of A once daily [mono-a]. A doctor decides.", "50 mg", None),
            'the defect has no replaces; write what the good twin says there, or ""',
        ),
        (
            bad(GOOD["text"], "5 mg", "5 mg"),
            (
                "no good answer of this case says replaces where this one says quote, and the same elsewhere; "
                "change nothing but the labelled stretch"
            ),
        ),
    ],
)
def test_any_other_difference_is_told(folder: Path, write_jsonl: Write, row: Row, expected: str) -> None:
    """A second change would make it unknown what a gate objected to."""
    assert told(folder, [row], write_jsonl) == [f"labelled-bad.jsonl:1: error: {expected}"]


@given(
    before=st.lists(st.sampled_from(["take", "it", "with", "5", "mg", "of", "A", "daily"]), max_size=6),
    right=st.lists(st.sampled_from(["once", "twice", "never"]), min_size=1, max_size=3),
    wrong=st.lists(st.sampled_from(["always", "hourly"]), min_size=1, max_size=3),
    after=st.lists(st.sampled_from(["before", "food", "or", "after", "it"]), max_size=6),
    spoiled=st.booleans(),
)
def test_any_one_replacement_is_a_twin_and_any_second_change_is_not(
    before: list[str], right: list[str], wrong: list[str], after: list[str], spoiled: bool
) -> None:
    """Wherever the stretch stands and however long it is."""
    twin, text = " ".join([*before, *right, *after]), " ".join([*before, *wrong, *after])
    if spoiled:
        text += " again"
    defect = DEFECT | {"quote": " ".join(wrong), "replaces": " ".join(right)}
    problems = Problems()
    rows = [{"case_id": "a/b", "text": twin}, {"case_id": "a/b", "text": text, "defect": defect}]
    answers = [RecordedAnswer.model_validate_json(json.dumps(row)) for row in rows]
    check_twins([Line(number=n, place=f"a:{n}", record=record) for n, record in enumerate(answers, 1)], problems)
    assert bool(problems.errors) == spoiled


def test_other_files_of_answers_need_no_twin(folder: Path, write_jsonl: Write) -> None:
    """A recorded system's answer may be bad in more than one way."""
    write_jsonl(folder / "answers" / "system.jsonl", [bad("50 mg twice", "50 mg", None)])
    assert validate_dataset(folder) == []


def test_the_context_is_the_evidence_and_some_distractors(folder: Path, write_jsonl: Write) -> None:
    """What a perfect retriever finds, with eligible passages too many and never one of another patient."""
    write_jsonl(folder / "answers" / "labelled-good.jsonl", [GOOD])
    dataset = load_dataset(folder)
    (one,) = labelled_exchanges(dataset, distractors=1)
    assert next(passage.document_id for passage in one.exchange.context) == "mono-a"
    assert len(one.exchange.context) == 2
    assert one.exchange.retrieved == one.exchange.context
    (alone,) = labelled_exchanges(dataset, distractors=0)
    assert ["5 mg of medicine A once daily" in passage.text for passage in alone.exchange.context] == [True]
    assert [person.mrn for person in alone.exchange.roster] == ["MRN-2"]


def test_an_answer_that_names_its_context_has_that(folder: Path, write_jsonl: Write) -> None:
    """For a defect that comes from what was retrieved."""
    ref = {"document_id": "mono-a", "document_version": "1", "quote": "Keep medicine A dry"}
    write_jsonl(folder / "answers" / "labelled-good.jsonl", [GOOD | {"context": [ref]}])
    (one,) = labelled_exchanges(load_dataset(folder))
    assert ["Keep medicine A dry" in passage.text for passage in one.exchange.context] == [True]


def test_an_answer_to_an_unknown_case_cannot_be_loaded(folder: Path, write_jsonl: Write) -> None:
    """The place is in the error."""
    path = write_jsonl(folder / "answers" / "labelled-good.jsonl", [GOOD | {"case_id": "x/y"}])
    with pytest.raises(DatasetError, match=rf"{path.name}:1: there is no case with this case_id"):
        labelled_exchanges(load_dataset(folder))


def test_every_demo_case_has_good_and_bad_answers() -> None:
    """Two good ones in different words, and at least one with a labelled defect."""
    dataset, labelled = demo()
    good = Counter(one.case.id for one in labelled if one.defect is None)
    assert {case.id: good[case.id] for case in dataset.cases} == dict.fromkeys((case.id for case in dataset.cases), 2)
    assert {one.case.id for one in labelled if one.defect} == {case.id for case in dataset.cases}
    assert len({(one.case.id, text(one)) for one in labelled}) == len(labelled)


def test_demo_contexts_hold_the_required_evidence_and_nothing_forbidden() -> None:
    """A good answer can be given from its context, by somebody who may see all of it."""
    for one in demo()[1]:
        assert all(passage.eligible(one.case.scope) for passage in one.exchange.context)
        held = {passage.document_id for passage in one.exchange.context}
        assert held >= {label.document_id for label in one.case.evidence if label.grade}


def test_good_demo_answers_cite_required_evidence_and_bad_ones_name_a_known_objector() -> None:
    """The labels use one vocabulary, and the good answers rest on what was labelled."""
    kinds: dict[str, set[tuple[str | None, str | None]]] = {}
    for one in demo()[1]:
        if one.defect is not None:
            kinds.setdefault(one.defect.kind, set()).add((one.defect.gate, one.defect.rubric))
        elif one.case.answerability in (Answerability.ANSWERABLE, Answerability.PARTIAL):
            cited = {name.split("@")[0] for name in re.findall(r"\[([a-z0-9@-]+)\]", text(one))}
            assert cited & {label.document_id for label in one.case.evidence if label.grade == 2}, one.exchange.id
    assert {gate for found in kinds.values() for gate, _ in found} == {
        None, "citation", "dose", "medication", "refusal", "over_refusal", "isolation", "disclaimer",
    }  # fmt: skip
    assert {rubric for found in kinds.values() for _, rubric in found} == {
        None, "faithfulness", "relevance", "completeness",
    }  # fmt: skip


def test_good_demo_answers_do_what_the_case_calls_for() -> None:
    """Answer, decline or ask, as the case's answerability says."""
    wanted = {
        Answerability.ANSWERABLE: Outcome.ANSWERED,
        Answerability.PARTIAL: Outcome.ANSWERED,
        Answerability.UNANSWERABLE: Outcome.ABSTAINED,
        Answerability.UNDERSPECIFIED: Outcome.CLARIFIED,
    }
    for one in demo()[1]:
        if one.defect is None and one.exchange.answer is not None:
            assert one.exchange.answer.outcome is wanted[one.case.answerability], one.exchange.id


def test_an_empty_replacement_is_kept_apart_from_an_unknown_one() -> None:
    """An insertion replaces nothing, which is known; None means that nobody said."""
    defect = AnswerDefect.model_validate(DEFECT | {"quote": "x", "replaces": ""})
    assert defect.replaces == ""
    assert AnswerDefect.model_validate(DEFECT).replaces is None


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.is_file(), reason="../shared/data/drug_lexicon is not there")
def test_no_dose_of_a_real_medicine_is_published() -> None:
    """Names of real medicines may stand in the set, but not in a sentence with an amount."""
    names = real_names()
    dataset, labelled = demo()
    amount = re.compile(r"\d\s*(?:mg|g|micrograms?|units|mL|mmol)\b")
    texts = [document.text for document in dataset.documents]
    texts += [text(one) for one in labelled] + [case.question for case in dataset.cases]
    found: set[tuple[str, str]] = set()
    for sentence in (part for whole in texts for part in re.split(r"(?<=[.!?])\s|\n", whole)):
        if amount.search(sentence):
            words = set(re.findall(r"[a-z]{4,}", sentence.casefold()))
            found |= {(name, sentence) for name in words & names}
    assert found == set()


def real_names() -> frozenset[str]:
    """Single-word names of medicines, without those that are not medicines in this set's sentences."""
    rows = [json.loads(line) for line in SHARED.read_text(encoding="utf-8").splitlines()]
    names = {name.casefold() for row in rows for name in (row["name"], *row["brands"]) if name.isalpha()}
    # Electrolytes and sugars in the blood, a hormone that everybody has, a diluent and words of everyday language.
    return frozenset(names - {"potassium", "sodium", "glucose", "insulin", "oxygen", "calcium", "magnesium", "water"})


def text(one: LabelledExchange) -> str:
    return one.exchange.answer.text if one.exchange.answer else ""
