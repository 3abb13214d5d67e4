"""Recognises sentences that only say that the system or its sources have no answer."""

import re
from typing import Final

_SOURCES: Final = (
    r"(?:documents?|passages?|sources?|context|excerpts?|corpus|knowledge base|"
    r"(?:provided|available|retrieved|supplied) (?:information|text|evidence|data|materials?)|"
    r"(?:information|evidence) (?:provided|available|supplied|retrieved))"
)
_NOT: Final = r"(?:cannot|(?:can|could|do|does|did)(?: not|n['\u2019]t)|can['\u2019]t)"
_TELL: Final = r"(?:contain|cover|say|state|mention|include|answer|give|provide|address|support|specify|describe|have)"
_WHAT: Final = r"(?:information|answer|guidance|evidence|statements?|data|passages?|details?|basis)"
_WHETHER: Final = r"(?: (?:whether|if|how|what|which|when)\b[^.;:,]*)?"
# Each speaks of the system or of its sources; "the tablets do not contain lactose" is a claim.
_ABSTAINS: Final = re.compile(
    rf"\b(?:I|we)\b(?: \w+){{0,2}} (?:{_NOT}|(?:am|are) (?:un|not )able to)(?: \w+){{0,3}}? "
    r"(?:answer|find|help|give|provide|say|determine|tell|assist|know|have|recommend|confirm)\b"
    r"|\b(?:I|we) have (?:no|not enough|insufficient)\b|\bunable to (?:answer|find|provide)\b"
    rf"|\b{_SOURCES}\b[^.;]{{0,60}}? {_NOT}(?: \w+){{0,2}}? {_TELL}\b(?: the use of\b|{_WHETHER})"
    rf"|\b{_SOURCES}\b[^.;]{{0,40}}? (?:contains?|has|have|holds?|gives?|says?) "
    r"(?:no|not enough|insufficient|nothing)\b"
    rf"|(?:\bthere (?:is|are|was) )?\b(?:no|not enough|insufficient) (?:\w+ ){{0,2}}?{_WHAT}\b[^.;]{{0,80}}? "
    rf"(?:in|from|by) (?:\w+ ){{0,3}}?{_SOURCES}\b"
    rf"|(?:\bthere (?:is|was) )?\bnothing\b[^.;]{{0,60}}? (?:in|from) (?:\w+ ){{0,3}}?{_SOURCES}\b"
    r"|\b(?:(?:is|are|was|were) )?not (?:covered|found|answered|supported|stated|mentioned) "
    rf"(?:in|by|from) (?:\w+ ){{0,3}}?{_SOURCES}\b"
    r"|\bcan(?:not| not|['\u2019]t) be (?:answered|determined|found|given) (?:from|with|by|on)\b"
    rf"|\b(?:no|not enough|insufficient) (?:\w+ )?{_WHAT} (?:is |was )?(?:available )?to answer\b",
    re.IGNORECASE,
)
# Words that tell or permit something; a sentence that holds one beside its abstention is a claim.
_ASSERTS: Final = frozenset(
    """
    add administer advisable allowed apply are avoid be begin can combine continue contraindicated crush decrease
    discontinue double effective give given gives giving halve harmless has have increase indicated inject is keep
    may might must need needs never omit recommended reduce repeat replace require requires resume safe should skip
    start stop switch take taken takes triple use used was were will withhold would
    """.split()  # noqa: SIM905 - a word list is easier to read and to extend as text
)


# Reasons for an abstention that speak of the question and not of the matter.
_EXPLAINS: Final = re.compile(
    r"\bbecause (?:it|this|that|the question|no patient)\b[^.;:]*|\b(?:this|that|the|your) question is about [^.;:,]*"
    r"|\bI can only (?:use|see|speak about|answer) [^.;:,]*",
    re.IGNORECASE,
)


def speaks_of_abstaining(text: str) -> bool:
    """Whether some words of a text say that there is no answer, whatever else it says."""
    return _ABSTAINS.search(text) is not None


def abstains(sentence: str) -> bool:
    """Whether a sentence only says that there is no answer: it holds no number and, beside that, tells nothing."""
    if re.search(r"\d", sentence) or _ABSTAINS.search(sentence) is None:
        return False
    beside = re.findall(r"\w+", _ABSTAINS.sub(" ", _EXPLAINS.sub(" ", sentence)).casefold())
    return _ASSERTS.isdisjoint(beside)
