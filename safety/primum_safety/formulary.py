"""A formulary of one's own: names that the shipped lexicon does not know, with synonyms and classes.

A formulary is a UTF-8 CSV file with the header ``name,synonyms,class``. Synonyms (brands, local names, codes) are
separated by semicolons and may be missing, and so may the class:

    name,synonyms,class
    velorixan,Velorix;VLX-2,kinase inhibitor
    ward mixture 7,mixture 7,
"""

import csv
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Final

from primum.errors import ConfigError, at
from primum_safety.text.lexicon import MedicineClass, classes_named, classes_represented, lexicon
from primum_safety.text.names import Mention, find_medicines
from primum_safety.text.normalise import normalise
from primum_safety.text.sentences import Range

COLUMNS: Final = ("name", "synonyms", "class")
_NOTHING: Final = re.compile(r"(?!)")


@dataclass(frozen=True, kw_only=True, eq=False)
class Formulary:
    """Names of medicines beside those of the lexicon. Two formularies are the same only if they are one object."""

    names: dict[str, str]
    """Lower-case name or synonym to the name of the substance."""
    classes: tuple[MedicineClass, ...]
    """The lexicon's classes, with the formulary's members and classes added."""
    own_classes: tuple[MedicineClass, ...]
    """Those of `classes` that the lexicon does not have in this form."""
    pattern: re.Pattern[str]
    """Any of `names`."""


@lru_cache(maxsize=1)
def no_formulary() -> Formulary:
    """A formulary that adds nothing."""
    return Formulary(names={}, classes=lexicon().classes, own_classes=(), pattern=_NOTHING)


def read_formulary(path: Path) -> Formulary:
    """The formulary in a CSV file.

    Raises:
        ConfigError: The file cannot be read, or a line is no entry; the message names the line and what to write.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read ({type(error).__name__}); name a UTF-8 CSV file") from error
    names: dict[str, str] = {}
    members: dict[str, list[str]] = {}
    rows = csv.reader(lines)
    header = tuple(cell.strip().lower() for cell in next(rows, list[str]()))
    if header != COLUMNS:
        raise ConfigError(f"{at(path, 1)}: the header is {','.join(header) or 'missing'}; write {','.join(COLUMNS)}")
    for row in rows:
        if not any(cell.strip() for cell in row):
            continue
        place = at(path, rows.line_num)
        if len(row) > len(COLUMNS):
            raise ConfigError(
                f"{place}: {len(row)} columns; write at most {len(COLUMNS)}, synonyms apart by semicolons"
            )
        name, synonyms, group = (*(_plain(cell) for cell in row), "", "")[: len(COLUMNS)]
        spellings = [s for s in (name, *(part.strip() for part in synonyms.split(";"))) if s]
        if not name:
            raise ConfigError(f"{place}: no name; write the name of the medicine in the first column")
        for spelling in spellings:
            if re.search(r"[a-z]{2}", spelling) is None:
                raise ConfigError(f"{place}: {spelling!r} is no name; write at least two letters")
            if names.setdefault(spelling, name) != name:
                raise ConfigError(f"{place}: {spelling!r} stands for {names[spelling]!r} already; keep one of the two")
        if group:
            members.setdefault(group, []).extend(spellings)
    classes = tuple(_classes(members))
    own = tuple(c for c in classes if c not in lexicon().classes)
    return Formulary(names=names, classes=classes, own_classes=own, pattern=_any_of(names))


def medicines_in(text: str, formulary: Formulary) -> tuple[Mention, ...]:
    """The medicines that a normalised text names, by the lexicon and by a formulary, which goes first."""
    own = [
        Mention(formulary.names[" ".join(match.group().lower().split())], Range(*match.span()), known=True)
        for match in formulary.pattern.finditer(text)
    ]
    if not own:
        return find_medicines(text)
    others = (
        mention
        for mention in find_medicines(text)
        if not any(o.where.start < mention.where.end and mention.where.start < o.where.end for o in own)
    )
    return tuple(sorted((*own, *others), key=lambda mention: mention.where))


def named_classes(text: str, formulary: Formulary) -> frozenset[str]:
    """The classes that a normalised text calls by their own names."""
    return classes_named(text) | {c.name for c in formulary.own_classes if c.names.search(text)}


def represented_classes(text: str, formulary: Formulary) -> frozenset[str]:
    """The classes of which a normalised text names a member."""
    return classes_represented(text) | {c.name for c in formulary.own_classes if c.members.search(text)}


def _plain(cell: str) -> str:
    return " ".join(normalise(cell).text.lower().split())


def _any_of(names: Iterable[str]) -> re.Pattern[str]:
    """Any of some names as whole words, the longest first."""
    spelt = (re.escape(name).replace(r"\ ", r"\s+") for name in sorted(names, key=len, reverse=True))
    return re.compile(rf"(?<![\w-])(?:{'|'.join(spelt)})(?![\w-])", re.IGNORECASE) if names else _NOTHING


def _classes(members: dict[str, list[str]]) -> Iterator[MedicineClass]:
    left = dict(members)
    for known in lexicon().classes:
        more = [name for group in list(left) if known.names.fullmatch(group) for name in left.pop(group)]
        yield replace(known, members=_with(known.members, more)) if more else known
    for group, names in left.items():
        own = re.compile(rf"(?<![\w-]){re.escape(group)}s?(?![\w-])", re.IGNORECASE)
        yield MedicineClass(group, own, _with(_NOTHING, names))


def _with(pattern: re.Pattern[str], names: list[str]) -> re.Pattern[str]:
    return re.compile(rf"{pattern.pattern}|\b(?:{'|'.join(map(re.escape, names))})\b", re.IGNORECASE)
