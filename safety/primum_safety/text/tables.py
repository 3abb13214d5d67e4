"""Tables in text: rows of cells apart by ``|``, with what the header and the row's first cell say about each cell."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from primum_safety.text.sentences import Range


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell with its neighbourhood."""

    where: Range
    heading: Range
    """The column's header; empty when the column has none."""
    header: str
    """Its words."""
    row: Range
    """The whole row."""
    label: Range
    """The row's first cell."""


_RULE: Final = re.compile(r"[\s|:+=-]+")
_UNIT: Final = re.compile(r"[(,\[]\s*((?:[A-Za-zµ%°][\w.%°µ^]*)(?:\s?(?:/|per)\s?[\w.^ ]+)*)\s*[)\]]?\s*$")


def table_cells(text: str) -> list[Cell]:
    """The cells of every table in a normalised text, in order; header rows and rules left out."""
    if "|" not in text:
        return []
    cells: list[Cell] = []
    block: list[list[Range]] = []
    at = 0
    for line in [*text.split("\n"), ""]:
        row = _row(text, at, at + len(line))
        if row is None and block:
            cells += _read_block(text, block)
            block = []
        elif row:
            block.append(row)
        at += len(line) + 1
    return cells


def header_unit(header: str) -> str | None:
    """The unit that a header gives for its column, as in ``Clearance (mL/min)``."""
    found = _UNIT.search(header)
    return found[1] if found else None


class CellFinder:
    """Finds the cell that an offset lies in."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        self._cells = cells
        self._starts = [cell.where.start for cell in cells]

    def at(self, offset: int) -> Cell | None:
        """The cell around `offset`; None outside tables."""
        index = bisect_right(self._starts, offset) - 1
        if index >= 0 and offset < self._cells[index].where.end:
            return self._cells[index]
        return None


def _row(text: str, start: int, end: int) -> list[Range] | None:
    """The cells of a line; None when it is no row, an empty list for a rule."""
    line = text[start:end]
    if line.count("|") < 1 or not line.strip(" |"):
        return None
    if _RULE.fullmatch(line):
        return []
    inner_start = start + (len(line) - len(line.lstrip()))
    inner_end = end - (len(line) - len(line.rstrip()))
    if text[inner_start] == "|":
        inner_start += 1
    if inner_end > inner_start and text[inner_end - 1] == "|":
        inner_end -= 1
    cells: list[Range] = []
    at = inner_start
    for piece in text[inner_start:inner_end].split("|"):
        cells.append(Range(at, at + len(piece)))
        at += len(piece) + 1
    return cells if len(cells) > 1 else None


def _read_block(text: str, block: list[list[Range]]) -> list[Cell]:
    header, *rows = block
    if not rows or len(header) < 2:
        return []
    cells: list[Cell] = []
    for row in rows:
        whole = Range(row[0].start, row[-1].end)
        for column, where in enumerate(row):
            heading = header[column] if column < len(header) else Range(where.start, where.start)
            cells.append(Cell(where, heading, heading.of(text).strip(), whole, row[0]))
    return cells
