"""The citations that a text makes, in the forms that people and models write.

``[3]``, ``[1, 3]``, ``[1-3]``, ``[doc-7]``, ``[doc-7@v2]``, ``[a; b]``, ``[^1]``, ``[[1]](#ref-1)`` and
``(Source: doc-7)``. Brackets that cannot be a citation (prose, notes, decimals, quantities) are none; an outside
source in brackets is one, and can never resolve.
"""

import re
from collections.abc import Collection, Iterator
from enum import StrEnum
from typing import Final, NamedTuple

from primum_safety.text.sentences import Range


class Form(StrEnum):
    """What a citation points with."""

    INDEX = "index"
    ID = "id"
    OUTSIDE = "outside"


class CitationMark(NamedTuple):
    """One pointer of one citation."""

    form: Form
    target: str
    position: int
    """1-based position in the context; 0 when it points by id."""
    where: Range


_BRACKET: Final = re.compile(r"\[([^\[\]\n]{0,400})\]")
_SOURCE: Final = re.compile(
    r"\(\s*(?:sources?|refs?|references?|cited from|citations?|see|from|docs?|documents?)\s*[:.=]?\s+([^()\n]{1,300})\)"
    r"|\(\s*(?:sources?|refs?|references?|citations?)\s*[:=]\s*([^()\n]{1,300})\)",
    re.IGNORECASE,
)
_LABELLED_LINE: Final = re.compile(
    r"(?:^|(?<=[\n.;]))[ \t]*(?:sources?|references?|citations?)\s*:[ \t]*([^\n]{1,300})", re.IGNORECASE
)
_OUTSIDE: Final = re.compile(
    r"https?://|www\.|\bdoi\b|\b10\.\d{4,9}/\S|\bpm(?:id|c)\b|\bpubmed\b|\bisbn\b|\barxiv\b|\bnct\d{6,}|\buptodate\b",
    re.IGNORECASE,
)
_LINK_TARGET: Final = re.compile(r"\(\s*((?:https?://|www\.)[^\s()]+)")
_SEPARATOR: Final = re.compile(r"\s*(?:[,;|]|\band\b|&|\+(?=\s))\s*")
_LABEL: Final = re.compile(
    r"^(?:sources?|refs?\.?|references?|docs?|documents?|passages?|contexts?|chunks?|citations?|cites?|evidence|id|no\.?)\s*"
    r"[:#.=]?\s*(?=\S)",
    re.IGNORECASE,
)
_INDEX: Final = re.compile(r"^[\^#]?([-+]?\d{1,6})$")
_INDEX_RANGE: Final = re.compile(r"^\^?(\d{1,6})\s*(?:-{1,2}|to|\.\.)\s*\^?(\d{1,6})$")
_VERSIONED: Final = re.compile(r"^\S+?@\S+$")
_ID_LIKE: Final = re.compile(r"^(?=[^\s]*[A-Za-z])(?=[^\s]*(?:\d|[-_@/:#.]))[A-Za-z0-9][\w.:/@#~-]*$")
_NOT_ID: Final = re.compile(
    r"^(?:\d+(?:\.\d+)?(?:%|°?[cfk]|k?g|mg|ml|mcg|l|iu|mmol|h|hr|hrs|d|x|nd|rd|st|th)?(?:/\S*)?"  # 5mg, 2nd
    r"|\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[/.]\d{1,2}[/.]\d{2,4}"  # dates
    r"|(?:p|pp|fig|sec|ch|vol|n|r|q|t|v)[.=:]\S*"  # page, figure, n=12
    r"|[a-z]+-[a-z]+(?:-[a-z]+)*|[a-z]+/[a-z]+|[a-z]+[.:/]|e\.g\.?|i\.e\.?|to-do|n/a)$",
    re.IGNORECASE,
)
_RANGE_LIMIT: Final = 200


def citation_marks(text: str, known: Collection[str]) -> Iterator[CitationMark]:
    """The citations in a normalised text, in order of form and place.

    Args:
        text: Normalised text.
        known: Normalised ids that exist in the context; a bracket that holds exactly one of them is a citation,
            whatever it looks like.
    """
    seen: set[tuple[int, int]] = set()
    for match in _BRACKET.finditer(text):
        seen.add(match.span(1))
        yield from _group(match[1], match.start(1), text, known, explicit=False)
        link = _LINK_TARGET.match(text, match.end())
        if link and not _INDEX.match(match[1].strip()):
            yield CitationMark(Form.OUTSIDE, link[1], 0, Range(match.start(), link.end()))
    for match in _SOURCE.finditer(text):
        group = 1 if match[1] is not None else 2
        if "[" not in match[group]:
            yield from _group(match[group], match.start(group), text, known, explicit=True)
    for match in _LABELLED_LINE.finditer(text):
        if "[" not in match[1] and "(" not in match[1]:
            yield from _group(match[1].rstrip(". \t"), match.start(1), text, known, explicit=True)
    for match in re.finditer(r"\(([^()\n]{1,300})\)", text):
        if _OUTSIDE.search(match[1]) and not _SOURCE.match(text, match.start()) and text[match.start() - 1] != "]":
            yield CitationMark(Form.OUTSIDE, match[1].strip(), 0, Range(*match.span(1)))
        elif match[1].strip() in known and match.span(1) not in seen:
            yield CitationMark(Form.ID, match[1].strip(), 0, Range(*match.span(1)))


def _group(content: str, offset: int, text: str, known: Collection[str], *, explicit: bool) -> Iterator[CitationMark]:
    """The pointers in one pair of brackets. `explicit`: a word such as "Source" says that they are citations."""
    whole = content.strip()
    start = offset + content.index(whole) if whole else offset
    if whole in known:
        yield CitationMark(Form.ID, whole, 0, Range(start, start + len(whole)))
        return
    if _OUTSIDE.search(whole):
        yield CitationMark(Form.OUTSIDE, whole, 0, Range(start, start + len(whole)))
        return
    items: list[CitationMark] = []
    at = offset
    pieces = _SEPARATOR.split(content)
    for piece in pieces:
        item = piece.strip()
        if not item:
            continue
        start = text.index(item, at)
        at = start + len(item)
        marks = _item(item, start, known, explicit=explicit)
        if marks is None and not explicit:
            return  # one member that cannot be a pointer makes the whole bracket prose
        items.extend(marks or ())
    yield from items


def _kin(item: str, known: Collection[str]) -> bool:
    """Whether words joined by hyphens begin as an id of the context does, as ``guide-`` in ``guide-asthma``."""
    head, joiner, _ = item.partition("-")
    return bool(joiner) and any(name.lower().startswith(f"{head.lower()}-") for name in known)


def _item(item: str, start: int, known: Collection[str], *, explicit: bool) -> list[CitationMark] | None:
    where = Range(start, start + len(item))
    if item in known:
        return [CitationMark(Form.ID, item, 0, where)]
    label = _LABEL.match(item)
    if label is not None and not item[label.end() - 1].isalnum():
        rest = item[label.end() :]
        return _item(rest, where.end - len(rest), known, explicit=True)
    if index := _INDEX.match(item):
        return [CitationMark(Form.INDEX, item, int(index[1]), where)]
    if span := _INDEX_RANGE.match(item):
        low, high = int(span[1]), int(span[2])
        ends = [low, high] if low > high or high - low > _RANGE_LIMIT else list(range(low, high + 1))
        return [CitationMark(Form.INDEX, item, index, where) for index in ends]
    if item.startswith("^") and len(item) > 1:
        return _item(item[1:], start + 1, known, explicit=True)
    if _VERSIONED.match(item) or (_ID_LIKE.match(item) and (not _NOT_ID.match(item) or _kin(item, known))):
        return [CitationMark(Form.ID, item, 0, where)]
    return [CitationMark(Form.ID, item, 0, where)] if explicit and _ID_LIKE.match(item) else None
