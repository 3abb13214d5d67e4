"""The hand-written cases under ``cases/``: each gate passes and fails what it should.

One block a topic, blocks apart by an empty line. Lines start with a mark: ``C:`` a passage (``C[id]:`` with an id),
``C+`` one more line of it, ``T:`` its title, ``Q:`` the question, ``K:`` the answerability, ``+`` an answer that
passes, ``-`` an answer that fails, ``#`` a comment. A backslash and an n in an answer are a line break.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from primum.records import Answer, Answerability, AnswerKey, Exchange, Passage, Scope, Status
from primum_safety import check

CASES = Path(__file__).parent / "cases"


@dataclass(slots=True)
class Block:
    """One topic."""

    line: int
    passages: list[tuple[str, str, str]] = field(default_factory=list[tuple[str, str, str]])
    question: str = "What do the sources say?"
    answerability: Answerability | None = None
    answers: list[tuple[int, bool, str]] = field(default_factory=list[tuple[int, bool, str]])


@dataclass(frozen=True, slots=True)
class GateCase:
    """One answer and the verdict that is right."""

    id: str
    exchange: Exchange
    key: AnswerKey
    passes: bool


def gate_cases(name: str) -> list[GateCase]:
    """The cases of one file, identified by file and line."""
    return [case for block in _blocks(CASES / name) for case in _cases(name, block)]


def _blocks(path: Path) -> Iterator[Block]:
    block = Block(line=1)
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            if block.answers:
                yield block
            block = Block(line=number + 1)
        elif not line.startswith("#"):
            _read(block, number, line)
    if block.answers:
        yield block


def _read(block: Block, number: int, line: str) -> None:
    mark, rest = line[:2], line[2:].strip()
    if mark == "C+":
        name, title, text = block.passages[-1]
        block.passages[-1] = (name, title, f"{text}\n{rest}")
    elif passage := re.match(r"C(?:\[([^\]]+)\])?:\s*(.*)", line):
        block.passages.append((passage[1] or f"doc-{len(block.passages) + 1}", "", passage[2]))
    elif mark == "T:":
        name, _, text = block.passages[-1]
        block.passages[-1] = (name, rest, text)
    elif mark == "Q:":
        block.question = rest
    elif mark == "K:":
        block.answerability = Answerability(rest)
    elif mark[0] in "+-":
        block.answers.append((number, mark[0] == "+", line[1:].strip().replace("\\n", "\n")))
    else:
        raise ValueError(f"line {number} starts with no known mark: {line[:20]!r}")


def _cases(name: str, block: Block) -> Iterator[GateCase]:
    context = tuple(
        Passage(id=doc, document_id=doc, document_version="1", title=title, text=text)
        for doc, title, text in block.passages
    )
    for number, passes, answer in block.answers:
        exchange = Exchange(
            id=f"{name}:{number}",
            question=block.question,
            scope=Scope(tenant="shared"),
            retrieved=context,
            context=context,
            answer=Answer(text=answer),
            disclaimer_required=name.startswith("disclaimer"),
        )
        yield GateCase(f"{name}:{number}", exchange, AnswerKey(answerability=block.answerability), passes)


PARAMETERS = [
    pytest.param(gate, case, id=f"{gate}-{case.id}")
    for gate in ("citation", "disclaimer", "dose", "medication", "refusal")
    for path in sorted(CASES.glob(f"{gate}*.txt"))
    for case in gate_cases(path.name)
]


@pytest.mark.parametrize(("gate", "case"), PARAMETERS)
def test_gate_says_what_the_case_says(gate: str, case: GateCase) -> None:
    """One answer, one verdict; a failure shows the findings. Declining too much is judged beside refusal."""
    names = {gate, "over_refusal"} if gate == "refusal" else {gate}
    results = [result for result in check(case.exchange, case.key).results if result.gate in names]
    found = [finding for result in results for finding in result.findings if finding.blocks]
    assert (not found) == case.passes, (case.exchange.answer, found)
    assert [result.detail for result in results if result.status is Status.ERROR] == []
