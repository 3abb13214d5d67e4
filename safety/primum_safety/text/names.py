"""Names of medicines in a text: known ones, and unknown words that look like one."""

import re
from collections.abc import Iterator
from dataclasses import replace
from enum import Enum, auto
from functools import lru_cache
from typing import Final, NamedTuple

from primum_safety.text.lexicon import lexicon
from primum_safety.text.lookalike import lookalike
from primum_safety.text.normalise import Text
from primum_safety.text.sentences import Range
from primum_safety.text.wordlists import word_list


class Mention(NamedTuple):
    """One medicine named in a text."""

    name: str
    """The substance, or the word itself when it is unknown."""
    where: Range
    known: bool
    salt: str = ""
    """A salt that tells this product from others of the same substance."""
    weak: bool = False
    """Taken for a name by its place only, so that it may well be an ordinary word."""


_WORD: Final = re.compile(r"[A-Za-z]+(?:\d{1,2}(?![\w.]))?|\d(?=-[A-Z]{2})")
_DOSE_AFTER: Final = re.compile(
    r"[\s,:(]{1,3}(?:(?:tablets?|capsules?|injection|infusion|cream|gel|patch|orally|oral|IV|IM|SC|modified-release|at|is)\s)?\d[\d.,]*(?:\s?(?:-|to)\s?\d[\d.,]*)?\s?(?:mg|mcg|µg|micrograms?|milligrams?|g|grams?|units?|iu|ml|mmol|nanograms?)\b",
    re.IGNORECASE,
)
_DOSE_BEFORE: Final = re.compile(
    r"\d\s?(?:mg|mcg|µg|micrograms?|milligrams?|g|grams?|units?|iu)\s(?:of\s)?$", re.IGNORECASE
)
_DOSE_OF: Final = re.compile(
    r"\d\s?(?:mg|mcg|µg|micrograms?|milligrams?|g|grams?|units?|iu)(?:\s(?:once|twice|three\stimes)\s(?:daily|a\sday))?\sof\s$",
    re.IGNORECASE,
)

_HEADER_BEFORE: Final = re.compile(r"\|\s*(?:[\w-]+\s)?(?:dose|dosage|dosing|amount)s? of $", re.IGNORECASE)
"""``| Dose of`` at the beginning of a table's cell, which a name and little else follows."""
_CELL_END: Final = re.compile(r"\s*(?:\([^|()\n]{0,20}\)\s*|,[^|,\n]{0,20})?\|")


_BROKEN: Final = re.compile(r"([A-Za-z]{3,})-\n[ \t]*([a-z]{3,})(?![\w-])")


def joined_lines(text: Text) -> Text:
    """A text whose words that a hyphen splits over two lines are whole again; lengths and other places stay."""
    if "-\n" not in text.text:
        return text

    def joined(match: re.Match[str]) -> str:
        return (match[1] + match[2]).ljust(len(match.group()))

    return replace(text, text=_BROKEN.sub(joined, text.text))


@lru_cache(maxsize=4096)
def find_medicines(text: str, vocabulary: frozenset[str] = frozenset()) -> tuple[Mention, ...]:
    """The medicines that a normalised text names, in order.

    A word that is taken for an unknown name in one place is taken for one in every place of the text.

    Args:
        text: Normalised text.
        vocabulary: Lower-case words to take for names of medicines besides those of the lexicon.
    """
    words = list(_WORD.finditer(text))
    found = list(_find(text, words, vocabulary))
    learnt = frozenset(m.name for m in found if not m.known) - vocabulary
    if learnt and any(w.group().lower() in learnt for w in words):
        found = list(_find(text, words, vocabulary | learnt))
    return tuple(found)


def vocabulary_of(*texts: str) -> frozenset[str]:
    """The unknown names of medicines in normalised texts, to recognise them in other texts."""
    return frozenset(m.name for text in texts for m in find_medicines(text) if not m.known)


def medicine_mentions(text: str) -> tuple[tuple[str, Range], ...]:
    """Substance and place of each medicine named in a normalised text."""
    return tuple((mention.name, mention.where) for mention in find_medicines(text))


def _find(text: str, words: list[re.Match[str]], vocabulary: frozenset[str]) -> Iterator[Mention]:
    at = 0
    while at < len(words):
        read = _known(text, words, at) or _unknown(text, words, at, vocabulary)
        if read is None:
            at += 1
            continue
        mentions, after = read
        yield from mentions
        at = after


def _phrase(text: str, words: list[re.Match[str]], at: int, size: int) -> str | None:
    """The words of a name of several words, as the lexicon spells it: hyphens and spaces alike."""
    if at + size > len(words):
        return None
    for left, right in zip(words[at : at + size - 1], words[at + 1 : at + size], strict=True):
        if text[left.end() : right.start()] not in (" ", "-"):
            return None
    return " ".join(w.group() for w in words[at : at + size])


def _known(text: str, words: list[re.Match[str]], at: int) -> tuple[list[Mention], int] | None:
    lex = lexicon()
    if words[at].group().lower() not in lex.first_words:
        return None
    for size in (3, 2, 1):
        phrase = _phrase(text, words, at, size)
        if phrase is None:
            continue
        where = Range(words[at].start(), words[at + size - 1].end())
        low = phrase.lower()
        if low in lex.canonical:
            return _with_salt(text, words, at + size, lex.canonical[low], where)
        if low in lex.brands and (low not in lex.homographs or _capital_or_dose(text, words[at])):
            return [Mention(name, where, known=True) for name in lex.brands[low]], at + size
        if phrase in lex.abbreviations:
            return [Mention(name, where, known=True) for name in lex.abbreviations[phrase]], at + size
        if size == 1 and low.endswith("s") and low[:-1] in lex.canonical:
            return [Mention(lex.canonical[low[:-1]], where, known=True)], at + 1
    return None


def _capital_or_dose(text: str, word: re.Match[str]) -> bool:
    """Whether a brand name that is an ordinary word too is written as a name in the middle of a sentence, or dosed."""
    if _DOSE_AFTER.match(text, word.end()) is not None:
        return True
    return (
        word.group()[0].isupper() and re.search(r"[a-z,] $", text[max(0, word.start() - 2) : word.start()]) is not None
    )


def _with_salt(text: str, words: list[re.Match[str]], after: int, name: str, where: Range) -> tuple[list[Mention], int]:
    lex = lexicon()
    salt = ""
    while (
        after < len(words)
        and text[where.end : words[after].start()] == " "
        and words[after].group().lower() in lex.salts
    ):
        word = words[after].group().lower().replace("sulph", "sulf")
        where = Range(where.start, words[after].end())
        salt = word if word not in lex.inert else salt
        after += 1
    return [Mention(name, where, known=True, salt=salt)], after


class Shape(Enum):
    """What an unknown word looks like."""

    NAME = auto()
    """It has the ending of a medicine's name."""
    WORD = auto()
    OPEN = auto()


@lru_cache(maxsize=32768)
def _shape(low: str) -> Shape:
    lex = lexicon()
    if len(low) < 5 or low in word_list("no name") or low in lex.ordinary or low.rstrip("s") in lex.ordinary:
        return Shape.WORD
    return Shape.NAME if lex.stems.fullmatch(low) or _misspelt(low) else Shape.OPEN


def _misspelt(low: str) -> bool:
    """Whether a long word is one slip away from a known name that begins alike."""
    return len(low) >= _LONG and lookalike(low, _long_names().get(low[:2], ()), slips=1) is not None


_LONG: Final = 9
"""Letters from which ordinary words are hardly ever one slip away from a medicine."""


@lru_cache(maxsize=1)
def _long_names() -> dict[str, list[str]]:
    """Known names of one word, of `_LONG` letters and more, by how they begin."""
    names: dict[str, list[str]] = {}
    for name in lexicon().canonical:
        if len(name) >= _LONG and name.isalpha():
            names.setdefault(name[:2], []).append(name)
    return names


def _unknown(
    text: str, words: list[re.Match[str]], at: int, vocabulary: frozenset[str]
) -> tuple[list[Mention], int] | None:
    """A word that no list has, but that has the shape or the place of a medicine's name."""
    word = words[at].group()
    low = word.lower()
    if low in vocabulary:
        weak = False
    elif (shape := _shape(low)) is Shape.WORD:
        return None
    elif shape is Shape.NAME:
        weak = False
    elif _NO_NAME.search(low) is None and (_by_a_dose(text, words[at]) or _by_a_verb(text, words[at])):
        weak = word.isupper() or len(low) < 6
    else:
        return None
    _, after = _with_salt(text, words, at + 1, low, Range(*words[at].span()))
    return [Mention(low, Range(*words[at].span()), known=False, weak=weak)], after


_NO_NAME: Final = re.compile(
    r"(?:ing|ed|ly|[st]ions?|ments?|ness|ity|ous|ful|ible|able|ance|ence|ers?|ests?|ate|ates|ies|als?|ive|ives|ish|ary|ory|ship|hood|less|ward|wards|ths?|ght|sure|ture|ese)$"
)


_TREAT: Final = re.compile(
    r"\b(?:start|give|given|prescribe|add|try|commence|administer|continue|(?:switch(?:ed)?|change|convert)\s+(?:\w+\s+)?to"
    r"|(?:treat(?:ed)?|combine|combined|replace|replaced|together|initiate)\s+(?:\w+\s+)?(?:with|by)|(?:receiv|tak|us|start)(?:e|es|ing|ed)(?:\s+on)?)\s+$",
    re.IGNORECASE,
)
_AFTER_NAME: Final = re.compile(
    r"\W*$|\s*[.,;)\n]|\s+(?:\d|(?:orally|daily|once|twice|instead|intravenously|subcutaneously|by\s+mouth|tablets?|capsules?|injection)\b)"
)


def _by_a_verb(text: str, word: re.Match[str]) -> bool:
    """Whether a word stands as what is given, a capital in the middle of a sentence, as in ``Start Quirvex.``."""
    if _AFTER_NAME.match(text, word.end()) is None or not word.group()[1:].islower() or not word.group()[0].isupper():
        return False
    return _TREAT.search(text[max(0, word.start() - 30) : word.start()]) is not None


def _by_a_dose(text: str, word: re.Match[str]) -> bool:
    """Whether a word with a capital has a dose right after it, or any word follows ``50 mg of`` or heads doses."""
    before = text[max(0, word.start() - 30) : word.start()]
    if _HEADER_BEFORE.search(before) is not None and _CELL_END.match(text, word.end()) is not None:
        return True
    if word.group()[0].isupper() and _DOSE_AFTER.match(text, word.end()) is not None:
        return True
    return _DOSE_OF.search(before) is not None or (
        word.group()[0].isupper() and _DOSE_BEFORE.search(before) is not None
    )
