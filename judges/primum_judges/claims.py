"""Splits an answer into numbered claims, by code: sentences, list items and table rows, each with its exact place."""

import re
from collections.abc import Iterator
from typing import Final

from primum.records import Record, Span
from primum_judges.abstention import abstains
from primum_judges.boilerplate import is_bare_citation, is_disclaimer, is_question, is_section_title

_LIST_ITEM: Final = re.compile(r"[ \t]*(?:[-*+•‣◦\u2013]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)])[ \t]+")
_HEADING: Final = re.compile(r"[ \t]*#{1,6}[ \t]+")
_FENCE: Final = re.compile(r"[ \t]*(?:```|~~~)")
_QUOTE: Final = re.compile(r"[ \t]*(?:>[ \t]?)+")

# A sentence ends here, with closing quotes, and with the citations that follow it.
_END: Final = re.compile(r"(?:[.!?…]+|[\u3002\uff01\uff1f]+)[\"'\u201d\u2019)\]*_]*(?:[ \t]*\[[^\[\]\n]{1,120}\])*")
_WIDE_ENDS: Final = "\u3002\uff01\uff1f"
_ABBREVIATIONS: Final = frozenset(
    """
    approx appr cf dr e.g eg etc fig i.e ie incl max min mr mrs ms no nos p pp prof resp sect st vs vol
    a.m p.m b.d b.i.d t.d.s t.i.d q.d q.d.s q.i.d o.d o.m o.n p.o p.r p.r.n i.m i.v s.c s.l u.s u.k wt hr hrs
    """.split()  # noqa: SIM905 - a word list is easier to read and to extend as text
)
# A lead-in, or a bare yes or no, which says something only together with what follows.
_OPENS: Final = re.compile(r":[*_ ]*$|^[*_ ]*(?:yes|no)[.!*_ ]*$", re.IGNORECASE)
_NEXT: Final = re.compile(r"\s*(\S)")
_LAST_TOKEN: Final = re.compile(r"[\w.]+$")


class Claim(Record):
    """One unit of an answer that asserts something."""

    id: str
    """``c1``, ``c2`` and so on, in the order of the answer."""
    span: Span


class Split(Record):
    """An answer taken apart."""

    claims: tuple[Claim, ...]
    passed_over: tuple[Span, ...]
    """Parts that assert nothing: section titles, questions, disclaimers, abstentions and bare citations."""


def split_claims(text: str) -> Split:
    """The claims of an answer and what was passed over; together they hold every word of it.

    Spans are code points of `text`. A heading, a lead-in ("The dose of Zyx is:"), a bare "Yes." or a table's header is
    one claim with what follows it, unless it only names a section. A part is passed over only by the narrow rules of
    `primum_judges.boilerplate` and `primum_judges.abstention`, which are made to leave no room for an assertion.
    """
    spans: list[Span] = []
    passed: list[Span] = []
    opened: Span | None = None  # a heading or lead-in that belongs to the next unit
    for start, end, heading in _units(text):
        span = _trimmed(text, start, end)
        if span is None:
            continue
        opens = heading or _OPENS.search(span.text) is not None
        if is_section_title(span.text) if opens else _asserts_nothing(span.text):
            spans.extend(filter(None, [opened]))
            opened = None
            passed.append(span)
            continue
        joined = span if opened is None else Span(start=opened.start, end=span.end, text=text[opened.start : span.end])
        opened = joined if opens else None
        if not opens:
            spans.append(joined)
    spans.extend(filter(None, [opened]))
    claims = tuple(Claim(id=f"c{number}", span=span) for number, span in enumerate(spans, 1))
    return Split(claims=claims, passed_over=tuple(passed))


def _asserts_nothing(text: str) -> bool:
    # What says nothing is short; the bound also keeps the patterns fast on hostile text.
    if len(text) > 400:
        return False
    return is_question(text) or is_bare_citation(text) or is_disclaimer(text) or abstains(text)


def _trimmed(text: str, start: int, end: int) -> Span | None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    piece = text[start:end]
    return Span(start=start, end=end, text=piece) if re.search(r"\w", piece) else None


def _units(text: str) -> Iterator[tuple[int, int, bool]]:
    """Start, end and whether it is a heading, for each sentence, list item sentence and table row."""
    paragraph: tuple[int, int] | None = None
    lines = list(_lines(text))
    for number, (start, end) in enumerate(lines):
        line = text[start:end]
        row = line.strip().startswith("|") or line.count("|") >= 2
        begins = _LIST_ITEM.match(line)
        heading = _HEADING.match(line)
        special = row or heading or _is_rule(line) or _FENCE.match(line) or not line.strip()
        if (special or begins) and paragraph is not None:
            yield from _sentences(text, *paragraph)
            paragraph = None
        if row and not _is_rule(line):
            yield start, end, number + 1 < len(lines) and _is_rule(text[slice(*lines[number + 1])])
        elif heading:
            yield start + heading.end(), end, True
        elif not special:
            quote = _QUOTE.match(line)
            skip = begins.end() if begins else quote.end() if quote and paragraph is None else 0
            paragraph = (paragraph[0] if paragraph else start + skip, end)
    if paragraph is not None:
        yield from _sentences(text, *paragraph)


def _is_rule(line: str) -> bool:
    """Whether a line is the rule below a table's header, or one between two parts of a text."""
    return "--" in line and set(line) <= set(" \t|:-")


def _lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in re.finditer(r"\r\n|[\n\r\v\f\x85\u2028\u2029]", text):
        yield start, match.start()
        start = match.end()
    yield start, len(text)


def _sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int, bool]]:
    begin = start
    for match in _END.finditer(text, start, end):
        if match.end() < end and _is_inside(text, begin, match, end):
            continue
        yield begin, match.end(), False
        begin = match.end()
    if begin < end:
        yield begin, end, False


def _is_inside(text: str, begin: int, match: re.Match[str], end: int) -> bool:
    """Whether what looks like the end of a sentence stands inside of one."""
    if match.group()[0] in _WIDE_ENDS:
        return False
    if not text[match.end()].isspace():
        return True
    if match.group()[0] in "!?":
        return False
    after = _NEXT.match(text, match.end(), end)
    if after is None or after.group(1).islower():
        return True
    before = _LAST_TOKEN.search(text, max(begin, match.start() - 20), match.start())
    token = before.group().rstrip(".").casefold() if before else ""
    # "No. 5", "e.g. Zyx", "J. Smith"
    return match.group() == "." and (token in _ABBREVIATIONS or (len(token) == 1 and token.isalpha()))
