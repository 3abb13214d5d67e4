"""Telling apart values of one kind by the words around them.

A value of the answer may occur in the context and still belong to something else. Where the words of the answer fit a
rival value better than every occurrence of its own value, it is bound to the wrong thing.
"""

from collections.abc import Sequence
from enum import Enum, auto

from primum_safety.text.bands import included
from primum_safety.text.fact import Fact


class Side(Enum):
    """Which of two facts words speak for."""

    RIVAL = auto()
    FIT = auto()
    BOTH = auto()
    EVEN = auto()


def better_rival(fact: Fact, good: Sequence[Fact], rivals: Sequence[Fact], asked: frozenset[str]) -> Fact | None:
    """The first rival that the answer's words fit better than any fact of the right value; None when there is none.

    Args:
        fact: The fact of the answer.
        good: Facts of the context that have its value and do not contradict it.
        rivals: Facts of the context with other values of the same kind.
        asked: The words of the question, which count where the answer's own words decide nothing.
    """
    for rival in rivals:
        if all(_fits_better(fact, rival, fit, asked) for fit in good):
            return rival
    return None


def _fits_better(fact: Fact, rival: Fact, fit: Fact, asked: frozenset[str]) -> bool:
    in_rival, in_fit = included(fact.bands, rival.bands), included(fact.bands, fit.bands)
    if in_rival != in_fit:
        return in_rival  # the value that the answer gives for its patient lies in the band of only one of them
    patient = _compare(_conditions(fact), _conditions(rival), _conditions(fit))
    if patient in (Side.RIVAL, Side.FIT):
        return patient is Side.RIVAL
    near = _compare(_core(fact), _core(rival), _core(fit))
    if near is not Side.EVEN and near is not Side.BOTH:
        return near is Side.RIVAL
    wide_rival, wide_fit = rival.words | rival.around, fit.words | fit.around
    if near is Side.BOTH:
        return _compare(_core(fact), wide_rival, wide_fit) is Side.RIVAL
    wide = _compare(fact.words | fact.around, wide_rival, wide_fit)
    if wide is Side.EVEN and not _own(fact):
        wide = _compare(asked, wide_rival, wide_fit)
    return wide is Side.RIVAL


def _core(fact: Fact) -> frozenset[str]:
    """The words of its own segment, or those that it shares when it has none of its own."""
    return fact.words or fact.around


def _compare(mine: frozenset[str], rival: frozenset[str], fit: frozenset[str]) -> Side:
    """With which of two facts `mine` shares words that the other does not have."""
    with_rival, with_fit = (rival - fit) & mine, (fit - rival) & mine
    if with_rival and with_fit:
        return Side.BOTH
    if with_rival:
        return Side.RIVAL
    return Side.FIT if with_fit else Side.EVEN


def _conditions(fact: Fact) -> frozenset[str]:
    """Keys of the ages, weights and laboratory values that it stands with, else of those before it in the sentence."""
    own = frozenset(word for word in fact.words if word.startswith("#"))
    return own or frozenset(word for word in fact.around if word.startswith("#"))


def _own(fact: Fact) -> frozenset[str]:
    """Its own words, less the keys of durations, which say nothing about what it is."""
    return frozenset(word for word in fact.words if not word.startswith("~"))
