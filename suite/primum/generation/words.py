"""Words of questions and passages in one form, and what the extractive baseline knows about some of them."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

_WORD: Final = re.compile(r"mg/kg|[A-Za-z][A-Za-z0-9]*(?:['-][A-Za-z0-9]+)*")
_ENDINGS: Final = (
    "ations",
    "ation",
    "ating",
    "ated",
    "ates",
    "ate",
    "ings",
    "ing",
    "ies",
    "ied",
    "ed",
    "es",
    "ly",
    "al",
    "s",
    "y",
    "e",
)
_SHORTEST_STEM: Final = 4

# One word for one thing, where questions and documents usually differ.
_SAME: Final = {
    "adults": "adult", "children": "child", "kids": "child", "kid": "child", "paediatric": "child",
    "pediatric": "child", "women": "woman", "men": "man", "elderly": "older", "pregnant": "pregnancy",
    "lactation": "breastfeeding", "lactating": "breastfeeding",
    "iv": "intravenous", "orally": "mouth", "oral": "mouth", "kidney": "renal", "kidneys": "renal",
    "liver": "hepatic", "max": "maximum", "maximal": "maximum", "minimal": "minimum",
    "neonates": "neonate", "newborn": "neonate", "newborns": "neonate", "babies": "infant", "baby": "infant",
    "infants": "infant", "dogs": "dog", "cats": "cat", "horses": "horse", "animals": "animal",
    "veterinary": "animal", "intravenously": "intravenous", "subcutaneously": "subcutaneous", "severely": "severe",
    "intramuscularly": "intramuscular", "topically": "topical", "rectally": "rectal", "injections": "injection",
    "inhalation": "inhaled", "injected": "injection", "adolescents": "adolescent",
}  # fmt: skip

_HARMLESS: Final = """
a about after again against all also am among an and any are aren't as at be because been before being between both but
by can can't cannot could did do does doing don't during each either else ever every few for from further get gets got
getting had has have having he her here hers him his how however i if in into is isn't it its just let like many may me
might more most must my nor now of off on once one only or other our out over own per please rather same shall she
should since so some still such than that the their them then there these they this those through to together too under
until up upon us via was we were what when where whether which while who whom whose why will with within without
would yes yet you your

according advise allowed answer ask asked came come comes document documents exactly find fit fits follow give given
gives giving go goes guidance guideline guidelines hello help hi hold holds information kindly know look make makes mean
means mention mentions monograph monographs need needed needs number ok okay policy policies possible quick quickly
question recommend recommendation recommendations recommended right say says see show shows somebody someone suggest
table take taken takes taking tell text thank thanks think told true use used uses using want wants way well wonder
wondering bring brings mr mrs ms miss dr doctor patient patients people person case

amount amounts daily dosage dosages dose doses dosing frequency frequently much often times time twice hour hours day
days week weeks month months year years minute minutes mg g kg ml l mcg microgram micrograms milligram milligrams gram
grams unit units percent mmol min h no not

couldn't didn't doesn't hadn't hasn't haven't i'd i'll i'm i've shouldn't wasn't we'd we'll we're we've weren't won't
wouldn't you'd you'll you're you've
"""
HARMLESS: Final = frozenset(_HARMLESS.split())
"""Words of a question that evidence need not hold. Any other word must be found, or the baseline abstains.

Function words; words of asking, which narrow nothing down; words of asking for an amount, which the kind of question
keeps.
"""

POPULATIONS: Final = frozenset(
    {"adult", "child", "infant", "neonate", "adolescent", "older", "dog", "cat", "horse", "animal"}
)
"""For whom a statement is, by age or kind; a statement's own word outweighs those of its headings."""

CONDITIONS: Final = frozenset(
    {"pregnancy", "breastfeeding", "renal", "dialysis", "hepatic", "mild", "moderate", "severe"}
)
"""Words that make a dose hold for some people only."""

ROUTES: Final = frozenset(
    {"intravenous", "mouth", "subcutaneous", "intramuscular", "inhaled", "topical", "rectal", "nasal", "sublingual",
     "transdermal", "injection"}
)  # fmt: skip
"""How a medicine is given."""

_KNOWN: Final = POPULATIONS | CONDITIONS | ROUTES
_IMPLIED: Final = {"creatinin": "renal", "egfr": "renal", "gfr": "renal", "crcl": "renal", "dialysis": "renal"}

_MEDICINE: Final = re.compile(
    r".{2,}(?:xaban|parin|coumarol|gliptin|gliflozin|glitazone|glutide|formin|sartan|pril|olol|dipine|statin|fibrate"
    r"|cillin|micin|mycin|floxacin|cycline|azole|conazole|vir|racetam|bamazepine|barbital|azepam|zolam|setron|triptan"
    r"|prazole|tidine|oxetine|ipramine|peridol|apine|idone|profen|coxib|orphan|adol|azocine|fentanil|tinib|mab|cept"
    r"|terol|tropium|asone|solone|onide|thiazide|semide|lactone|platin|rubicin|trexate|mustine|taxel|caine|curium)"
    r"|cef.{3,}|sulfa.{3,}"
)  # fmt: skip
"""Ends and beginnings that international nonproprietary names share by rule."""


@lru_cache(maxsize=16384)
def canonical(word: str) -> str:
    """A crude common form of a word's inflections, for comparing only."""
    low = word.lower().replace("-", "")
    low = _SAME.get(low, low)
    if low in _KNOWN or any(letter.isdigit() for letter in low) or is_medicine(low) or low.endswith("ss"):
        return low
    for ending in _ENDINGS:
        if low.endswith(ending) and len(low) - len(ending) >= _SHORTEST_STEM:
            return low[: -len(ending)]
    return low


def words(text: str) -> Iterator[str]:
    """Canonical words in order; a hyphenated word is followed by its parts."""
    for word in _found(text):
        yield canonical(word)
        if "-" in word:
            yield from (canonical(part) for part in word.split("-"))


def required_words(text: str) -> frozenset[str]:
    """Canonical words of a question that its evidence must hold; hyphenated words count whole."""
    return frozenset(canonical(word) for word in _found(text) if word.lower() not in HARMLESS and len(word) > 1)


def _found(text: str) -> Iterator[str]:
    return (match[0].removesuffix("'s") for match in _WORD.finditer(text.replace("\u2019", "'")))


@lru_cache(maxsize=16384)
def is_medicine(word: str) -> bool:
    """Whether a word is built like the name of a medicine."""
    return _MEDICINE.fullmatch(word) is not None


def medicines(text: str) -> frozenset[str]:
    """Words of a text that are built like names of medicines."""
    return frozenset(word for word in words(text) if is_medicine(word))


def conditions(found: frozenset[str]) -> frozenset[str]:
    """The conditions among canonical words, spelt out or implied, such as renal by creatinine."""
    return found & CONDITIONS | {_IMPLIED[word] for word in found if word in _IMPLIED}
