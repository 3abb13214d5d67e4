"""What a question adds to its answer: a subject where the answer names none, and values that may be echoed."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from primum_safety.text import cues
from primum_safety.text.bands import Band, about_patient, band_of
from primum_safety.text.fact import Fact
from primum_safety.text.facts import read_facts
from primum_safety.text.names import find_medicines
from primum_safety.text.quantity import Kind, Quantity
from primum_safety.text.units import Dimension
from primum_safety.text.words import stem, subject_words

_ASKS_LIMIT: Final = re.compile(
    r"\b(?:max(?:imum|imal)?|highest|most|ceiling|limit|cap|upper"
    r"|how\s+much(?![^.?!]{0,40}\b(?:did|was|were|had|has|got)\b))\b",
    re.IGNORECASE,
)
_ECHOES: Final = re.compile(
    r"\b(?:not|rather\s+than|instead\s+of|n't|never|mention(?:ed|s)?|asked?|asks|question|stated|quoted|propose[ds]?"
    r"|(?<!\bis )(?<!\bare )(?<!\bbe )(?<!\bwas )(?<!\bwere )given|suggest(?:ed|s)?"
    r"|your\s+(?:question|dose|figure|value|number|amount|suggestion|proposal|plan|patient)"
    r"|you\s+(?:ask|mention|stat|quot|suggest|propos|gave|sa(?:y|id)|have|are|nam|wrote|writ|plan)\w*"
    r"|exceeds?|incorrect|wrong|differs?|no\s+\w+|does\s+not|too\s+(?:high|low|much))\b",
    re.IGNORECASE,
)
"""A value that is spoken of and not given: "are given 5 mg" endorses what "the given 5 mg" repeats."""
_DOSES: Final = frozenset(
    {Dimension.MASS, Dimension.VOLUME, Dimension.ACTIVITY, Dimension.SUBSTANCE, Dimension.EQUIVALENT}
)


@dataclass(frozen=True, slots=True)
class Question:
    """A question, read for what its answer may lean on."""

    medicines: frozenset[str]
    roles: frozenset[str]
    words: frozenset[str]
    facts: tuple[Fact, ...]
    bands: tuple[Band, ...]
    """The patient's own values, as the question gives them."""
    asks_limit: bool
    """Whether it asks for a maximum, so that the bare value is the answer."""

    def in_band(self, fact: Fact) -> bool:
        """Whether `fact` is itself a band, such as ``6.0 to 6.4 mmol/L``, that the patient's value lies in."""
        band = fact.quantity
        return band.is_range and any(
            own.quantity.sort == band.sort and not own.quantity.is_range and band.low <= own.quantity.low <= band.high
            for own in self.facts
            if about_patient(own.quantity) or own.analytes & fact.analytes
        )

    def echoed_by(self, fact: Fact, text: str) -> bool:
        """Whether `fact`, read from the answer `text`, repeats a value of the question and does not endorse it."""
        repeated = [asked for asked in self.facts if _repeats(fact.quantity, asked.quantity)]
        if not repeated:
            return False
        if not _is_dose(fact) or not all(_is_dose(asked) for asked in repeated):
            return not fact.comparator
        window = text[fact.sentence.start : min(fact.sentence.end, fact.where.end + 60)]
        return _ECHOES.search(window) is not None


@lru_cache(maxsize=512)
def read_question(text: str, vocabulary: frozenset[str] = frozenset()) -> Question:
    """Reads a normalised question; `vocabulary` as in `read_facts`."""
    mentions = find_medicines(text, vocabulary)
    facts = read_facts(text, "", vocabulary)
    bands = [band_of(fact.quantity, fact.comparator, fact.analytes) for fact in facts]
    return Question(
        medicines=frozenset(mention.name for mention in mentions),
        roles=cues.tags(cues.ROLES, text),
        words=frozenset(subject_words(text)) - {stem(mention.where.of(text)) for mention in mentions},
        facts=facts,
        bands=tuple(band for band in bands if band is not None and band.is_point),
        asks_limit=_ASKS_LIMIT.search(text) is not None,
    )


def _repeats(one: Quantity, other: Quantity) -> bool:
    if Kind.BARE in (one.kind, other.kind):
        return one.written == other.written
    if one.sort[:2] == other.sort[:2] and other.per and not one.per:
        return (one.low, one.high) == (other.low, other.high)  # "40 mg is too much", about the question's 40 mg/hour
    return one.same_value(other)


def _is_dose(fact: Fact) -> bool:
    """Whether a value would be taken for a dose, and not for a patient's weight or laboratory value."""
    quantity = fact.quantity
    if quantity.kind is Kind.COUNT:
        return True
    if quantity.kind is not Kind.AMOUNT or quantity.dimension not in _DOSES or not quantity.given():
        return False
    kinds = {name for name, _ in quantity.per}
    concentration = kinds == {Dimension.VOLUME}
    clearance = quantity.dimension == Dimension.VOLUME and Dimension.TIME in kinds
    return not (fact.analytes and (concentration or clearance))
