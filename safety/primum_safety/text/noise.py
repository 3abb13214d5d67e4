"""Numbers that are no clinical quantities, told by their grammar: citations, headings, dates, phones, identifiers."""

import re
from collections.abc import Iterator
from typing import Final

from primum_safety.text.patterns import lower_case, lower_pattern
from primum_safety.text.sentences import Range

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)"
)
_YEAR = r"(?:19|20)\d\d"
_UNIT = (
    r"(?:mg|mcg|micrograms?|milligrams?|µg|g|kg|ml|l|iu|units?|%|mmol|kcal|days?|weeks?|hours?|months?|years?|tablets?|times"
    r"|puffs?|patients|cells)\b"
)
_NUMBERED = (
    r"(?:section|sec\.?|chapter|ch\.|pages?|pp?\.|table|figure|fig\.?|appendix|annex|paragraph|para\.?|line|item|step|box"
    r"|part|volume|vol\.?|edition|ed\.|version|ver\.|v\.?|revision|issue|policy|guideline|protocol|document|doc|passage"
    r"|sources?|reference|ref\.?|citation|footnote|note|article|rule|question|answer|option|point|no\.|number|nr\.|module"
    r"|algorithm|pathway|room|bed|ward|ext\.?|extension|mrn|nct|pmid|isbn|id|code|ng|cg|ta|phase|type|class|chromosome"
    r"|category|tier|schedule)"
)
_POINTER = r"(?!q\d)[A-Za-z][\w.:@/#-]{0,60}(?:\s[\w.:@/#-]*[A-Za-z][\w.:@/#-]*)?"
"""An id of a document, perhaps with a word before it."""
_FORMS: Final = (
    # [1], [1, 3], [1-3], [^1]; not [5] mg
    r"\[[\^\#\s]*[-+]?\d[\d\s,;^-]*\](?!\s?(?:mg|mcg|micrograms?|ml|mmol|iu)\b)(?:\(\#[^)\s]*\))?",
    # [doc-12], [doc-7; doc-12]; not [400 mg], which is a dose in brackets
    rf"\[(?=[^\]\n]{{0,80}}\d){_POINTER}(?:\s?[;,]\s?{_POINTER}){{0,12}}\]",
    rf"\((?:source|ref|reference|see)s?\b(?![^()\n]{{0,200}}?\d\s?-?{_UNIT})[^()\n]{{0,200}}\)",
    r"https?://\S+|www\.\S+|\bdoi:?\s?\S+|\b10\.\d{4,9}/\S+",
    (
        rf"\b{_NUMBERED}\s*(?:id|no\.?|number|nr)?\s*[:#]?\s*\(?v?\d++(?:\.\d+)*+"
        rf"(?:\s?(?:-|to|and|,|&)\s?\d+(?:\.\d+)*)*+(?![\d.]*\s?{_UNIT})"
    ),
    rf"\b\d{{1,2}}(?:st|nd|rd|th)?(?:\s+of)?[\s-]{_MONTH}\b\.?,?(?:[\s-]+{_YEAR})?",  # 4 May 2023
    rf"\b{_MONTH}\.?\s+\d{{1,2}}(?:st|nd|rd|th)?\b(?!\s?{_UNIT})(?:,?\s+{_YEAR})?",
    rf"\b{_MONTH}\.?,?\s+{_YEAR}\b",
    rf"\b{_YEAR}[-/.]\d{{1,2}}[-/.]\d{{1,2}}\b|\b\d{{1,2}}[-/.]\d{{1,2}}[-/.](?:19|20)?\d\d\b(?!\s?{_UNIT})",
    (
        r"\b(?:in|since|of|from|until|by|during|the|updated|reviewed|published|dated|edition|guideline|copyright|\()"
        rf"\s?{_YEAR}\b(?!\s?(?:{_UNIT}|milligrams?|calories|/))"
    ),
    rf"\b{_YEAR}\s(?:guideline|edition|update|version|consensus|statement|review|recommendations?)\b",
    rf"\b{_YEAR}\s?-\s?(?:19|20)?\d\d\b(?!\s?{_UNIT})",
    # phone numbers
    rf"(?<![\w.])\+?\(?\d{{2,5}}\)?(?:[\s-]\d{{2,4}}){{1,4}}\b(?=[^\w%]|$)(?<=\d{{4}})(?<!\s000)(?!\s?{_UNIT})",
    r"\b(?:tel|phone|call|fax|bleep|pager|dial|ring|helpline|hotline)(?:ephone)?\.?\s*(?:on|at|:|number|no\.?)?\s*\+?\d[\d\s()-]{2,}",
    # clock times
    r"\b(?:[01]?\d|2[0-3]):[0-5]\d\s?(?:am|pm|h|hrs|hours)?\b|\b(?:1[0-2]|[1-9])(?:\.[0-5]\d)?\s?(?:a\.?m|p\.?m)\b\.?",
    r"\b(?:at|by|before|after|from|until)\s(?:[01]\d|2[0-3])[0-5]\d\s?(?:h|hrs|hours)\b",
    # list numbers and headings
    r"(?:^|\n)[ \t]*(?:[-*•]\s*)?\(?\d{1,2}[.)](?=\s)",
    r"(?:^|\n)[ \t]*#{1,6}[ \t]*\d+(?:\.\d+)*\.?(?=\s)",
    r"\(\d{1,2}\)(?=\s+[a-z])",
    rf"\b[A-Za-z]+-\d{{1,3}}\b(?![-.]?\d|\s?{_UNIT})",  # COVID-19, doc-12
    r"(?<![\w.])[\w.]{1,60}@v?\d+\b",
    r"\bversion\s\w+\b",
    r"\b(?:\d{1,4}|two|three|four|five|ten|twenty|a\shundred|hundred)\stimes\stoo\s(?:much|many|high|low|little|large)\b",
)
# Within a word only some forms can begin; the others need not be tried there.
_NOISE: Final = lower_pattern(rf"(?:(?<!\w)|(?=[\[(+\nhw]))(?:{'|'.join(_FORMS)})")
_HEADING: Final = re.compile(rf"(?:^|\n)\d+(?:\.\d+)+\.?(?=\s+[A-Z][a-z])(?!\s?(?i:{_UNIT}))")
"""A section number, told from ``2.5 mg`` at the beginning of a line by the capital after it."""
_DIGIT: Final = re.compile(r"\d")


def noise(text: str) -> Iterator[Range]:
    """Stretches of a normalised text whose numbers mean no clinical quantity."""
    if _DIGIT.search(text):
        for match in _NOISE.finditer(lower_case(text)):
            yield Range(*match.span())
        for match in _HEADING.finditer(text):
            yield Range(*match.span())
