"""Makes text from documents, answers and judges safe to look at: nothing in it stays invisible or unbounded.

What each format needs on top (HTML, Markdown or XML escapes) is added where that format is written.
"""

import re
import unicodedata
from typing import Final

LIMIT: Final = 20_000
"""The most code points of one text that any report shows."""

# Letters, marks and symbols by their category that nevertheless draw nothing.
_BLANK: Final = frozenset(
    {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F, 0x2800, 0x3164, 0xFFA0}
)
_MARKS_IN_A_ROW: Final = 3
WITHHELD: Final = "█"
"""Stands for one withheld character, so that offsets into a text stay right."""
WITHHELD_RUN: Final = re.compile(rf"{WITHHELD}[{WITHHELD}\s]*(?<=\S)")


def _drawn(char: str) -> str:
    """The character, or its code point in brackets when it draws nothing or turns the text around it."""
    point = ord(char)
    hidden = (
        unicodedata.category(char) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
        or point in _BLANK
        or 0xFE00 <= point <= 0xFE0F
        or 0xE0100 <= point <= 0xE01EF
    )
    return f"⟦U+{point:04X}⟧" if hidden else char


class _Table(dict[int, str]):
    """A translation table that fills itself as characters are met."""

    def __missing__(self, point: int) -> str:
        self[point] = _drawn(chr(point))
        return self[point]


_TABLE: Final = _Table({0x09: "\t", 0x0A: "\n"})


def visible(text: str) -> str:
    """The text with control, bidirectional, zero-width and other undrawn characters as ``⟦U+202E⟧``.

    Line feeds and tabs stay; CR LF becomes LF. Piled-up combining marks, which would cover other lines, are spelled
    out as well.
    """
    if text.isascii() and text.isprintable():
        return text
    shown = text.replace("\r\n", "\n").translate(_TABLE)
    return shown if shown.isascii() else _unpiled(shown)


def _unpiled(text: str) -> str:
    # Most texts hold no mark at all; every combining mark lies above U+02FF.
    if max(text) < "\u0300":
        return text
    marks = 0
    parts: list[str] = []
    for char in text:
        marks = marks + 1 if unicodedata.category(char) in {"Mn", "Me"} else 0
        parts.append(char if marks <= _MARKS_IN_A_ROW else f"⟦U+{ord(char):04X}⟧")
    return "".join(parts)


def clipped(text: str, limit: int = LIMIT) -> str:
    """At most `limit` code points of `text`, and how many more there are."""
    if len(text) <= limit:
        return text
    return f"{text[:limit]} … ({len(text) - limit:,} more characters)"


def one_line(text: str, limit: int = 300) -> str:
    """A visible, bounded text without line breaks or tabs."""
    return visible(" ".join(clipped(text, limit).split()))
