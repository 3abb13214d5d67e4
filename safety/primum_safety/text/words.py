"""Content words, in a form in which the inflections of one word are alike."""

import re
from functools import lru_cache
from typing import Final

from primum_safety.text.wordlists import word_list

_WORD: Final = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*|\d+(?:\.\d+)?", re.IGNORECASE)
_ENDINGS: Final = (
    ("ally", "al"),
    ("ly", ""),
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
            return _single(low[: -len(ending)] + replacement)
    return _single(low)


def _single(word: str) -> str:
    """Without a consonant doubled before an ending, so that stopped and stop are alike."""
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls" else word


@lru_cache(maxsize=8192)
def content_words(text: str) -> frozenset[str]:
    """The stems of a normalised text's words that carry meaning."""
    stop = word_list("stop")
    return frozenset(stem(w) for w in _WORD.findall(text) if w.lower() not in stop and len(w) > 1)


@lru_cache(maxsize=1)
def _measures() -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{'|'.join(sorted(word_list('measure')))})(?![\w-])", re.IGNORECASE)


def subject_words(text: str) -> set[str]:
    """The content words that may say what a quantity is about: no numbers, no units, no words of frequency."""
    return {word for word in content_words(_measures().sub(" ", text)) if word[0].isalpha()}


_SHORT_FORMS: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), long)
    for pattern, long in (
        (r"\bcan't\b", "cannot"),
        (r"\bwon't\b", "will not"),
        (r"n't\b", " not"),
        (r"'m\b", " am"),
        (r"'ve\b", " have"),
        (r"'d\b", " would"),
        (r"'ll\b", " will"),
        (r"'re\b", " are"),
        (r"\b(that|there|it|what)'s\b", r"\1 is"),
    )
)


def written_out(words: str) -> str:
    """English short forms in full: ``can't`` as ``cannot``, ``I'm`` as ``I am``. Offsets are not kept."""
    if "'" in words:
        for short, long in _SHORT_FORMS:
            words = short.sub(long, words)
    return words
