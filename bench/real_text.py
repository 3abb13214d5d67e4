"""Trials on real text: answers that are right or wrong by how they were made, each beside its source.

Every reader takes a file of ``../shared/data`` and yields `Trial` values. Nothing of the files is kept here.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, cast

from mutations import DOSE, mutations, swapped
from primum.errors import DatasetError, at
from primum.records import SHARED_TENANT, Answer, Exchange, Passage, Scope

DOSE_GATE: Final = ("dose",)
BOTH_GATES: Final = ("dose", "medication")
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+(?=[A-Z])|\n+")
_DOSING: Final = re.compile(r"\b(?:dosage|dose|dosing|administration|juvenile|rheumatoid)\b", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Trial:
    """One answer with its source."""

    id: str
    kind: str
    """How the answer was made; rates are counted by kind."""
    gates: tuple[str, ...]
    """The gates of which any may object."""
    fault: bool
    """Whether one must object; else none may."""
    exchange: Exchange


def read_rows(path: Path) -> list[dict[str, Any]]:
    """The JSON objects of a JSONL file.

    Raises:
        DatasetError: The file cannot be read, or a line is no JSON object.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise DatasetError(
            f"{path}: cannot be read ({type(error).__name__}); name the folder of the data sets"
        ) from error
    rows: list[dict[str, Any]] = []
    for number, line in enumerate(lines, 1):
        try:
            row: Any = json.loads(line)
        except ValueError as error:
            raise DatasetError(f"{at(path, number)}: not JSON; take the file as it was shipped") from error
        if not isinstance(row, dict):
            raise DatasetError(f"{at(path, number)}: not a JSON object; take the file as it was shipped")
        rows.append(cast("dict[str, Any]", row))
    return rows


def summedits(rows: Sequence[Mapping[str, Any]]) -> Iterator[Trial]:
    """Summaries that people validated: consistent ones, and ones in which an edit changed a number."""
    for row in rows:
        consistent = row["label"] == "consistent"
        if consistent or row["flags"]["numeric_edit"]:
            yield Trial(
                id=row["id"],
                kind="consistent summary" if consistent else "number changed",
                gates=DOSE_GATE,
                fault=not consistent,
                exchange=_exchange(row["id"], "", [row["context"]], row["answer"]),
            )


def guidelines(rows: Sequence[Mapping[str, Any]]) -> Iterator[Trial]:
    """Each dose line of a guideline as its own answer, and mutations of it."""
    for row in rows:
        parts = [f"{part['section']}\n{part['text']}".replace("\\n", "\n") for part in row["sections"]]
        whole = "\n".join(parts)
        lines = [line.strip().lstrip("-• ") for line in whole.split("\n") if DOSE.search(line)]
        for number, line in enumerate(lines):
            id_ = f"{row['id']}:{number}"
            yield _trial(id_, "dose line as it is", BOTH_GATES, _exchange(id_, row["title"], parts, line))
            for kind, wrong in (*mutations(line, whole), *swapped(line, lines)):
                yield _trial(f"{id_}:{kind}", kind, DOSE_GATE, _exchange(id_, row["title"], parts, wrong), fault=True)


def labels(rows: Sequence[Mapping[str, Any]]) -> Iterator[Trial]:
    """Drug labels: sentences on dosing as they are; rows of tables with their own and with the next row's value."""
    for row in rows:
        for place, part in enumerate(row["sections"]):
            id_ = f"{row['id']}:{place}"
            if _DOSING.search(part["section"]):
                for number, sentence in enumerate(s for s in _SENTENCE.split(part["text"]) if DOSE.search(s)):
                    exchange = _exchange(f"{id_}:{number}", row["product"], [part["text"]], sentence)
                    yield _trial(exchange.id, "dosing sentence as it is", BOTH_GATES, exchange)
            for number, table in enumerate(_tables(part["text"])):
                yield from _table_trials(f"{id_}:t{number}", row["product"], table)


def notes(rows: Sequence[Mapping[str, Any]]) -> Iterator[Trial]:
    """Clinical notes: the clinicians' correction passes beside its note, the planted error does not."""
    for row in rows:
        if not row["error"]:
            for number, sentence in enumerate(s for s in _SENTENCE.split(row["text"]) if re.search(r"\d", s)):
                exchange = _exchange(f"{row['id']}:{number}", "", [row["text"]], sentence)
                yield _trial(exchange.id, "sentence with a number as it is", BOTH_GATES, exchange)
            continue
        context = row["text"].replace(row["error_sentence"], row["corrected_sentence"])
        right, wrong = (
            _exchange(row["id"], "", [context], row[name]) for name in ("corrected_sentence", "error_sentence")
        )
        if row["corrected_sentence"] not in context:
            continue
        yield _trial(f"{row['id']}:right", "corrected sentence", BOTH_GATES, right)
        if row["flags"]["numeric_change"]:
            yield _trial(row["id"], "error that changes a number", BOTH_GATES, wrong, fault=True)
        elif row["error_type"] in ("pharmacotherapy", "treatment"):
            yield _trial(row["id"], f"error of {row['error_type']}", BOTH_GATES, wrong, fault=True)


@dataclass(frozen=True, kw_only=True)
class _Table:
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    """Each a label and its values."""

    def text(self) -> str:
        return "\n".join(f"| {' | '.join(row)} |" for row in (("", *self.header), *self.rows))


def _tables(text: str) -> Iterator[_Table]:
    """Rows of a label and values, at least three of one width in a row, below a header of that width.

    The files give one cell after the other; where a row ends shows only in that the next cell is a label again.
    """
    cells = [" ".join(cell.split()) for cell in text.split("|")]
    rows: list[tuple[int, tuple[str, ...]]] = []
    at = 0
    while at < len(cells):
        end = at + 1
        while end < len(cells) and re.match(r"[<>≤≥↑↓+-]?\s?\d|No change|Not determined", cells[end]):
            end += 1
        if end - at > 1 and re.search("[A-Za-z]{3}", cells[at]):
            rows.append((at, tuple(cells[at:end])))
        at = end
    block: list[tuple[int, tuple[str, ...]]] = []
    headless = False
    for row in [*rows, (-1, ())]:
        follows = bool(block) and row[0] == block[-1][0] + len(block[-1][1])
        if block and not (follows and len(row[1]) == len(block[-1][1])):
            yield from () if headless else _table(cells, block)
            block, headless = [], follows  # what stands above a row of another width is no header
        block.append(row)


def _table(cells: Sequence[str], block: Sequence[tuple[int, tuple[str, ...]]]) -> Iterator[_Table]:
    width = len(block[0][1]) - 1
    header = tuple(cells[max(0, block[0][0] - width) : block[0][0]])
    if len(block) >= 3 and len(header) == width and all(len(name) < 60 for name in header):
        yield _Table(header=header, rows=tuple(row for _, row in block))


def _table_trials(id_: str, title: str, table: _Table) -> Iterator[Trial]:
    for number, (row, below) in enumerate(pairwise(table.rows)):
        for column, value in enumerate(row[1:], 1):
            said = f"{row[0]}, {table.header[column - 1]}: " if table.header[column - 1] else f"{row[0]}: "
            place = f"{id_}:{number}:{column}"
            kind = "table cell" if re.search("%|mg|fold|week|day", value) else "table cell without a unit"
            own = _exchange(place, title, [table.text()], said + value)
            yield _trial(place, f"{kind}, own value", DOSE_GATE, own)
            if below[column] not in row:
                other = _exchange(place, title, [table.text()], said + below[column])
                yield _trial(f"{place}:next", f"{kind}, value of the next row", DOSE_GATE, other, fault=True)


def _trial(id_: str, kind: str, gates: tuple[str, ...], exchange: Exchange, *, fault: bool = False) -> Trial:
    return Trial(id=id_, kind=kind, gates=gates, fault=fault, exchange=exchange)


def _exchange(id_: str, title: str, texts: Sequence[str], answer: str) -> Exchange:
    passages = tuple(
        Passage(id=f"source-{number}", document_id="source", document_version="1", title=title, text=text)
        for number, text in enumerate(texts)
    )
    return Exchange(
        id=id_,
        question=title,
        scope=Scope(tenant=SHARED_TENANT),
        retrieved=passages,
        context=passages,
        answer=Answer(text=answer),
    )
