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


_MEASURE: Final = frozenset(
    "mg mcg g kg ml l dl µg ug ng iu unit units micrograms microgram milligrams milligram gram grams nanograms mmol micromol meq"
    " hour hours hr hrs h day days week weeks month months year years minute minutes min daily weekly monthly once twice"
    " thrice times od bd tds qds bid tid qid morning night nightly hourly dose doses per total every than"
    " start starts started starting initial initially initiate begin begins maintenance maximum maximal max minimum limit limited"
    " exceed exceeding usual usually standard normal recommended recommend dosing dosed patient patients people receive receives"
    " aim target range value level amount further least most also then instead treatment therapy prescribed administered go".split()
)
"""Words of the quantity itself, which its own fields hold already."""


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


def content_words(text: str) -> set[str]:
    """The stems of a normalised text's words that carry meaning."""
    return {stem(w) for w in _WORD.findall(text) if w.lower() not in _STOP and len(w) > 1}


def subject_words(text: str) -> set[str]:
    """The content words that may say what a quantity is about: no numbers, no units, no words of frequency."""
    return {word for word in content_words(_MEASURE_WORD.sub(" ", text)) if word[0].isalpha()}


_MEASURE_WORD: Final = re.compile(rf"(?<![\w-])(?:{'|'.join(sorted(_MEASURE))})(?![\w-])", re.IGNORECASE)


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
