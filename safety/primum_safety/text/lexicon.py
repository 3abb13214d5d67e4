"""The word lists behind the names of medicines, read when first needed."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Final

from primum_safety.text.patterns import lower_case, lower_pattern

_DATA: Final = "primum_safety.data"


@dataclass(frozen=True, slots=True)
class MedicineClass:
    """A class of medicines, with patterns for its own names and for those of its members."""

    name: str
    names: re.Pattern[str]
    members: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Lexicon:
    """What is known about names."""

    canonical: Mapping[str, str]
    """Lower-case name, of one word or several, to the name of the substance."""
    brands: Mapping[str, tuple[str, ...]]
    """Brand or compound name to its substances."""
    homographs: frozenset[str]
    """Brands that are ordinary words too."""
    first_words: frozenset[str]
    """The first word of every name here, to pass over other words quickly."""
    abbreviations: Mapping[str, tuple[str, ...]]
    """Abbreviation, in its own capitals, to its substances."""
    classes: tuple[MedicineClass, ...]
    class_names: re.Pattern[str]
    """Any class by one of its own names, in lower-case text."""
    salts: frozenset[str]
    inert: frozenset[str]
    """Salts that may be left out without naming another product."""
    stems: re.Pattern[str]
    ordinary: frozenset[str]


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """The shipped lexicon."""
    canonical = {name.replace("_", " "): name.replace("_", " ") for name in _words("medicines.txt")}
    for first, *others in _rows("same_name.tsv"):
        canonical.update(dict.fromkeys((_spelt(name) for name in (first, *others)), first))
    brands = {_spelt(brand.lstrip("?")): tuple(s.split("/")) for brand, s in _rows("brands.tsv")}
    abbreviations = {_spelt(short): tuple(s.split("/")) for short, s in _rows("abbreviations.tsv")}
    names = (*canonical, *brands, *(short.lower() for short in abbreviations))
    salts = list(_words("salts.txt"))
    return Lexicon(
        canonical=canonical,
        brands=brands,
        homographs=frozenset(_spelt(brand[1:]) for brand, _ in _rows("brands.tsv") if brand.startswith("?")),
        first_words=frozenset(word for name in names for word in (name.split()[0], name.split()[0] + "s")),
        abbreviations=abbreviations,
        classes=tuple(
            MedicineClass(
                name,
                re.compile(rf"(?<![\w-])(?:{names})(?![\w-])", re.IGNORECASE),
                re.compile(rf"\b(?:{members})\b", re.IGNORECASE),
            )
            for name, names, members in _rows("classes.tsv")
        ),
        class_names=lower_pattern(rf"(?<![\w-])(?:{'|'.join(names for _, names, _ in _rows('classes.tsv'))})(?![\w-])"),
        salts=frozenset(salt.lstrip("!") for salt in salts),
        inert=frozenset(salt[1:] for salt in salts if salt.startswith("!")),
        stems=re.compile(
            rf"[a-z]{{3,}}(?:{'|'.join(sorted(_words('stems.txt'), key=len, reverse=True))})|ce(?:f|ph)[a-z]{{4,}}",
            re.IGNORECASE,
        ),
        ordinary=frozenset(_words("ordinary.txt")),
    )


@lru_cache(maxsize=2048)
def classes_named(text: str) -> frozenset[str]:
    """The classes that a normalised text calls by their own names."""
    if not lexicon().class_names.search(lower_case(text)):
        return frozenset()
    return frozenset(c.name for c in lexicon().classes if c.names.search(text))


@lru_cache(maxsize=2048)
def classes_represented(text: str) -> frozenset[str]:
    """The classes of which a normalised text names a member."""
    found = {name for word in set(_WORD.findall(text)) for name in _classes_of(word)}
    found |= {c.name for c in _classes_with_phrases() if c.members.search(text)}
    return frozenset(found)


_WORD: Final = re.compile(r"\w+")


@lru_cache(maxsize=32768)
def _classes_of(word: str) -> frozenset[str]:
    """The classes of which one word is a member."""
    return frozenset(c.name for c in lexicon().classes if c.members.fullmatch(word))


@lru_cache(maxsize=1)
def _classes_with_phrases() -> tuple[MedicineClass, ...]:
    """The classes with members of more than one word."""
    return tuple(c for c in lexicon().classes if " " in c.members.pattern)


def _spelt(name: str) -> str:
    """A name as texts are compared with it: hyphens are spaces."""
    return name.replace("-", " ")


def _lines(name: str) -> Iterator[str]:
    for line in files(_DATA).joinpath(name).read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            yield line


def _words(name: str) -> Iterator[str]:
    for line in _lines(name):
        yield from line.split()


def _rows(name: str) -> Iterator[list[str]]:
    for line in _lines(name):
        yield line.split("\t")
