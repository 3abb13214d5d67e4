"""What a stretch of time is for: how long, after, within, before, over."""

import re
from typing import Final

_BEFORE: Final = (
    ("over", r"\b(?:over|during)(?:\s+(?:at\s+least|about|not\s+less\s+than|no\s+less\s+than|a\s+period\s+of))?"),
    ("within", r"\b(?:within|inside)(?:\s+(?:the\s+)?(?:first|next|last|previous))?"),
    ("before", r"\b(?:before|prior\s+to)"),
    ("after", r"\b(?:after|following|at|on)(?:\s+(?:a\s+further|another|about|the|at\s+least|months?|weeks?|days?))?"),
    (
        "for",
        r"\b(?:for|x|lasting|lasts?|continued?|course\s+of|duration(?:\s+is|\s+of|:)?|least|total\s+of|length\s*(?:is|\(|:)?|to\s+complete)(?:\s+(?:a\s+further|another|about|at\s+least|up\s+to|a|the|only|the\s+next|the\s+first))*",
    ),
)
_BEFORE_COMPILED: Final = tuple((name, re.compile(pattern + r"\s*$", re.IGNORECASE)) for name, pattern in _BEFORE)
_AFTER: Final = (
    ("before", re.compile(r"\s*(?:before|prior|beforehand|pre-)\b", re.IGNORECASE)),
    ("after", re.compile(r"\s*(?:after|later|post|following|from)\b", re.IGNORECASE)),
    ("for", re.compile(r"[\s-]*(?:course|treatment|therapy|of\s+treatment|of\s+therapy|in\s+total)\b", re.IGNORECASE)),
)
_EXCLUSIVE: Final = frozenset({"for", "after", "within", "before", "over"})


def time_role(text: str, start: int, end: int) -> str:
    """``for``, ``after``, ``within``, ``before``, ``over`` or nothing, for the time at ``text[start:end]``."""
    after = text[end : end + 16]
    for name, pattern in _AFTER:
        if pattern.match(after):
            return name
    before = text[max(0, start - 36) : start]
    for name, pattern in _BEFORE_COMPILED:
        if pattern.search(before):
            return name
    return ""


def times_conflict(one: str, other: str) -> bool:
    """Whether two roles of a time exclude each other."""
    return one != other and one in _EXCLUSIVE and other in _EXCLUSIVE
