"""Passages to statements: sentences, list items and table rows, each with the words that surround it."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from primum.records import Passage

_HEADING: Final = re.compile(r" {0,3}#{1,6}\s+(?P<name>.*?)\s*#*\s*$")
_ITEM: Final = re.compile(r"\s*(?:[-*+]|\d{1,3}[.)])\s+")
_DELIMITER: Final = re.compile(r"\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[A-Z0-9\"'(])")
_ABBREVIATION: Final = re.compile(
    r"\b(?:dr|mr|mrs|ms|prof|st|e\.g|i\.e|approx|no|vs|cf|fig|ca|max|min)\.$", re.IGNORECASE
)
_UNIT_HEADER: Final = re.compile(r"(?P<name>.*\S)\s*\((?P<unit>[^()]+)\)")
_PLAIN_BAND: Final = re.compile(
    r"(?P<number>(?:(?:below|under|above|over|less than|more than|at least|up to|from)\s+)?"
    r"\d[\d.,]*(?:\s*(?:to|-|\u2013)\s*\d[\d.,]*)?)(?P<rest>(?:\s+or\s+(?:more|above|over|less|below|under))?)",
    re.IGNORECASE,
)
_ORDERS: Final = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:instructions?|rules?|prompts?|above|previous|told|guidelines)\b"
    r"|\b(?:tell|inform|assure|convince)\s+the\s+(?:user|reader|asker|person\s+asking)\b"
    r"|\b(?:assistants?|ai|a\.i\.|language\s+models?|chatbots?|llms?|system\s+prompt)\b"
    r"|\byou\s+must\s+(?:answer|say|reply|respond|state|write|output)\b"
    r"|\b(?:answer|reply|respond)\s+(?:only\s+)?with\b|\bend\s+(?:your\s+\w+\s+)?with\s+the\s+words?\b"
    r"|\b(?:leave\s+out|omit|do\s+not\s+(?:give|show|add|mention))\s+(?:the\s+|any\s+|all\s+)?(?:sources?|citations?|disclaimers?)\b"
    r"|\bnew\s+(?:instructions?|rules?)\b",
    re.IGNORECASE | re.DOTALL,
)  # fmt: skip
_ANNOUNCES: Final = re.compile(
    r"(?:the|this)\s+(?:following\s+)?(?:table|list|section|chart)\b|\bsee\b.*\btable\b|the\s+following\b|.*\b(?:asks?|asked|wonders?|wondered)\s+(?:whether|if|about)\b",
    re.IGNORECASE,
)
"""A sentence that only says where something stands, or that somebody asked."""
_BANNER: Final = re.compile(
    r"\bnot\s+for\s+(?:care|clinical|use\b|patient)|\bsynthetic\s+(?:text|data|document)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One thing that a passage says."""

    text: str
    """What is quoted."""
    passage: Passage
    heading: str
    caption: str = ""
    """For a table row: the paragraph above the table."""
    announcement: str = ""
    """For a table row: the last sentence above the table, which says what its numbers hold for."""
    band: str = ""
    """For a table row: its first cell."""
    band_header: str = ""
    """For a table row: the header of its first column."""


def reads_as_orders(text: str) -> bool:
    """Whether a text speaks to the system that reads it rather than to people."""
    return _ORDERS.search(text) is not None


def statements(passage: Passage) -> Iterator[Statement]:
    """What a passage says, in order.

    A passage that gives orders to its reader, or holds characters that nobody sees, is not trusted: it says nothing.
    """
    if reads_as_orders(passage.text) or _hides_something(passage.text):
        return
    heading, caption = str(passage.payload.get("heading") or ""), ""
    header = _cells(str(passage.payload.get("table_header") or ""))
    for block in _blocks(passage.text):
        if match := _HEADING.match(block[0]):
            heading, caption, header = match["name"], "", []
        elif "|" in block[0]:
            rows = block
            if len(block) > 1 and _DELIMITER.fullmatch(block[1]):
                header, rows = _cells(block[0]), block[2:]
            for row in rows:
                yield from _row(row, header, passage, heading, caption)
        else:
            paragraph = " ".join(line.strip() for line in block)
            if not _BANNER.search(paragraph):
                caption = paragraph
                item = _ITEM.match(block[0])
                sentences = _sentences(paragraph[item.end() if item else 0 :].strip())
                for sentence in (sentence for sentence in sentences if not _ANNOUNCES.match(sentence)):
                    yield Statement(text=sentence, passage=passage, heading=heading)


def _blocks(text: str) -> Iterator[list[str]]:
    """Headings, list items, tables and paragraphs, as lines."""
    block: list[str] = []
    for line in [*text.splitlines(), ""]:
        starts_anew = bool(_HEADING.match(line) or _ITEM.match(line)) or (
            bool(block) and ("|" in line) != ("|" in block[0])
        )
        if block and (not line.strip() or starts_anew or _HEADING.match(block[0])):
            yield block
            block = []
        if line.strip():
            block.append(line)


def _cells(line: str) -> list[str]:
    return (
        [cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|")] if line.strip() else []
    )


def _row(line: str, header: list[str], passage: Passage, heading: str, caption: str) -> Iterator[Statement]:
    cells = _cells(line)
    # Without its header a number could belong to anything.
    if len(cells) != len(header) or len(cells) < 2 or not all(cells):
        return
    values = (f"{name}: {cell}" for name, cell in zip(header[1:], cells[1:], strict=True))
    yield Statement(
        text="; ".join((_band(header[0], cells[0]), *values)),
        passage=passage,
        heading=heading,
        caption=caption,
        announcement=list(_sentences(caption))[-1] if caption else "",
        band=cells[0],
        band_header=header[0],
    )


def _band(header: str, cell: str) -> str:
    """The first cell under its header; a unit that stands in the header's brackets goes to the number it belongs to."""
    name, number = _UNIT_HEADER.fullmatch(header), _PLAIN_BAND.fullmatch(cell)
    if name is None or number is None:
        return f"{header}: {cell}"
    return f"{name['name']} {number['number']} {name['unit']}{number['rest']}"


def _sentences(paragraph: str) -> Iterator[str]:
    start = 0
    for match in _SENTENCE_END.finditer(paragraph):
        if not _ABBREVIATION.search(paragraph, start, match.start()):
            yield paragraph[start : match.start()].strip()
            start = match.end()
    if paragraph[start:].strip():
        yield paragraph[start:].strip()


def _hides_something(text: str) -> bool:
    return "<!--" in text or any(unicodedata.category(char) in ("Cf", "Co", "Cs") for char in text)
