"""Statements that a clinician decides, must be asked, reviews or confirms.

The phrases are in ``disclaimer.grammar``, those of other languages in ``disclaimer_languages.grammar``.
"""

import re
from enum import StrEnum
from typing import Final, NamedTuple

from primum_safety.text.grammar import grammar
from primum_safety.text.sentences import Range, sentences
from primum_safety.text.words import written_out


class Reading(StrEnum):
    """What a sentence about a clinician's decision comes to."""

    STATED = "stated"
    NEGATED = "negated"


class Statement(NamedTuple):
    """One sentence that speaks of a clinician's decision."""

    reading: Reading
    where: Range


_QUOTED: Final = re.compile(r"\"[^\"\n]{0,300}\"")
_DENIED: Final = re.compile(
    r"\b(?:no need|skip|need not|without (?:asking|consulting|checking)|not have to|optional|unnecessary)\b",
    re.IGNORECASE,
)
_CLINICIAN: Final = re.compile(
    r"\b(?:prescriber|clinician|doctor|physician|gp|specialist|consultant)s?\b", re.IGNORECASE
)


def read_disclaimers(visible: str) -> list[Statement]:
    """The sentences of a visible, normalised text that speak of a clinician's decision, with their sense.

    A sentence that takes the statement before it back turns that statement into a negated one.
    """
    override = grammar("disclaimer.grammar")["override"]
    found: list[Statement] = []
    previous: Statement | None = None
    for sentence in sentences(visible):
        words = written_out(sentence.of(visible))
        if previous is not None and previous.reading is Reading.STATED and override.search(words):
            found[-1] = Statement(Reading.NEGATED, Range(previous.where.start, sentence.end))
        reading = _reading(words)
        previous = None if reading is None else Statement(reading, sentence)
        if previous is not None:
            found.append(previous)
    return found


def _reading(words: str) -> Reading | None:
    own = _english(words)
    return own if own is not None else _in_another_language(words)


def _in_another_language(words: str) -> Reading | None:
    if words.rstrip("\"')] ").endswith("?"):
        return None
    phrases = grammar("disclaimer_languages.grammar")
    said = _QUOTED.sub(" ", words)
    spoken = [n.removeprefix(_STATED) for n in phrases if n.startswith(_STATED) and phrases[n].search(said)]
    if not spoken:
        return None
    # Near languages share words: a denial in any that the sentence may be in takes the statement back.
    denied = (phrases[f"negation {n}"].search(phrases[f"allowed {n}"].sub(" ", said)) for n in spoken)
    return Reading.NEGATED if any(denied) else Reading.STATED


_STATED: Final = "stated "
"""What the name of a language's section begins with."""


def _english(words: str) -> Reading | None:
    phrases = grammar("disclaimer.grammar")
    if not phrases["stated"].search(words):
        return Reading.NEGATED if _CLINICIAN.search(words) and _DENIED.search(words) else None
    if phrases["off_topic"].search(words) or words.rstrip("\"')] ").endswith("?"):
        return None
    if phrases["override"].search(words):
        return Reading.NEGATED
    own = _QUOTED.sub(" ", words)
    if not phrases["stated"].search(own):
        return None  # the statement is only quoted; whoever quotes it does not say it
    if phrases["negation"].search(phrases["allowed"].sub(" ", own)):
        return Reading.NEGATED
    return None if phrases["reported"].search(own) else Reading.STATED
