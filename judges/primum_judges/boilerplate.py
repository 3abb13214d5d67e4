"""Recognises parts of an answer that assert nothing about the matter: disclaimers, headings, questions, citations.

A part is only passed over when every word in it is on a closed list, so that nothing can be smuggled past a judge
inside of a disclaimer: "Ask your doctor; 50 mg is fine" has words that are not on the list and stays a claim.
"""

import re
from typing import Final

_WORD: Final = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")
_DIGIT: Final = re.compile(r"\d")
_MARK: Final = r"(?:(?:doc|document|passage|source|ref|p)\.? ?\d{1,4}|[\w@.:/#-]{1,100})"
CITATION: Final = re.compile(rf"\[{_MARK}(?: ?[,;] ?{_MARK}){{0,20}}\]", re.IGNORECASE)
"""A bracket that holds marks without spaces; a bracket with a sentence in it is text."""

_WHO: Final = (
    r"(?:prescribers?|clinicians?|doctors?|physicians?|pharmacists?|nurses?|"
    r"professionals?|providers?|specialists?|team)"
)
_SPEAKS: Final = re.compile(
    rf"\b{_WHO}\b.*\b(?:decides?|decision|judge?ment|responsib\w+|confirms?|reviews?|must be (?:asked|consulted))\b"
    rf"|\b(?:decides?|decision|judge?ment|responsib\w+|confirm\w*|review\w*)\b.*\b{_WHO}\b"
    rf"|\b(?:consult|ask|check with|contact|speak (?:to|with)|talk (?:to|with)|discuss)\b.*\b{_WHO}\b"
    r"|\bnot (?:be )?(?:a |an )?(?:substitute|replacement|medical advice|clinical advice|intended)\b"
    r"|\b(?:does|do|can|must|should) not replace\b"
    r"|\bfor (?:general )?(?:information|educational|reference)\b",
    re.IGNORECASE,
)
_REVERSED: Final = re.compile(
    r"\b(?:no need|needn['\u2019]?t|need not|never|without|instead of|rather than|ignore|skip)\b"
    r"|\b(?:not|n['\u2019]t)\b(?:\s+\w+){0,3}\s+\b(?:consult|ask|check|contact|speak|talk|discuss|confirm|review|decide)",
    re.IGNORECASE,
)

# Function words and the words that disclaimers are made of. No medicine, condition, measure or action is on it.
_VOCABULARY: Final = frozenset(
    """
    a about above acting advice advise advised alone also always an and any are as ask asked at authorised available
    be before by can care case check checked clinical clinician clinicians confirm confirmation confirmed consult
    consultation consulted contact content current decide decides deciding decision decisions depends disclaimer
    discuss do doctor doctors does each education educational every final for from general given guidance guideline
    guidelines has have health healthcare help important in individual information intended is it its judgement
    judgment label licensed local made make makes making may medical must need needs no not note nurse nurses of on
    only or other our own patient patient's patients personal pharmacist pharmacists physician physicians please
    policy practice practitioner prescribe prescriber prescriber's prescribers prescribing product professional
    professionals provided provider providers purposes qualified questions reference regarding relied remain remains
    replace replacement responsibilities responsibility responsible rest rests review reviewed reviews should
    situation source sources speak specialist specialists specific substitute support take taking talk team that the
    their them these this to treating treatment upon use used verified verify ward with you your
    """.split()  # noqa: SIM905 - a word list is easier to read and to extend as text
)

_SECTIONS: Final = frozenset(
    """
    a administration adults adverse age and answer apply are as at background children class common contraindications
    details dosage dose doses dosing duration effects elderly evidence following follows for forms frequency group
    guidance here hepatic how impairment in indications information interactions is key lactation management monitoring
    note notes of or overdose overview patient patients points population precautions pregnancy question recommendation
    recommendations recommended reference references renal route section side source sources storage strength summary
    the these to treatment use value values warnings weight
    """.split()  # noqa: SIM905 - a word list is easier to read and to extend as text
)

_ASKS: Final = re.compile(
    r"(?:wh(?:at|en|ere|ich|o|om|ose|y)|how|is|are|was|were|do|does|did|can|could|would|will|should|may|might|has|have|"
    r"(?:for|in|at|on|to|about) wh(?:at|ich|om|ose))\b",
    re.IGNORECASE,
)

_PREFACE: Final = re.compile(
    r"^(?:(?:before|i|we|can|could|say|answer|this|need|to|know|more|first|please|tell|me|us|help),? )*"
    r"(?:first|more|know|me|us|say|answer): ",
    re.IGNORECASE,
)


def is_disclaimer(text: str) -> bool:
    """Whether a sentence only says who decides, whom to ask, or what the text is not for."""
    bare = CITATION.sub(" ", text)
    if _DIGIT.search(bare) or _REVERSED.search(bare) or not _SPEAKS.search(bare):
        return False
    words = [word.casefold().replace("\u2019", "'") for word in _WORD.findall(bare)]
    return all(word in _VOCABULARY for word in words)


def is_section_title(text: str) -> bool:
    """Whether a heading or lead-in only names a section: "Dosing", "Side effects:", "The following apply:"."""
    if _DIGIT.search(text):
        return False
    words = [word.casefold() for word in _WORD.findall(text)]
    return all(word in _SECTIONS for word in words)


def is_question(text: str) -> bool:
    """Whether a sentence asks: it starts as questions do, ends with a question mark and holds no number."""
    bare = text.strip().strip("*_\"'\u201d\u2019) ")
    return bare.endswith("?") and not _DIGIT.search(bare) and _ASKS.match(_PREFACE.sub("", bare)) is not None


def is_bare_citation(text: str) -> bool:
    """Whether nothing but bracketed citations stands in a text, with or without the word that announces them."""
    left = CITATION.sub(" ", text)
    found = left != text
    words = [word.casefold() for word in _WORD.findall(left)]
    announced = all(
        word in {"source", "sources", "reference", "references", "citation", "citations", "see"} for word in words
    )
    return announced and not _DIGIT.search(left) and (found or not words)
