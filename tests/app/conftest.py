"""A project small enough to run in a moment: two documents, four cases, an answer function."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from primum.app.project import load_project
from primum.cli import main

MONOGRAPH = """\
---
id: mono-lumaxolol
version: "1"
title: Lumaxolol
type: monograph
state: published
---
## Adult dose

Adults take lumaxolol 5 mg by mouth once daily.

## Contraindications

Lumaxolol must not be given in asthma.
"""

NOTE = """\
---
id: note-berg
version: "1"
title: Ward note of Ida Berg
type: patient_note
state: published
tenant: north
patient_id: "7001"
payload: {patient_name: Ida Berg, mrn: "7001"}
---
Ida Berg (MRN 7001) takes lumaxolol 10 mg by mouth once daily.
"""

DOSE = "Adults take lumaxolol 5 mg by mouth once daily."
ASTHMA = "Lumaxolol must not be given in asthma."

SYSTEM = '''\
"""The system under test."""

import os
import time
from pathlib import Path

LOG = Path(__file__).with_name("asked.log")
END = "The prescriber makes the final decision."


def answer(question, scope, passages):
    with LOG.open("a") as log:
        log.write(question + "\\n")
    time.sleep(float(os.environ.get("ANSWER_SECONDS", "0")))
    if "fridge" in question:
        return "The available documents do not answer this question."
    if "asthma" in question:
        return f"Lumaxolol must not be given in asthma [mono-lumaxolol]. {END}"
    dose = os.environ.get("ANSWER_DOSE", "5 mg")
    return f"Adults take lumaxolol {dose} by mouth once daily [mono-lumaxolol]. {END}"
'''

SEARCH = '''\
"""The retriever under test: hands on what a file says, or fails."""

import json
from pathlib import Path


def search(question, scope, limit):
    return list(json.loads(Path(__file__).with_name("rankings.json").read_text())[question])
'''

DRAFT = """\
---
id: draft-lumaxolol
version: "{version}"
title: Lumaxolol
type: monograph
state: {state}
tenant: {tenant}
---
Adults take lumaxolol 500 mg.
"""

OURS = "retrieval: {kind: callable, function: 'SEARCH:search', limit: 4, context: 2}"

CONFIG = """\
version: 1
name: ward
dataset: {unjudged: irrelevant}
index: {memory: true}
retrieval: {kind: bm25, limit: 4, context: 4}
systems:
  ours:
    generator: {kind: callable, function: "our_rag:answer"}
release: ours
concurrency: 1
"""


def case(family: str, question: str, quote: str | None, **changes: Any) -> dict[str, Any]:
    """A case whose evidence is `quote` of the monograph, or that has none."""
    evidence = {"document_id": "mono-lumaxolol", "document_version": "1", "quote": quote, "grade": 2, "required": True}
    fields: dict[str, Any] = {
        "family": family,
        "variant": "a",
        "question": question,
        "kind": "plain",
        "role": "acceptance",
        "scope": {"tenant": "north"},
        "audience": "prescriber",
        "consequence": "serious",
        "answerability": "answerable" if quote else "unanswerable",
        "expected_behaviour": "States what the monograph says." if quote else "Says that it is not covered.",
        "evidence": [evidence] if quote else [],
        "disclaimer_required": True,
    }
    return {**fields, **changes}


CASES = [
    case("adult-dose", "What is the adult dose of lumaxolol?", DOSE),
    case("asthma", "May lumaxolol be given in asthma?", ASTHMA),
    case(
        "berg-dose", "What is the usual adult dose of lumaxolol?", DOSE, scope={"tenant": "north", "patient_id": "7001"}
    ),
    case("storage", "Must lumaxolol be kept in the fridge?", None),
]


@dataclass(frozen=True)
class Ward:
    """A project folder and the command line on it."""

    folder: Path

    @property
    def config(self) -> Path:
        return self.folder / "primum.yaml"

    @property
    def asked(self) -> list[str]:
        """Questions that the system was asked, in order."""
        log = self.folder / "asked.log"
        return log.read_text().splitlines() if log.exists() else []

    def cases(self) -> list[dict[str, Any]]:
        """As they are written."""
        return [json.loads(line) for line in (self.folder / "cases.jsonl").read_text().splitlines()]

    def add_document(self, state: str = "published", tenant: str = "shared") -> None:
        """Adds one that says 500 mg."""
        text = DRAFT.format(version="1", state=state, tenant=tenant)
        (self.folder / "documents" / "draft-lumaxolol.md").write_text(text)

    def chunk_of(self, words: str) -> str:
        """Id of the first chunk that holds `words`."""
        return next(chunk.id for chunk in load_project(self.config).chunks if words in chunk.text)

    def written(self) -> dict[str, Any]:
        """The report of the retrieval."""
        report: dict[str, Any] = json.loads((self.folder / ".primum" / "retrieval.json").read_text())
        return report

    def environment(self, extra: Mapping[str, str]) -> dict[str, str]:
        return {**os.environ, "NO_COLOR": "1", "COLUMNS": "200", **extra}

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, "-c", "from primum.cli import main; main()", *arguments]

    def primum(self, *arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
        """Runs a command on this project to its end."""
        command = self.command(*arguments, "-c", str(self.config))
        env = self.environment(environment)
        return subprocess.run(command, check=False, capture_output=True, text=True, env=env, timeout=120)


@pytest.fixture
def ward(tmp_path: Path) -> Ward:
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents" / "mono-lumaxolol.md").write_text(MONOGRAPH)
    (tmp_path / "documents" / "note-berg.md").write_text(NOTE)
    (tmp_path / "cases.jsonl").write_text("".join(json.dumps(one) + "\n" for one in CASES))
    person = {"mrn": "7001", "name": "Ida Berg", "birth_date": "1950-01-02", "tenant": "north"}
    (tmp_path / "patients.jsonl").write_text(json.dumps(person) + "\n")
    (tmp_path / "our_rag.py").write_text(SYSTEM)
    (tmp_path / "primum.yaml").write_text(CONFIG)
    return Ward(tmp_path)


@pytest.fixture
def edit(ward: Ward) -> Callable[[str, str], None]:
    """Replaces a text in the project file."""

    def replace(old: str, new: str) -> None:
        text = ward.config.read_text()
        assert old in text
        ward.config.write_text(text.replace(old, new))

    return replace


class Command:
    """Runs a command in this process."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.capsys = capsys

    def __call__(self, *arguments: str) -> tuple[int, str]:
        with pytest.raises(SystemExit) as ended:
            main([*arguments, "-c", str(self.folder / "primum.yaml")])
        said = self.capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return ended.value.code, said.out + said.err


@pytest.fixture
def primum(ward: Any, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(ward.folder, capsys)


@pytest.fixture
def ours(ward: Any, edit: Callable[[str, str], None]) -> Callable[..., None]:
    """Makes the retriever a function that returns what is given: a list of chunk ids, or None for a failure."""
    module = f"search_{ward.folder.name}"  # modules are kept by name
    (ward.folder / f"{module}.py").write_text(SEARCH)

    def write(**rankings: Sequence[str] | None) -> None:
        questions = {case["family"].replace("-", "_"): case["question"] for case in ward.cases()}
        found = {question: rankings.get(family, []) for family, question in questions.items()}
        (ward.folder / "rankings.json").write_text(json.dumps(found))

    edit("retrieval: {kind: bm25, limit: 4, context: 4}", OURS.replace("SEARCH", module))
    return write
