"""Telling apart values of one kind by the words around them.

A value of the answer may occur in the context and still belong to something else. Where the words of the answer fit a
rival value better than every occurrence of its own value, it is bound to the wrong thing.
"""

from collections.abc import Sequence

from primum_safety.text.facts import Fact


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
    verdict = _compare(_core(fact), _core(rival), _core(fit))
    if verdict is None:
        wide_rival, wide_fit = rival.words | rival.around, fit.words | fit.around
        verdict = _compare(fact.words | fact.around, wide_rival, wide_fit)
        if verdict is None and not _conditions(fact):
            verdict = _compare(asked, wide_rival, wide_fit)
    return verdict is True


def _core(fact: Fact) -> frozenset[str]:
    """The words of its own segment, or those that it shares when it has none of its own."""
    return fact.words or fact.around


def _compare(mine: frozenset[str], rival: frozenset[str], fit: frozenset[str]) -> bool | None:
    """Whether `mine` shares words with the rival alone (True) or with the fit alone (False); None when it is even."""
    with_rival, with_fit = (rival - fit) & mine, (fit - rival) & mine
    if bool(with_rival) == bool(with_fit):
        return False if with_rival else None
    return bool(with_rival)


def _conditions(fact: Fact) -> bool:
    return any(word.startswith("#") for word in fact.words)
