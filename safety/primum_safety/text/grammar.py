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
from typing import Final

_DATA: Final = "primum_safety.data"
_MACRO: Final = re.compile(r"([a-z_]+)\s+=\s+(.*)")
_USE: Final = re.compile(r"\{([a-z_]+)\}")
_GAP: Final = r"(?=\W)[^.;!?\n]{0,60}?(?<=\W)"


@lru_cache(maxsize=32)
def grammar(name: str) -> Mapping[str, re.Pattern[str]]:
    """The sections of a shipped grammar file, each as one pattern that matches any of its frames.

    Raises:
        ValueError: A frame uses a macro that is not defined above it, or is no regular expression.
    """
    return {section: pattern for section, (_, pattern) in frames(name).items()}


@lru_cache(maxsize=32)
def frames(name: str) -> Mapping[str, tuple[tuple[str, ...], re.Pattern[str]]]:
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


def _compile(parts: list[str], name: str, section: str) -> re.Pattern[str]:
    try:
        # A frame that starts with a sign may follow a word at once.
        whole = (rf"{'' if part[0] == chr(92) else '(?<!' + chr(92) + 'w)'}(?:{part})(?!\w)" for part in parts)
        return re.compile("|".join(whole), re.IGNORECASE)
    except re.error as error:
        raise ValueError(f"{name}: section [{section}] is no regular expression: {error}") from error
