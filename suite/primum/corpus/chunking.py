"""Documents to chunks, along their headings.

The rules, in the order of their weight:

1. Chunks cover all of a document's text but white space, in order and without overlap; ``chunk.text`` is exactly
   ``document.text[chunk.start:chunk.end]``.
2. A Markdown heading (``#`` to ``######``, not in a code fence) starts a section, and a chunk holds text of one
   section. A heading with nothing under it goes with the next section; only at the end of a
   document does it stand alone.
3. A section that fits the limit is one chunk. A longer one is cut at the end of a paragraph, else before a list item,
   else at the end of a sentence, else between words, else between characters. It is not cut right after a heading, and
   after a line that ends in a colon only when no paragraph or list item offers itself.
4. A table row is never cut, and a table that fits the limit is never cut. A longer table is cut between rows, the first
   row staying with the header; the chunks after the first carry the header row as ``payload["table_header"]``, because
   a number without its column heading can be misread. A row that is longer than the limit makes a longer chunk: that is
   the only exception to the limit.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from pydantic import Field, JsonValue

from primum.digest import sha256_text
from primum.records import Chunk, ChunkKey, Document, Record

TABLE_HEADER: Final = "table_header"
"""Key of a chunk's payload: the header row of the table that the chunk continues."""

_HEADING = re.compile(r" {0,3}(#{1,6})(?=[ \t]|$)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_DELIMITER_CELL = re.compile(r":?-+:?")
_LIST_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,3}[.)])\s")
_SPACE = re.compile(r"\s+")
_SENTENCE_END = re.compile(r"(?:[.!?][\"')\]\u201d\u2019]*\s+(?=[^\sa-z\d])|[\u3002\uff01\uff1f])")
_JOINED = re.compile(
    "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u200d\ufe00-\ufe0f\ufe20-\ufe2f]"
)

# How good a place for a cut is; smaller is better. Every position in a section has one of these.
_PARAGRAPH, _ITEM, _SENTENCE, _WORD, _CHARACTER, _CLUSTER, _NEVER = range(7)


class Chunking(Record):
    """How documents are cut; the module's docstring has the rules."""

    max_characters: int = Field(default=900, ge=100, le=20_000)
    """Most characters (code points) of a chunk."""

    @property
    def version(self) -> str:
        """Rules and settings in one word; chunks of equal documents and versions are equal."""
        return f"sections-1:{self.max_characters}"

    def chunk(self, document: Document) -> tuple[Chunk, ...]:
        """The document's chunks in order; none when it holds nothing but white space."""
        pieces = (piece for section in _sections(document.text) for piece in self._pieces(document.text, section))
        return tuple(self._chunk(document, ordinal, piece) for ordinal, piece in enumerate(pieces))

    def _pieces(self, text: str, section: "_Section") -> Iterator["_Piece"]:
        start, end = _trimmed(text, section.start, section.end)
        if end - start <= self.max_characters:
            if start < end:
                yield _Piece(start=start, end=end, path=section.path, table_header=None)
            return
        body = text[start:end]
        lines = _lines(body)
        tables = _tables(lines)
        levels = _cut_levels(body, lines, tables, self.max_characters)
        at = 0
        while at < len(body):
            cut = self._cut(levels, at)
            first, last = _trimmed(body, at, cut)
            if first < last:
                yield _Piece(
                    start=start + first,
                    end=start + last,
                    path=section.path,
                    table_header=_continued_header(tables, first),
                )
            at = cut

    def _cut(self, levels: bytearray, start: int) -> int:
        """Where the chunk that begins at `start` ends: the best place that leaves it neither too long nor too short."""
        longest = start + self.max_characters
        if longest >= len(levels):
            return len(levels)
        for least in (start + self.max_characters // 3, start + 1):
            for level in range(_PARAGRAPH, _NEVER):
                if (found := levels.rfind(level, least, longest + 1)) >= 0:
                    return found
        return next((at for at in range(longest + 1, len(levels)) if levels[at] != _NEVER), len(levels))

    def _chunk(self, document: Document, ordinal: int, piece: "_Piece") -> Chunk:
        text = document.text[piece.start : piece.end]
        payload: dict[str, JsonValue] = dict(document.payload)
        if piece.table_header is not None:
            payload[TABLE_HEADER] = piece.table_header
        return Chunk(
            key=ChunkKey(
                document_id=document.id,
                document_version=document.version,
                chunk_id=f"{document.id}@{document.version}#{ordinal}-{sha256_text(text)[:8]}",
                chunking_version=self.version,
            ),
            ordinal=ordinal,
            start=piece.start,
            end=piece.end,
            heading=" > ".join(part for part in piece.path if part != document.title),
            text=text,
            title=document.title,
            type=document.type,
            state=document.state,
            tenant=document.tenant,
            patient_id=document.patient_id,
            payload=payload,
        )


@dataclass(frozen=True, kw_only=True)
class _Line:
    start: int
    end: int
    text: str


@dataclass(frozen=True, kw_only=True)
class _Section:
    start: int
    end: int
    path: tuple[str, ...]
    """The headings above the text, outermost first."""


@dataclass(frozen=True, kw_only=True)
class _Piece:
    start: int
    end: int
    path: tuple[str, ...]
    table_header: str | None


@dataclass(frozen=True, kw_only=True)
class _Table:
    start: int
    end: int
    header: str | None
    cuts: tuple[int, ...]
    """Where it may be cut: before each row but the first."""


def _lines(text: str) -> list[_Line]:
    lines: list[_Line] = []
    start = 0
    for line in text.split("\n"):
        lines.append(_Line(start=start, end=start + len(line), text=line.rstrip("\r")))
        start += len(line) + 1
    return lines


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The range without white space at its ends."""
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())


def _sections(text: str) -> Iterator[_Section]:
    start = 0
    path: list[tuple[int, str]] = []
    empty = True  # nothing but headings and blank lines since `start`
    fence = ""
    for line in _lines(text):
        marker = _FENCE.match(line.text)
        if fence:
            if marker and marker[1].startswith(fence) and not line.text[marker.end() :].strip():
                fence = ""
            continue
        heading = None if marker else _HEADING.match(line.text)
        if heading is None:
            fence = marker[1] if marker else ""
            empty = empty and not line.text.strip()
            continue
        if not empty:
            yield _Section(start=start, end=line.start, path=tuple(name for _, name in path))
            start, empty = line.start, True
        level = len(heading[1])
        path = [(above, name) for above, name in path if above < level]
        path.append((level, _heading_name(line.text[heading.end() :])))
    yield _Section(start=start, end=len(text), path=tuple(name for _, name in path))


def _heading_name(rest: str) -> str:
    """A heading without the hashes that may close it."""
    name = rest.strip()
    opened = name.rstrip("#")
    return opened.rstrip() if opened != name and opened[-1:] in ("", " ", "\t") else name


def _is_delimiter_row(text: str) -> bool:
    cells = text.strip().removeprefix("|").removesuffix("|").split("|")
    return "|" in text and all(_DELIMITER_CELL.fullmatch(cell.strip()) for cell in cells)


def _tables(lines: list[_Line]) -> list[_Table]:
    """Runs of lines with bars: from a header row above a delimiter row, or from a line that starts with a bar."""
    tables: list[_Table] = []
    at = 0
    while at < len(lines):
        has_header = "|" in lines[at].text and at + 1 < len(lines) and _is_delimiter_row(lines[at + 1].text)
        if not has_header and not lines[at].text.lstrip().startswith("|"):
            at += 1
            continue
        end = at + 1
        while end < len(lines) and "|" in lines[end].text:
            end += 1
        first_cut = at + (3 if has_header else 1)
        tables.append(
            _Table(
                start=lines[at].start,
                end=lines[end - 1].end,
                header=lines[at].text.strip() if has_header else None,
                cuts=tuple(line.start for line in lines[first_cut:end]),
            )
        )
        at = end
    return tables


def _continued_header(tables: list[_Table], at: int) -> str | None:
    """The header row of the table that a chunk beginning at `at` continues."""
    index = bisect_left(tables, at, key=lambda table: table.start) - 1
    return tables[index].header if index >= 0 and at < tables[index].end else None


def _cut_levels(body: str, lines: list[_Line], tables: list[_Table], limit: int) -> bytearray:
    """How good a cut before each character of a section is."""
    levels = bytearray([_CHARACTER]) * len(body)

    def mark(at: int, level: int) -> None:
        if at < len(levels):
            levels[at] = level

    for match in _JOINED.finditer(body):
        mark(match.start(), _CLUSTER)
        if match[0] == "\u200d":
            mark(match.end(), _CLUSTER)
    for match in _SPACE.finditer(body):
        mark(match.start(), _CLUSTER)  # white space goes with what is before it
        # A number stays with its unit.
        mark(match.end(), _CHARACTER if body[match.start() - 1].isdigit() else _WORD)
    for match in _SENTENCE_END.finditer(body):
        mark(match.end(), _SENTENCE)
    for start, level in _line_starts(lines, {table.start for table in tables}):
        mark(start, level)
    head_end = _head_end(lines)
    for table in tables:
        # A cut is before a character, so one at the table's start is outside it.
        levels[table.start + 1 : table.end] = bytes([_NEVER]) * (table.end - table.start - 1)
        kept_from = 0 if table.start == head_end else table.start
        if table.end - kept_from > limit:
            for cut in table.cuts:
                mark(cut, _ITEM)
    if head_end < len(levels):
        levels[head_end] = _NEVER
    return levels


def _line_starts(lines: list[_Line], tables: set[int]) -> Iterator[tuple[int, int]]:
    """Where paragraphs and list items start, and how good a cut is there."""
    before, after_blank = "", False
    for line in lines:
        text = line.text.strip()
        if text and before and (after_blank or line.start in tables or _LIST_ITEM.match(line.text)):
            level = _PARAGRAPH if after_blank else _ITEM
            yield line.start, max(level, _SENTENCE) if before.endswith(":") else level
        before, after_blank = text or before, not text


def _head_end(lines: list[_Line]) -> int:
    """Where the text after a section's headings starts; 0 without headings."""
    return next((line.start for line in lines if line.text.strip() and not _HEADING.match(line.text)), 0)
