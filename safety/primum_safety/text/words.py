"""Content words, in a form in which the inflections of one word are alike."""

import re
from functools import lru_cache
from typing import Final

_WORD: Final = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*|\d+(?:\.\d+)?", re.IGNORECASE)
_STOP: Final = frozenset(
    "a an the this that these those of in on at to for from by with and or nor but so as is are was were be been being am"
    " it its they them their he she his her we our you your i me my who whom which what when where how why if then than"
    " do does did done has have had having can could may might must shall should will would not no yes also only just"
    " there here any all each every some such other another both either neither very more most less least about into"
    " over under up down out off per via while during after before until since because though although however"
    " give given gives take taken takes use used uses using please say says said get got make made let one".split()
)
_ENDINGS: Final = (
    ("ies", "y"),
    ("sses", "ss"),
    ("ation", "at"),
    ("ating", "at"),
    ("ated", "at"),
    ("ates", "at"),
    ("ate", "at"),
    ("ing", ""),
    ("ed", ""),
    ("es", ""),
    ("s", ""),
    ("e", ""),
)


@lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """A crude common form of a word's inflections; not a dictionary form."""
    low = word.lower()
    if len(low) <= 3 or low[-1].isdigit() or low.endswith(("ss", "us", "is")):
        return low
    for ending, replacement in _ENDINGS:
        if low.endswith(ending) and len(low) - len(ending) >= 3:
            return low[: -len(ending)] + replacement
    return low


def content_words(text: str) -> set[str]:
    """The stems of a normalised text's words that carry meaning."""
    return {stem(w) for w in _WORD.findall(text) if w.lower() not in _STOP and len(w) > 1}
