"""``primum gate FILE.jsonl``: recorded exchanges of any system, without a project."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from primum.datasets.jsonl import stream_jsonl
from primum.errors import DatasetError
from primum.records import Person
from primum.resources import shipped

Row = dict[str, Any]
PASSAGE: Row = {"id": "mono", "document_id": "mono", "document_version": "1", "text": "Velorixan 5 mg once daily."}
GOOD: Row = {
    "id": "one",
    "question": "What is the dose of velorixan?",
    "scope": {"tenant": "north"},
    "context": [PASSAGE],
    "answer": {"text": "Velorixan 5 mg once daily [1]."},
}
BAD: Row = {**GOOD, "id": "two", "answer": {"text": "Velorixan 50 mg once daily [1]."}}
SILENT: Row = {**GOOD, "id": "three", "answer": None}
REFUSED: Row = {
    **GOOD,
    "id": "four",
    "answerability": "answerable",
    "answer": {"text": "I cannot answer this question."},
}


def gate(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the command in a folder without a project."""
    command = [sys.executable, "-c", "from primum.cli import main; main()", "gate", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=60)


def write(folder: Path, *rows: object) -> str:
    """A file of exchanges; texts are written as they are."""
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    (folder / "e.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return "e.jsonl"


@pytest.mark.parametrize(
    ("rows", "options", "code", "said"),
    [
        ([GOOD], [], 0, "PASS 0 of 1 exchanges fail"),
        ([GOOD, BAD], [], 1, "BLOCK 1 of 2 exchanges fail"),
        ([GOOD, SILENT], [], 3, "INCONCLUSIVE 0 of 2 exchanges fail, 1 not decided"),
        ([BAD, SILENT], [], 1, "BLOCK 1 of 2 exchanges fail, 1 not decided"),
        ([GOOD], ["--require", "dose"], 0, "PASS"),
        ([GOOD], ["--require", "shape"], 3, "INCONCLUSIVE"),
        ([REFUSED], [], 1, "1/1 fail, bounded as a share"),
    ],
)
def test_the_exit_code_is_the_worst_that_was_seen(
    tmp_path: Path, rows: list[object], options: list[str], code: int, said: str
) -> None:
    """A failure blocks; what was not decided is no pass."""
    done = gate(tmp_path, write(tmp_path, *rows), *options)
    assert (done.returncode, said in done.stdout) == (code, True), done.stdout + done.stderr


def test_findings_are_written_as_one_report_a_line_for_their_owner_alone(tmp_path: Path) -> None:
    """With spans into the answer."""
    done = gate(tmp_path, write(tmp_path, GOOD, BAD), "--out", "found.jsonl")
    assert done.returncode == 1
    reports = [json.loads(line) for line in (tmp_path / "found.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [report["observation_id"] for report in reports] == ["one", "two"]
    (found,) = [f for result in reports[1]["results"] for f in result["findings"] if f["blocks"]]
    assert (found["reason"], found["answer_span"]["text"]) == ("dose.absent", "50 mg")
    assert (tmp_path / "found.jsonl").stat().st_mode & 0o077 == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["e.jsonl", "found.jsonl"]


WRONG: list[tuple[list[Row | str], str]] = [
    ([GOOD, "{"], "e.jsonl:2"),
    ([GOOD, ""], "e.jsonl:2: a blank line; delete it"),
    ([GOOD, {**GOOD, "anwser": {"text": ""}}], "did you mean 'answer'?"),
    ([{**GOOD, "scope": {}}], "e.jsonl:1"),
    (['{"id": "a", "id": "b"}'], "e.jsonl:1"),
    ([{**GOOD, "id": 5}], "put the value in quotes"),
]


@pytest.mark.parametrize(("rows", "said"), WRONG)
def test_a_wrong_line_is_told_with_its_place_and_nothing_is_written(
    tmp_path: Path, rows: list[Row | str], said: str
) -> None:
    """Exit code 2, and no findings that look complete."""
    done = gate(tmp_path, write(tmp_path, *rows), "--out", "found.jsonl")
    assert (done.returncode, said in done.stderr) == (2, True), done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["e.jsonl"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["none.jsonl"], "cannot be read"),
        (["e.jsonl", "--run", "x"], "either FILE or --run"),
        (["--out", "x"], "go with FILE"),
        (["e.jsonl", "--require", "dosee"], "write one of citation, dose"),
        (["e.jsonl", "--out", "no/x.jsonl"], "cannot be written"),
    ],
)
def test_a_wrong_use_is_explained(tmp_path: Path, arguments: list[str], said: str) -> None:
    """Exit code 2."""
    write(tmp_path, GOOD)
    done = gate(tmp_path, *arguments)
    assert (done.returncode, said in done.stderr) == (2, True), done.stderr


def test_an_empty_file_is_no_pass(tmp_path: Path) -> None:
    """Nothing was checked."""
    (tmp_path / "e.jsonl").write_bytes(b"")
    assert gate(tmp_path, "e.jsonl").returncode == 2


def test_hostile_text_cannot_write_to_the_terminal(tmp_path: Path) -> None:
    """Escapes and direction marks are spelled out."""
    hostile = {**BAD, "id": "two\x1b[2J", "answer": {"text": "Velorixan 50\u202e mg once daily [1]."}}
    done = gate(tmp_path, write(tmp_path, hostile))
    assert done.returncode == 1
    assert not {"\x1b", "\u202e"} & set(done.stdout)
    assert "U+001B" in done.stdout


def test_the_shipped_schema_accepts_what_the_command_reads() -> None:
    """And refuses a misspelt field."""
    schema = json.loads((shipped("datasets") / "schemas" / "exchange.schema.json").read_text(encoding="utf-8"))
    # An overload of is_valid, which we do not call, is not typed in types-jsonschema.
    validator = Draft202012Validator(schema)

    def accepts(row: Row) -> bool:
        return validator.is_valid(row)  # pyright: ignore[reportUnknownMemberType]

    for row in (GOOD, BAD, SILENT, REFUSED):
        assert accepts(row)
    assert not accepts({**GOOD, "anwser": None})


def test_records_are_given_one_by_one(tmp_path: Path) -> None:
    """The first is there before a later mistake is met."""
    path = tmp_path / "p.jsonl"
    path.write_text('{"mrn": "1"}\n{"mrn": 2}\n{"mrn": "3"}\n', encoding="utf-8")
    lines = stream_jsonl(path, Person)
    assert next(lines).record.mrn == "1"
    with pytest.raises(DatasetError, match=r"p\.jsonl:2"):
        next(lines)
