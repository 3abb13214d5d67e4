"""What a value has from those beside it: an elliptic part shares comparator and frequency; what follows follows."""

import re
from collections.abc import Sequence
from typing import Final

from primum_safety.text import cues
from primum_safety.text.bands import about_patient
from primum_safety.text.frequency import Frequency
from primum_safety.text.phrases import Phrase
from primum_safety.text.quantity import Kind, Quantity
from primum_safety.text.segments import peers
from primum_safety.text.sentences import Range
from primum_safety.text.words import subject_words

_ELLIPSIS: Final = re.compile(
    r"\b(?:and|or)\s+$|(?:,|\band\b|\bor\b|\()\s*(?:in|for|with|at|if|when|of)\b|\(\s*$", re.IGNORECASE
)
_FROM: Final = re.compile(r"\bfrom\s+(?:(?:the\s+)?age\s+(?:of\s+)?)?$", re.IGNORECASE)
_CUT_OFF: Final = re.compile(
    r"(?<!upper )(?<!lower )\b(?:limit|cut-?off|threshold)(?:\s+\w+){0,4}?\s*(?:\bis|\bof|\bat|=|:)\s*$", re.IGNORECASE
)
_OWN_VERB: Final = re.compile(
    r";|\.\s|\bthen\b|\b(?:is|are|be|give|given|take|taken|start\w*|usual\w*|maintenance|initial\w*|begin\w*|add|use|increase|reduce|target|aim|start)\b",
    re.IGNORECASE,
)


def comparator_of(text: str, first: Quantity, quantity: Quantity, floor: int, *, joined: bool) -> str:
    """The comparator of a quantity, or of the one that it re-states: the first of its phrase."""
    timed = quantity.kind is Kind.TIME and quantity.dimension == "time"
    own = cues.comparator(text, quantity.where.start, quantity.where.end, floor, timed=timed, joined=joined)
    if (
        not own
        and not quantity.is_range
        and about_patient(quantity)
        and _FROM.search(text, floor, quantity.where.start)
    ):
        return ">="
    if own == "<=" and about_patient(quantity) and _CUT_OFF.search(text, floor, quantity.where.start):
        return ""  # a cut-off of a laboratory value, which does not say on which side something is done
    if own or quantity is first or first.dimension != quantity.dimension:
        return own
    return cues.comparator(text, first.where.start, first.where.end, max(0, first.where.start - 90))


def inherited_comparator(text: str, quantity: Quantity, earlier: Sequence[tuple[Quantity, str]]) -> str:
    """The comparator of the value before, which an elliptic second part shares: ``at most 10 mg, in children 5 mg``."""
    for peer, comparator in reversed(earlier):
        if peers(peer, quantity):
            between = text[peer.where.end : quantity.where.start]
            return comparator if _ELLIPSIS.search(between) and not _OWN_VERB.search(between) else ""
    return ""


def shared_frequency(text: str, quantity: Quantity, before: Sequence[Phrase]) -> Frequency | None:
    """The frequency of the value before, when the two share it as they share a comparator."""
    for phrase in reversed(before):
        if peers(phrase.members[-1], quantity):
            between = text[phrase.end : quantity.where.start]
            elliptic = _ELLIPSIS.search(between) and not _OWN_VERB.search(between)
            return phrase.frequency if elliptic and phrase.members[-1].sort == quantity.sort else None
    return None


def followers(text: str, sentence: Range, values: Sequence[Quantity]) -> frozenset[int]:
    """Ids of the values of a sentence that are said to come after another, and of those between them and the first.

    In ``40 mg, 30 mg, then 20 mg`` the second one follows as well.
    """
    ends = [sentence.start, *(value.where.end for value in values)]
    starts = [*(value.where.start for value in values), sentence.end]
    found: set[int] = set()
    chain: list[Quantity] = []
    for at, value in enumerate(values):
        if not value.given():
            continue
        said = _follows(text, value, ends[at], starts[at + 1])
        if said:
            found |= {id(value), *(id(earlier) for earlier in chain[1:])}
        listed = chain and not subject_words(text[chain[-1].where.end : value.where.start])
        chain = [*chain, value] if (listed or said) and len(chain) < _LONGEST else [value]
    return frozenset(found)


_LONGEST: Final = 12
"""Steps of one course, at most."""


def _follows(text: str, value: Quantity, before: int, after: int) -> bool:
    own = text[value.where.end : after + 1]  # with one character of the next value, which is no end
    return cues.follows(text[before : value.where.start], own)
