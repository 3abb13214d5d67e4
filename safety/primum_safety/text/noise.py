"""Numbers that are no clinical quantities, told by their grammar: citations, headings, dates, phones, identifiers."""

import re
from collections.abc import Iterator
from typing import Final

from primum_safety.text.sentences import Range

_MONTH = r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
_NOISE: Final = re.compile(
    "|".join(
        (
            r"\[[\^#\s]*[-+]?\d[\d\s,;^-]*\](?:\(\#[^)\s]*\))?",  # [1], [1, 3], [1-3], [^1]
            r"\[(?=[^\]\n]{0,80}[A-Za-z])(?=[^\]\n]{0,80}[\d])[\w.:@/#;, -]{1,80}\](?<!\s\])",  # [doc-12]
            r"\((?:source|ref|reference|see)s?\b[^()\n]{0,200}\)",
            r"https?://\S+|www\.\S+|\bdoi:?\s?\S+|\b10\.\d{4,9}/\S+",
            r"\b(?:section|sec\.?|chapter|ch\.|page|pages|pp?\.|table|figure|fig\.?|appendix|annex|paragraph|para\.?|line|item|step|box|part|volume|vol\.?|edition|ed\.|version|ver\.|v\.?|revision|"
            r"issue|policy|guideline|protocol|document|doc|passage|source|sources|reference|ref\.?|citation|footnote|note|article|rule|question|answer|option|point|no\.|number|nr\.|module|algorithm|pathway|room|bed|ward|ext\.?|extension|mrn|nct|pmid|isbn|id|code|ng|cg|ta|ph(?=ase)|phase|type|class|chromosome|category|tier|schedule)"
            r"\s*(?:id|no\.?|number|nr)?\s*[:#]?\s*\(?v?\d++(?:\.\d+)*+(?:\s?(?:-|to|and|,|&)\s?\d+(?:\.\d+)*)*+(?![\d.]*\s?(?:mg|mcg|micrograms?|g|ml|l|units?|%|mmol|µg|kg|days?|weeks?|hours?|months?|years?|tablets?|times|puffs?)\b)",
            rf"\b\d{{1,2}}(?:st|nd|rd|th)?(?:\s+of)?[\s-]{_MONTH}\b\.?,?(?:[\s-]+(?:19|20)\d\d)?",
            rf"\b{_MONTH}\.?\s+\d{{1,2}}(?:st|nd|rd|th)?\b(?!\s?(?:mg|mcg|g|ml|units?|days?|hours?|weeks?|years?|times))(?:,?\s+(?:19|20)\d\d)?",
            rf"\b{_MONTH}\.?,?\s+(?:19|20)\d\d\b",
            r"\b(?:19|20)\d\d[-/.]\d{1,2}[-/.]\d{1,2}\b|\b\d{1,2}[-/.]\d{1,2}[-/.](?:19|20)?\d\d\b(?!\s?(?:mg|mcg|g|ml|units?))",
            r"\b(?:in|since|of|from|until|by|during|the|updated|reviewed|published|dated|edition|guideline|copyright|©|\()\s?(?:19|20)\d\d\b(?!\s?(?:mg|mcg|µg|g|kg|ml|l|iu|units?|micrograms?|milligrams?|kcal|mmol|calories|cells|patients|hours|%|/))|\b(?:19|20)\d\d\s(?:guideline|edition|update|version|consensus|statement|review|recommendations?)\b",
            r"\b(?:19|20)\d\d\s?-\s?(?:19|20)?\d\d\b(?!\s?(?:mg|mcg|µg|g|ml|iu|units?|kcal|micrograms?))",
            r"(?<![\w.])\+?\(?\d{2,5}\)?(?:[\s-]\d{2,4}){1,4}\b(?=[^\w%]|$)(?<=\d{4})(?<!\s000)(?!\s?(?:mg|mcg|µg|g|ml|units?|iu|%|micrograms?|kg|mmol))",
            r"\b(?:tel|phone|call|fax|bleep|pager|dial|ring|helpline|hotline)(?:ephone)?\.?\s*(?:on|at|:|number|no\.?)?\s*\+?[\d][\d\s()-]{2,}",
            r"\b(?:[01]?\d|2[0-3]):[0-5]\d\s?(?:am|pm|h|hrs|hours)?\b|\b(?:1[0-2]|[1-9])(?:\.[0-5]\d)?\s?(?:a\.?m|p\.?m)\b\.?|\b(?:at|by|before|after|from|until)\s(?:[01]\d|2[0-3])[0-5]\d\s?(?:h|hrs|hours)\b",
            r"(?:^|\n)[ \t]*(?:[-*•]\s*)?\(?\d{1,2}[.)](?=\s)",  # list numbers
            r"(?:^|\n)[ \t]*#{1,6}[ \t]*\d+(?:\.\d+)*\.?(?=\s)|(?:^|\n)\d+(?:\.\d+)+\.?(?=\s+[A-Z])",
            r"\(\d{1,2}\)(?=\s+[a-z])",
            r"\b[A-Za-z]+-\d{1,3}\b(?![-.]?\d|\s?(?:mg|mcg|ml|%|days?|hours?|weeks?|months?|years?|times))",  # COVID-19, doc-12
            r"(?<![\w.])[\w.]+@v?\d+\b",
            r"\bversion\s\w+\b",
        )
    ),
    re.IGNORECASE,
)  # fmt: skip
_MAY_BE_NUMBER: Final = re.compile(r"\d")


def noise(text: str) -> Iterator[Range]:
    """Stretches of a normalised text whose numbers mean no clinical quantity."""
    if not _MAY_BE_NUMBER.search(text):
        return
    for match in _NOISE.finditer(text):
        yield Range(*match.span())
