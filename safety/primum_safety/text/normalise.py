"""Text in one spelling, in which every character knows where it came from.

All gates read `Text.text`; every finding points into `Text.original` through `Text.span`. What a reader would
not see (comments, hidden elements, tag characters) is kept and marked, so that each gate can choose.
"""

import html
import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from primum.records import Span


@dataclass(frozen=True, slots=True)
class Text:
    """A normalised text with its way back to the original."""

    original: str
    text: str
    starts: tuple[int, ...] | None
    """Original offset of each normalised character; None when nothing changed."""
    ends: tuple[int, ...] | None
    """Original offset after each normalised character; None when nothing changed."""
    hidden: tuple[tuple[int, int], ...] = ()
    """Ranges of `text` that a reader would not see, in order."""

    def span(self, start: int, end: int) -> Span:
        """The stretch of the original behind ``text[start:end]``."""
        if self.starts is None or self.ends is None:
            first, last = start, end
        elif start >= end:
            first = last = self.starts[start] if start < len(self.starts) else len(self.original)
        else:
            first, last = self.starts[start], self.ends[end - 1]
        return Span(start=first, end=last, text=self.original[first:last])

    def is_hidden(self, start: int, end: int) -> bool:
        """Whether any part of ``text[start:end]`` is invisible to a reader."""
        return any(low < end and start < high for low, high in self.hidden)

    @property
    def visible(self) -> str:
        """`text` with what a reader would not see blanked out; offsets stay the same."""
        if not self.hidden:
            return self.text
        parts: list[str] = []
        at = 0
        for low, high in self.hidden:
            parts += [self.text[at:low], " " * (high - low)]
            at = high
        return "".join([*parts, self.text[at:]])


_MARKUP: Final = re.compile(
    r"(?P<comment><!--.*?(?:-->|\Z))"
    r"|(?P<tag></?[a-zA-Z][^<>\n]{0,300}>)"
    r"|(?P<entity>&(?:\#\d{1,7}|\#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]{2,8}\d{0,2});)"
    r"|(?P<emphasis>\*{2,3}|~~|`+|__|(?<!\w)_(?=\w)|(?<=[^\W_])_(?!\w)|(?<![\w*])\*(?=[^\s*])|(?<=[^\s*\d])\*(?![\w*]))",
    re.DOTALL,
)
_NEEDS_WORK: Final = re.compile(r"[^\x00-\x7f]|[<&*_`~\x0b\x0c\r\x1c-\x1f\x7f]")
_HIDING: Final = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|opacity\s*:\s*0(?![.\d])|\bhidden\b"
    r"|aria-hidden\s*=\s*.?true|color\s*[:=]\s*.?(?:white|\#fff(?:fff)?\b|transparent|rgba?\(\s*255\s*,\s*255\s*,\s*255\b)"
    r"|font-size\s*:\s*(?:\.\d|1px)|(?:text-indent|left|top)\s*:\s*-\d{3}|(?<![\w-])(?:max-)?(?:height|width)\s*:\s*0(?![.\d])",
    re.IGNORECASE,
)
_TAG_NAME: Final = re.compile(r"</?([a-zA-Z][a-zA-Z0-9]*)")
_BREAKS: Final = frozenset({"br", "p", "div", "li", "tr", "h1", "h2", "h3", "h4", "ul", "ol", "table"})
_VOID: Final = frozenset({"br", "hr", "img", "input", "meta", "link", "wbr"})
_FIXED: Final = {
    "\u2044": "/", "\u2215": "/", "\u2212": "-", "\u00b5": "µ", "\u03bc": "µ", "\u00ba": "°", "\u02da": "°",
    "\u2018": "'", "\u2019": "'", "\u201b": "'", "\u02bc": "'", "\u2032": "'", "\u201c": '"', "\u201d": '"',
    "\u201e": '"', "\u00ab": '"', "\u00bb": '"', "\u3010": "[", "\u3011": "]", "\u3014": "[", "\u3015": "]",
    "\u3016": "[", "\u3017": "]", "\u2a7d": "≤", "\u2266": "≤", "\u2264": "≤", "\u2a7e": "≥", "\u2267": "≥",
    "\u2265": "≥", "\u00d7": "x", "\u2028": "\n", "\u2029": "\n", "\u0085": "\n", "\u2219": "·", "\u22c5": "·",
    "\u00b7": "·", "\u2026": "...", "\u00df": "ss", "\u00e6": "ae", "\u00f8": "o", "\u0142": "l", "\u0131": "i",
    "\u2010": "-", "\u2011": "-", "\u2043": "-", "\u3001": ",", "\u3002": ".", "\u00d8": "O",
    "\x0b": "\n", "\x0c": "\n", "\r": "\n", "\x7f": "", "\u066b": ".", "\u066c": ",",
}  # fmt: skip
# Letters of other scripts that look like Latin ones; only replaced inside words that have Latin letters too.
_LOOKALIKES: Final = dict(
    zip("аеорсухіјѕԁһкмтвнАВЕКМНОРСТУХІЈЅαορνικτυχ", "aeopcyxijsdhkmtbhABEKMHOPCTYXIJSaopvikTux", strict=True)
)
_MIXED_WORD: Final = re.compile(r"[A-Za-z\u0370-\u052f]+")


_OTHER_SCRIPT: Final = re.compile(r"[\u0370-\u052f]")


def _latin(match: re.Match[str]) -> str:
    """A word in which letters of other scripts pose as Latin ones, in Latin; other words as they are."""
    word = match.group()
    if not any(char < "\x7f" for char in word):
        return word
    return "".join(_LOOKALIKES.get(char, char) for char in word)


@lru_cache(maxsize=8192)
def _fold(char: str) -> str:
    """One character in its plain spelling; empty for characters without a shape of their own."""
    if char in _FIXED:
        return _FIXED[char]
    category = unicodedata.category(char)
    if category in ("Cf", "Cc", "Cs", "Mn", "Me", "Cn") and char not in "\n\t":
        return ""
    if category == "Zs":
        return " "
    if category == "Pd":
        return "-"
    if category == "Nd":
        return str(unicodedata.decimal(char))
    plain = unicodedata.normalize("NFKD", char).replace("\u2044", "/").replace("\u2212", "-")
    return "".join(_FIXED.get(part, part) for part in plain if unicodedata.category(part) not in ("Mn", "Me")) or char


_RAISED: Final = "0123456789+-\u2212"


def _superscript(char: str) -> bool:
    return unicodedata.decomposition(char).startswith("<super>") and unicodedata.normalize("NFKC", char) in _RAISED


_STRETCH: Final = re.compile(r"(?P<ascii>[\x20-\x7e\n\t]+)|[^\x20-\x7e\n\t]+")


class _Writer:
    """Collects normalised characters with their offsets."""

    def __init__(self, original: str) -> None:
        self.original = original
        self.parts: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.hidden: list[tuple[int, int]] = []

    def put(self, piece: str, start: int, end: int) -> None:
        for char in piece:
            self.parts.append(char)
            self.starts.append(start)
            self.ends.append(end)

    def plain(self, start: int, end: int) -> None:
        """Writes what is no markup: stretches of plain ASCII at once, the rest character by character."""
        for stretch in _STRETCH.finditer(self.original, start, end):
            if stretch.lastgroup == "ascii":
                self.parts += stretch.group()
                self.starts += range(stretch.start(), stretch.end())
                self.ends += range(stretch.start() + 1, stretch.end() + 1)
            else:
                self._folded(*stretch.span())

    def _folded(self, start: int, end: int) -> None:
        raised = False
        for at in range(start, end):
            char = self.original[at]
            if char < "\x7f":
                raised = False
                self.put(_FIXED.get(char, char), at, at + 1)
            elif "\U000e0020" <= char <= "\U000e007e":
                self.hide(chr(ord(char) - 0xE0000), at, at + 1)
            elif _superscript(char):
                self.put(("" if raised else "^") + _fold(char), at, at + 1)
                raised = True
            elif unicodedata.category(char) == "No" and self.parts and self.parts[-1].isdigit() and "/" in _fold(char):
                self.put(" " + _fold(char), at, at + 1)
            else:
                raised = False
                self.put(_fold(char), at, at + 1)

    def hide(self, piece: str, start: int, end: int) -> None:
        low = len(self.parts)
        self.put(piece, start, end)
        if self.hidden and self.hidden[-1][1] == low:
            low = self.hidden.pop()[0]
        self.hidden.append((low, len(self.parts)))


@lru_cache(maxsize=2048)
def normalise(original: str) -> Text:
    """`original` in one spelling. Linear in its length; never raises."""
    if not _NEEDS_WORK.search(original):
        return Text(original=original, text=original, starts=None, ends=None)
    out = _Writer(original)
    at = 0
    hiding: list[tuple[str, int]] = []
    for match in _MARKUP.finditer(original):
        out.plain(at, match.start())
        at = match.end()
        _write_markup(out, match, hiding)
    out.plain(at, len(original))
    if hiding:
        out.hidden.append((hiding[0][1], len(out.parts)))
    text = "".join(out.parts)
    mixed = _MIXED_WORD.sub(_latin, text) if _OTHER_SCRIPT.search(text) else text
    return Text(
        original=original, text=mixed, starts=tuple(out.starts), ends=tuple(out.ends), hidden=_merged(out.hidden)
    )


def _write_markup(out: _Writer, match: re.Match[str], hiding: list[tuple[str, int]]) -> None:
    """Writes what one piece of markup leaves behind; `hiding` is the stack of open hidden elements."""
    start, end = match.span()
    if match["comment"] is not None:
        inner_end = end - 3 if match.group().endswith("-->") and end - start >= 7 else end
        low = len(out.parts)
        out.put(" ", start, start + 4)
        out.plain(start + 4, inner_end)
        out.put(" ", inner_end, end) if inner_end < end else None
        out.hidden.append((low, len(out.parts)))
    elif match["tag"] is not None:
        _write_tag(out, match, hiding)
    elif match["entity"] is not None:
        decoded = html.unescape(match.group())
        out.put("".join(_fold(char) if char > "\x7f" else char for char in decoded), start, end)


def _write_tag(out: _Writer, match: re.Match[str], hiding: list[tuple[str, int]]) -> None:
    name_match = _TAG_NAME.match(match.group())
    name = name_match[1].lower() if name_match else ""
    closing = match.group().startswith("</")
    if name == "sup" and not closing:
        out.put("^", *match.span())
    elif name in _BREAKS:
        out.put("\n", *match.span())
    if closing:
        if hiding and hiding[-1][0] == name:
            out.hidden.append((hiding.pop()[1], len(out.parts)))
    elif name not in _VOID and ((hiding and hiding[-1][0] == name) or _HIDING.search(match.group())):
        hiding.append((name, len(out.parts)))


def _merged(ranges: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    merged: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if merged and low <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        elif low < high:
            merged.append((low, high))
    return tuple(merged)
