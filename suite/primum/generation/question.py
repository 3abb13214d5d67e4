"""A question, read for what its evidence must hold."""

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from primum.generation.quantities import Band, amounts, bands, without_amounts
from primum.generation.words import POPULATIONS, ROUTES, conditions, is_medicine, required_words, words

_SENTENCE: Final = re.compile(r"[^.?!]*(?:[.?!](?!\s|$)[^.?!]*)*[.?!]*")
_JOIN: Final = re.compile(
    r"[,;]\s+and\s+(?=(?:also|what|which|how|when|where|is|are|do|does|can|may|should|in|for|with|during|at\s+which)\b)",
    re.IGNORECASE,
)
_DOSE: Final = re.compile(
    r"\b(?:doses?|dosages?|dosing|how\s+much|how\s+often|amounts?|how\s+many\s+(?:mg|g|micrograms?|tablets?|units?)"
    r"|(?:once|twice|(?:three|four)\s+times)\s+(?:daily|a\s+day|weekly|a\s+week)|every\s+\d+\s+hours)\b|mg/kg",
    re.IGNORECASE,
)
_WHAT_IS_GIVEN: Final = re.compile(
    r"\bwhat\b.*\b(?:take|takes|give|gives|given|get|gets|receive|receives)\b", re.IGNORECASE
)
_VERSION: Final = re.compile(r"\bversion\s+(?P<version>v?\d+(?:\.\d+)*)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One thing that is asked, with everything that its answer must be about."""

    words: frozenset[str]
    """Canonical words that the evidence must hold."""
    numbers: tuple[Band, ...]
    """Numbers that narrow the question down, such as a creatinine clearance; amounts of medicine are not among them."""
    asks_for_dose: bool

    @property
    def medicines(self) -> frozenset[str]:
        """Words built like names of medicines."""
        return frozenset(word for word in self.words if is_medicine(word))

    @property
    def populations(self) -> frozenset[str]:
        """For whom, by age or kind."""
        return self.words & POPULATIONS

    @property
    def conditions(self) -> frozenset[str]:
        """Conditions named or implied."""
        return conditions(self.words)

    @property
    def routes(self) -> frozenset[str]:
        """How the medicine is to be given."""
        return self.words & ROUTES

    @property
    def asks_something(self) -> bool:
        """Whether it says more than the name of one medicine; a dose depends on more than that."""
        return bool(self.words - self.medicines or self.numbers) or len(self.medicines) > 1

    @property
    def values(self) -> frozenset[Decimal]:
        """The ends of all numbers."""
        return frozenset(end for band in self.numbers for end in (band.low, band.high) if end is not None)

    def narrows(self, other: "Part") -> bool:
        """Whether this part names a condition, or for whom, which `other` leaves open."""
        whom = frozenset[str]() if other.populations else self.populations
        return bool(self.conditions - other.conditions or whom)

    def with_(self, other: "Part") -> "Part":
        """Both parts asked as one."""
        return Part(
            words=self.words | other.words,
            numbers=tuple(dict.fromkeys((*self.numbers, *other.numbers))),
            asks_for_dose=self.asks_for_dose or other.asks_for_dose,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question as one whole and as the parts that can be answered by themselves."""

    whole: Part
    parts: tuple[Part, ...]
    version: str | None
    """The document version that the question names."""


def read_question(text: str) -> Question:
    """What a question asks. A later part keeps what an earlier one said of whom and of what it is about."""
    match = _VERSION.search(text)
    text = _VERSION.sub(" ", text)
    said = [sentence.strip() for sentence in _SENTENCE.findall(text) if sentence.strip()]
    asked = [sentence for sentence in said if sentence.endswith("?")] or said
    told = _part(" ".join(sentence for sentence in said if sentence not in asked))
    parts: list[Part] = []
    for piece in (piece for sentence in asked for piece in _JOIN.split(sentence)):
        part = _part(piece)
        if parts and not part.words and not part.numbers:
            parts[-1] = parts[-1].with_(part)
        else:
            parts.append(_continued(part, parts[-1]) if parts else part)
    parts = [part.with_(told) for part in parts] or [told]
    whole = parts[0]
    for part in parts[1:]:
        whole = whole.with_(part)
    return Question(whole=whole, parts=tuple(parts), version=match["version"] if match else None)


def _part(text: str) -> Part:
    plain = without_amounts(text)
    required = required_words(plain)
    if "mg/kg" in words(text):
        required = required - {"weight"} | {"mg/kg"}
    given = bool(_WHAT_IS_GIVEN.search(text)) and any(is_medicine(word) for word in required)
    return Part(
        words=required,
        numbers=tuple(dict.fromkeys(bands(plain))),
        asks_for_dose=given or bool(_DOSE.search(text) or amounts(text)),
    )


def _continued(part: Part, before: Part) -> Part:
    """A later part stays with what was said before; only a medicine of its own takes the place of the earlier one."""
    kept = before.words - before.medicines if part.medicines else before.words
    return Part(
        words=part.words | kept,
        numbers=part.numbers or before.numbers,
        asks_for_dose=part.asks_for_dose or (before.asks_for_dose and not part.medicines),
    )
