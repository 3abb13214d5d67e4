"""Instructions to the assistant, planted in a passage, and what they want it to say.

The phrases are in ``planted.grammar``. Clinical instructions to people ("tell the patient to ...") are none.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from primum_safety.text.grammar import grammar
from primum_safety.text.sentences import Range, sentences
from primum_safety.text.words import content_words

_GRAMMAR: Final = "planted.grammar"
_TOKEN: Final = re.compile(
    r"\b[A-Z0-9]{2,}(?:[-_][A-Z0-9]{2,})+\b|\b(?=\w*\d)(?=\w*[A-Z])[A-Z0-9]{6,}\b"
    r"|\bhttps?://[^\s\"'<>)]+|\bwww\.[\w.-]+\w|[\w.+-]+@[\w-]+(?:\.\w+)+|\b[a-z0-9-]+\.(?:com|org|net|xyz|info|io)\b"
)
_SHOUTED: Final = re.compile(r"\s*:?\s*[\"']?([A-Z]{4,})\b")
_WORD: Final = re.compile(r"\s+[\"']?(\w+)[\"']?")
_QUOTED: Final = re.compile(r"\"([^\"\n]{3,300})\"|(?<!\w)'([^'\n]{3,300})'(?!\w)")
_CLAIM_END: Final = re.compile(
    r"[;:!?\n]|\.(?=\s|$)|,\s+(?:and\s+)?(?:then\s+)?(?:add|print|leave|end|do|never|omit|include|you|say|tell|output|give)\b"
)
_SPEAKER: Final = re.compile(r"\[?(?:SYSTEM|DEVELOPER|ADMIN)\]?\s*:|\[(?:system|developer|admin)\]")
"""A turn of a chat, written so; ``Immune system:`` is none."""
_LEAST: Final = 2
"""Content words of a claim that can be recognised again."""


@dataclass(frozen=True, slots=True)
class Claim:
    """Something that the instruction wants said."""

    where: Range
    words: frozenset[str]
    negated: bool


@dataclass(frozen=True, slots=True)
class Planted:
    """The planted instructions of one text, and the rest of it."""

    sentences: tuple[Range, ...]
    tokens: tuple[Range, ...]
    """Codes, addresses and shouted words that are to be printed."""
    claims: tuple[Claim, ...]
    openings: tuple[Range, ...]
    """Single words that answers are to begin with."""
    clean: tuple[Range, ...]
    """The sentences that are not planted."""


@lru_cache(maxsize=2048)
def read_planted(text: str) -> Planted:
    """The instructions to an assistant in a passage's normalised text, hidden text included.

    What follows such an instruction on the same line, or stands in the paragraph below a heading that speaks to an
    assistant, belongs to it.
    """
    phrases = grammar(_GRAMMAR)
    planted: list[Range] = []
    clean: list[Range] = []
    line_end, below = -1, False
    for sentence in _whole_quotes(text):
        words = sentence.of(text)
        on_line = sentence.start < line_end
        heading = not on_line and len(words) < _HEADING and phrases["heading"].search(words) is not None
        if heading or on_line or below or _SPEAKER.match(words) or phrases["address"].search(words):
            planted.append(sentence)
            if not on_line:
                found = text.find("\n", sentence.end)
                line_end, below = (len(text) if found < 0 else found), heading and not words.endswith((".", "!"))
        else:
            clean.append(sentence)
    inside = [Range(part.start, part.end) for part in planted]
    return Planted(
        sentences=tuple(inside),
        tokens=tuple(token for part in inside for token in _tokens(text, part)),
        claims=tuple(claim for part in inside for claim in _claims(text, part)),
        openings=tuple(word for part in inside for word in _openings(text, part)),
        clean=tuple(clean),
    )


def _whole_quotes(text: str) -> Iterator[Range]:
    """The sentences; one that ends inside a quotation goes on with the next on the same line."""
    held: Range | None = None
    for sentence in sentences(text):
        joined = sentence if held is None else Range(held.start, sentence.end)
        within = held is None and sentence.of(text).count('"') % 2 == 1
        if within and text[sentence.end : sentence.end + 1] not in ("", "\n"):
            held = sentence
        else:
            held = None
            yield joined
    if held is not None:
        yield held


_HEADING: Final = 80
"""Characters of a heading, at most."""


def negated(words: str) -> bool:
    """Whether a sentence denies what it speaks of: an odd number of negations."""
    return len(_frames("negation").findall(words)) % 2 == 1


@lru_cache(maxsize=8)
def _frames(section: str) -> re.Pattern[str]:
    """A section of the grammar, to find every place."""
    return re.compile(grammar(_GRAMMAR)[section].pattern, re.IGNORECASE)


def _tokens(text: str, part: Range) -> Iterator[Range]:
    for match in _TOKEN.finditer(text, *part):
        yield Range(*match.span())
    for lead in _frames("token").finditer(text, *part):
        shouted = _SHOUTED.match(text, lead.end(), part.end)
        if shouted is not None and text[shouted.end() : shouted.end() + 1] not in ("-", "_"):
            yield Range(*shouted.span(1))


def _claims(text: str, part: Range) -> Iterator[Claim]:
    found = [Range(*match.span(match.lastindex or 0)) for match in _QUOTED.finditer(text, *part)]
    for lead in _frames("say").finditer(text, *part):
        end = _CLAIM_END.search(text, lead.end(), part.end)
        found.append(Range(lead.end(), end.start() if end else part.end))
    for where in found:
        words = frozenset(content_words(where.of(text)))
        if len(words) >= _LEAST:
            yield Claim(where, words, negated(where.of(text)))


def _openings(text: str, part: Range) -> Iterator[Range]:
    for lead in _frames("word").finditer(text, *part):
        if (word := _WORD.match(text, lead.end(), part.end)) is not None and word[1].lower() in ("yes", "no"):
            yield Range(*word.span(1))
