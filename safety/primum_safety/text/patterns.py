"""Patterns for lower-case text.

The engine tells by its first letter that a word cannot match, but not where case is ignored. Patterns that are tried
at every word of long texts are therefore written in lower case and searched in `lower_case` text, whose offsets are
those of the text itself.
"""

import re
from typing import Final

_CAPITAL: Final = re.compile(r"(\\.|\(\?P?<?)|([A-Z])", re.DOTALL)


def lower_case(text: str) -> str:
    """`text` in lower case, character by character, so that it keeps its length."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def lower_pattern(pattern: str) -> re.Pattern[str]:
    """`pattern` with its capitals made small, escapes and group names apart; for `lower_case` text."""
    return re.compile(_CAPITAL.sub(lambda found: found[1] or found[2].lower(), pattern))
