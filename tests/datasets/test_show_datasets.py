"""`primum datasets show` lets a person read a dataset without trusting its text."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from primum.cli.datasets import datasets
from primum.errors import DatasetError, UsageError

Row = dict[str, Any]
Write = Callable[[Path, list[Row]], Path]


def shown(*arguments: str) -> str:
    result = CliRunner().invoke(datasets, ["show", *arguments], catch_exceptions=False)
    return result.output


def test_an_overview_counts_and_lists_the_families_by_split(
    folder: Path, case: Callable[..., Row], write_jsonl: Write
) -> None:
    """Documents, cases and families, and which family is held out."""
    write_jsonl(folder / "cases.jsonl", [case(), case(family="dose-b", variant="short", role="acceptance")])
    text = shown(str(folder))
    assert "2 documents: monograph 1, patient_note 1" in text
    assert "2 cases of 2 families" in text
    assert "development: 1 cases of 1 families\n  dose-a (plain, answerable, serious): plain\n" in text
    assert "acceptance: 1 cases of 1 families\n  dose-b (plain, answerable, serious): short\n" in text


def test_a_case_shows_question_scope_evidence_and_judgments(folder: Path) -> None:
    """All that is needed to disagree with a label."""
    text = shown(str(folder), "dose-a/plain")
    for expected in (
        "question      What is the dose of medicine A in adults?",
        "scope         tenant north, patient MRN-1",
        "expected      Says the dose.",
        'grade 2: mono-a@1, Dose\n    "5 mg of medicine A once daily"',
        "judgments: 1 chunks\n  2  mono-a@1#1-",
    ):
        assert expected in text.replace("judgments: 1 chunks\n  2 mono", "judgments: 1 chunks\n  2  mono")


def test_a_family_shows_all_its_cases(folder: Path, case: Callable[..., Row], write_jsonl: Write) -> None:
    """A family's name stands for its wordings."""
    write_jsonl(folder / "cases.jsonl", [case(), case(variant="short", question="Dose of A?")])
    text = shown(str(folder), "dose-a")
    assert "dose-a/plain" in text
    assert "question      Dose of A?" in text


def test_the_ledger_is_shown(folder: Path, write_jsonl: Write) -> None:
    """A change of role is in the overview and beside the case."""
    first = {"family": "dose-a", "role": "acceptance", "date": "2026-03-01", "by": "A. Blom", "reason": "Held out."}
    moved = first | {"was": "acceptance", "role": "development", "date": "2026-03-09", "reason": "Read while tuning."}
    write_jsonl(folder / "roles.jsonl", [first, moved])
    assert (
        "changes of role: 1\n  2026-03-09 dose-a: acceptance to development, by A. Blom: Read while tuning."
        in shown(str(folder))
    )
    assert "2026-03-01 acceptance, by A. Blom: Held out." in shown(str(folder), "dose-a/plain")


def test_text_from_files_cannot_drive_the_terminal(folder: Path, case: Callable[..., Row], write_jsonl: Write) -> None:
    """Escape sequences, bidirectional marks and line breaks come out as what they are."""
    nasty = "Dose?\x1b[2J\u202e\r\nrole          acceptance"
    write_jsonl(folder / "cases.jsonl", [case(question=nasty, audience="nurse\x07", expected_behaviour=nasty)])
    for text in (shown(str(folder)), shown(str(folder), "dose-a/plain")):
        assert not set(text) & set("\x1b\x07\u202e\r")
        assert not any(line.startswith("role          acceptance") for line in text.splitlines())
    assert "Dose?⟦U+001B⟧[2J⟦U+202E⟧" in shown(str(folder), "dose-a/plain")


def test_a_case_shows_its_recorded_answers_and_what_is_wrong_with_them(folder: Path, write_jsonl: Write) -> None:
    """The wrong words stand beside the right ones, and control characters are spelled out."""
    defect = {"kind": "tenfold", "gate": "dose", "severity": "critical", "quote": "50 mg", "replaces": "5 mg"}
    missing = {"kind": "incomplete", "rubric": "completeness", "severity": "serious", "replaces": "once\x1b[2J daily"}
    rows: list[Row] = [
        {"case_id": "dose-a/plain", "text": "Take 5 mg."},
        {"case_id": "dose-a/plain", "repetition": 1, "text": "Take 50 mg.\x1b[2J", "defect": defect},
        {"case_id": "dose-a/plain", "repetition": 2, "text": "Take 5 mg", "defect": missing},
    ]
    write_jsonl(folder / "answers" / "a.jsonl", rows)
    text = shown(str(folder), "dose-a/plain")
    assert "answer in a.jsonl\n    Take 5 mg.\n" in text
    assert 'a.jsonl: tenfold, dose must object\n    Take 50 mg.⟦U+001B⟧[2J\n    wrong: "50 mg", right: "5 mg"\n' in text
    assert 'wrong: something is missing, right: "once⟦U+001B⟧[2J daily"' in text
    assert "\x1b" not in text


def test_a_shipped_dataset_is_found_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`demo` works in any folder; a folder of that name comes first."""
    monkeypatch.chdir(tmp_path)
    assert "grade 2, required: mono-torvexaban@3" in shown("demo", "torvexaban-af-dose/concise")
    (tmp_path / "demo").mkdir()
    with pytest.raises(DatasetError, match=r"cases\.jsonl: the file is missing"):
        shown("demo")


def test_an_unknown_case_is_a_usage_error_with_a_suggestion(folder: Path) -> None:
    """A slip of the keyboard is named."""
    with pytest.raises(UsageError, match=r"there is no case 'dose-a/plane'; did you mean 'dose-a/plain'\?"):
        shown(str(folder), "dose-a/plane")
    with pytest.raises(UsageError, match="list them with: primum datasets show"):
        shown(str(folder), "zzz")
