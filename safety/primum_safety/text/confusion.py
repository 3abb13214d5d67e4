"""Look-alike medicines that a context names both, taken one for the other.

Such a swap leaves no unknown word behind. It shows in what is said: the words and values of the answer's clause are
those of the context's sentences about the other medicine.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from primum_safety.text.sentences import Range, sentences
from primum_safety.text.words import content_words, stem

SHARED_START: Final = 4
"""Letters that two names must begin with alike to be mistaken for each other."""
FITS: Final = 0.6
"""Share of a clause's content words that the context must have about the other medicine."""
MARGIN: Final = 0.25
"""By how much that share must be above the one for the medicine that the clause names."""
FEWEST: Final = 3
"""Content words below which a clause is not compared, but for one that says what a medicine is."""

_CLAUSE: Final = re.compile(r"[;:]|,?\s+(?:and\s+then|but|while|whereas)\s|,\s+(?:and|then)\s", re.IGNORECASE)
_WORD: Final = re.compile(r"[A-Za-z]{6,}")


_SAYS_WHAT: Final = re.compile(r"\s+(?:is|are)\s+(?:an?|the)\s", re.IGNORECASE)


class Confusion(NamedTuple):
    """A medicine that stands where the context has a look-alike of it."""

    where: Range
    said: str
    meant: str


class _Statement(NamedTuple):
    names: frozenset[str]
    words: frozenset[str]


def confusions(answer: str, context: Sequence[str], names: frozenset[str]) -> Iterator[Confusion]:
    """The medicines of a normalised answer of which the context says what the answer says of a look-alike.

    Args:
        answer: Normalised, visible text.
        context: Normalised texts of the passages, each with its title first.
        names: Lower-case names of the context's medicines.
    """
    rivals = {name: alike for name in names if (alike := [o for o in names if o != name and _alike(name, o)])}
    if not rivals:
        return
    statements = [s for text in context for s in _statements(text, names)]
    for clause in _clauses(answer):
        yield from _confused(answer, clause, rivals, statements)


def _confused(
    answer: str, clause: Range, rivals: Mapping[str, list[str]], statements: list[_Statement]
) -> Iterator[Confusion]:
    mentions = [m for m in _WORD.finditer(answer, clause.start, clause.end) if m.group().lower() in rivals]
    here = {m.group().lower() for m in mentions}
    for mention in mentions:
        said = mention.group().lower()
        words = content_words(clause.of(answer)) - {stem(said)}
        if not words or (len(words) < FEWEST and _SAYS_WHAT.match(answer, mention.end()) is None):
            continue
        fit = _fit(words, said, statements)
        for meant in rivals[said]:
            other = 0.0 if meant in here else _fit(words, meant, statements)
            if other >= FITS and fit <= other - MARGIN:
                yield Confusion(Range(*mention.span()), said, meant)
                break


def _fit(words: frozenset[str] | set[str], name: str, statements: list[_Statement]) -> float:
    """The best share of `words` in one statement about a medicine, in [0, 1]."""
    return max((len(words & s.words) / len(words) for s in statements if name in s.names), default=0.0)


def _clauses(text: str) -> Iterator[Range]:
    for sentence in sentences(text):
        at = sentence.start
        for cut in _CLAUSE.finditer(text, sentence.start, sentence.end):
            yield Range(at, cut.start())
            at = cut.end()
        yield Range(at, sentence.end)


@lru_cache(maxsize=512)
def _statements(text: str, names: frozenset[str]) -> tuple[_Statement, ...]:
    """The clauses of a passage, each with the medicines it is about: those it names, else those named last."""
    found: list[_Statement] = []
    about: frozenset[str] = frozenset()
    for clause in _clauses(text):
        words = clause.of(text)
        named = frozenset(w.lower() for w in _WORD.findall(words)) & names
        about = named or about
        found.append(_Statement(about, frozenset(content_words(words))))
    return tuple(found)


def _alike(one: str, other: str) -> bool:
    return len(one) >= 6 <= len(other) and one[:SHARED_START] == other[:SHARED_START]
