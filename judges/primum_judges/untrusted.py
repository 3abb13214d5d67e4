"""Makes text of others harmless inside of a prompt, and finds quotes from it again in the original."""

import re
import unicodedata
from typing import Final

from primum.records import Span

# What looks like a fence (two or more angle brackets in a row, of any script) or like a chat template's control token.
_ANGLES: Final = "<>\uff1c\uff1e\u2039\u203a\u3008\u3009\u300a\u300b\u27e8\u27e9\u00ab\u00bb"
_LOOKALIKE: Final = re.compile(
    rf"[{_ANGLES}]{{2,}}|<\|[^|<>]{{0,40}}\|?>|\|>|<\||\[/?INST\]|</?s>|</?(?:start|end)_of_turn>",
    re.IGNORECASE,
)
_HARMLESS: Final = str.maketrans({**dict.fromkeys(_ANGLES, "\u00b7"), "[": "(", "]": ")", "|": "\u00a6"})
_CONTROL_SPACES: Final = re.compile(r"[\v\f\x1c-\x1f\x85]")
_SAME: Final = {"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"'}


def is_invisible(character: str) -> bool:
    """Whether a character shows nothing: zero-width, bidirectional, tag, variation and control characters."""
    if character.isspace():
        return False
    code = ord(character)
    if 0xFE00 <= code <= 0xFE0F or 0xE0100 <= code <= 0xE01EF or code in (0x034F, 0x115F, 0x1160, 0x3164, 0xFFA0):
        return True
    return unicodedata.category(character) in ("Cf", "Cc")


def neutral(text: str) -> str:
    """The text as it may stand in a prompt: invisible characters left out, look-alikes of fences made harmless.

    Everything else stays as it is, in whatever script. Lone surrogates, which no request can carry, become U+FFFD.
    """
    lines = _CONTROL_SPACES.sub(" ", text.replace("\r\n", "\n").replace("\r", "\n"))
    visible = "".join(c for c in lines if not is_invisible(c))
    whole = visible.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return _LOOKALIKE.sub(lambda match: match.group().translate(_HARMLESS), whole)


def one_line(text: str) -> str:
    """The neutral text with every run of white space as one space."""
    return " ".join(neutral(text).split())


class QuotedText:
    """A text in which quotes are looked for, to the letter.

    White space, invisible characters and the shape of quotation marks do not count; case does. A quote is never found
    inside of a word or number: "5 mg" does not stand in "15 mg" or "0.5 mg". It must hold a letter or digit.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._folded, self._origin = _folded(text)

    def find(self, quote: str) -> Span | None:
        """Where `quote` stands in the text as it is; None when it does not."""
        wanted = _folded(quote)[0].strip()
        if not any(c.isalnum() for c in wanted):
            return None
        at = self._folded.find(wanted)
        while at >= 0:
            end = at + len(wanted)
            if _whole(self._folded, at, end):
                start, stop = self._origin[at], self._origin[end - 1] + 1
                return Span(start=start, end=stop, text=self._text[start:stop])
            at = self._folded.find(wanted, at + 1)
        return None


def _whole(text: str, start: int, end: int) -> bool:
    """Whether no word or number goes on beyond either end."""
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    first, last = text[start], text[end - 1]
    if first.isalnum() and before[-1:].isalnum():
        return False
    if last.isalnum() and after[:1].isalnum():
        return False
    if first.isdigit() and len(before) == 2 and before[0].isdigit() and before[1] in ".,":
        return False
    return not (last.isdigit() and len(after) == 2 and after[0] in ".," and after[1].isdigit())


def _folded(text: str) -> tuple[str, list[int]]:
    """The text as quotes are compared, and where each of its characters comes from."""
    characters: list[str] = []
    origin: list[int] = []
    harmless = _harmless_places(text)
    for at, c in enumerate(text):
        if c.isspace():
            if characters and characters[-1] == " ":
                continue
            c = " "  # noqa: PLW2901 - the folded form of this character
        elif is_invisible(c):
            continue
        elif at in harmless:
            c = c.translate(_HARMLESS)  # noqa: PLW2901 - as above
        characters.append(_SAME.get(c, c))
        origin.append(at)
    return "".join(characters), origin


def _harmless_places(text: str) -> frozenset[int]:
    """Places that `neutral` would change, so that a quote of the neutral text is found in the original."""
    visible = [(at, c) for at, c in enumerate(text) if not is_invisible(c)]
    joined = "".join(c for _, c in visible)
    return frozenset(visible[at][0] for match in _LOOKALIKE.finditer(joined) for at in range(*match.span()))
