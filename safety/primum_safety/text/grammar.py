"""Small phrase grammars, kept as data files so that clinicians and translators can read and extend them.

A grammar file has macros and sections:

    # a comment
    who = prescribers? | clinicians? | doctors?
    [stated]
    {who} (must|should) decide
    decisions? ... rests? with (the )?{who}

In a frame a space stands for any white space, ``...`` for up to 60 characters of the same sentence, ``{name}`` for a
macro; the rest is a regular expression. Frames match whole words, whatever their case. Indented lines continue a macro.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.resources import files
from itertools import groupby
from typing import Final

from primum_safety.text.patterns import lower_case, lower_pattern

_WORD_BEGINS: Final = r"(?<!\w)"
_DATA: Final = "primum_safety.data"
_MACRO: Final = re.compile(r"([a-z_]+)\s+=\s+(.*)")
_USE: Final = re.compile(r"\{([a-z_]+)\}")
_GAP: Final = r"(?=\W)[^.;!?\n]{0,60}?(?<=\W)"


class Phrases:
    """The frames of one section as one pattern, whatever the case of the words."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._pattern = pattern
        self.pattern = pattern.pattern
        """For lower-case text."""

    def search(self, words: str) -> re.Match[str] | None:
        """The first place where a frame matches."""
        return self._pattern.search(lower_case(words))

    def match(self, words: str) -> re.Match[str] | None:
        """A frame at the beginning."""
        return self._pattern.match(lower_case(words))

    def sub(self, replacement: str, words: str) -> str:
        """The words in lower case, with each frame replaced."""
        return self._pattern.sub(replacement, lower_case(words))


@lru_cache(maxsize=32)
def grammar(name: str) -> Mapping[str, Phrases]:
    """The sections of a shipped grammar file, each as one pattern that matches any of its frames.

    Raises:
        ValueError: A frame uses a macro that is not defined above it, or is no regular expression.
    """
    return {section: pattern for section, (_, pattern) in frames(name).items()}


@lru_cache(maxsize=32)
def frames(name: str) -> Mapping[str, tuple[tuple[str, ...], Phrases]]:
    """As `grammar`, with the expanded frames beside each pattern."""
    macros: dict[str, str] = {}
    sections: dict[str, list[str]] = {}
    current: list[str] | None = None
    for place, line in _lines(name):
        if line.startswith("["):
            current = sections.setdefault(line.strip("[] "), [])
        elif (macro := _MACRO.fullmatch(line)) is not None:
            macros[macro[1]] = _expand(macro[2], macros, place)
        elif current is not None:
            current.append(_expand(line, macros, place))
    return {section: (tuple(parts), _compile(parts, name, section)) for section, parts in sections.items()}


def _lines(name: str) -> Iterator[tuple[str, str]]:
    """Logical lines with their place: comments dropped, continuations joined."""
    held = ""
    place = name
    for number, line in enumerate(files(_DATA).joinpath(name).read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if line[0] == " ":
            more = line.strip()
            held += " | " + more.lstrip("| ") if more.startswith("|") else " " + more
            continue
        if held:
            yield place, held
        held, place = line.rstrip(), f"{name}:{number}"
    if held:
        yield place, held


def _expand(frame: str, macros: Mapping[str, str], place: str) -> str:
    def macro(match: re.Match[str]) -> str:
        if match[1] not in macros:
            raise ValueError(f"{place}: {match.group()} is not defined above")
        return f"(?:{macros[match[1]]})"

    spaced = frame.replace(" | ", "|").replace(" ... ", "\0").replace(" ?", r"\s*").replace(" ", r"\s+")
    return _USE.sub(macro, spaced).replace("\0", _GAP)


def _compile(parts: list[str], name: str, section: str) -> Phrases:
    try:
        # A frame that starts with a sign may follow a word at once.
        runs = groupby(parts, key=lambda part: part.startswith("\\"))
        whole = (rf"{'' if sign else _WORD_BEGINS}(?:{'|'.join(run)})(?!\w)" for sign, run in runs)
        return Phrases(lower_pattern("|".join(whole)))
    except re.error as error:
        raise ValueError(f"{name}: section [{section}] is no regular expression: {error}") from error
