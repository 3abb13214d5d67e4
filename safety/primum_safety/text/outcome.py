"""What an answer does: answers, abstains, or asks back.

An answer is read clause by clause. A clause abstains (says that sources or system have no answer), sends the reader
to somebody, asks, is small talk, describes what the sources are about, or claims something. One claim makes an answer.
The phrases are in ``data/outcome.grammar``.
"""

import re
from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple

from primum.records import Outcome
from primum_safety.text.grammar import grammar
from primum_safety.text.normalise import normalise
from primum_safety.text.sentences import Range, sentences
from primum_safety.text.words import written_out


class Kind(StrEnum):
    """What one clause does."""

    ABSTAINS = "abstains"
    REFERS = "refers"
    ASKS = "asks"
    SMALL_TALK = "small_talk"
    SCOPE = "scope"
    """Says what the sources are about, without using it as an answer."""
    CLAIMS = "claims"


class Clause(NamedTuple):
    """One clause of an answer and what it does."""

    kind: Kind
    where: Range


_CONNECTORS: Final = (
    r"(?:but|however|although|though|so|and|therefore|hence|yet|please|still|while|whereas|which means(?: that)?"
    r"|meaning(?: that)?|that said|because|since|as|also|instead|nevertheless)"
)
_SPLIT: Final = re.compile(
    r";|:\s|\s-{1,2}\s"
    r"|,?\s+\b(?:but|however|although|though|even\s+though|whereas|nevertheless|nonetheless|yet|(?<!say\s)(?<!state\s)so(?!\s+that)|therefore|hence|that\s+said|which\s+(?:means|suggests?|impl(?:y|ies)|indicates?)|meaning)\b,?"
    r"|,\s+(?:and|it|they|the|clinicians?|doctors?|most|many|you|use|give|take|i|we|please|a|an|typically|usually|usual)\b"
    r"|\s+and\s+(?=(?:i|we|it|they|please|the|says?|that|you|therefore|so|cannot|can't)\b)",
    re.IGNORECASE,
)
_SUBORDINATE: Final = re.compile(
    r"\W*(?:while|although|though|even\s+though|as|since|because|whereas|despite|based\s+on)\b[^,;]{0,200},",
    re.IGNORECASE,
)
_AS_FOR: Final = re.compile(
    r"\W*(?:as\s+(?:for|to|regards)|for|on|regarding|concerning|about)\s+(?:the\s+)?[a-z][a-z -]{2,40},", re.IGNORECASE
)
_LEADING: Final = re.compile(rf"^\W*(?:{_CONNECTORS}\b[,\s]*)+", re.IGNORECASE)
_WANTED: Final = re.compile(
    r",?\s*(?:and\s+)?(?:(?:the|his|her|their|its)(?:\s+(?!is\b|are\b|was\b|should\b|must\b)[a-z]+){1,4}"
    r"|(?:whether|which|what|how)\b[^\d,;:]{1,80})\W*",
    re.IGNORECASE,
)
"""One thing in a list of what somebody needs to know."""
_TOPIC: Final = re.compile(
    r"\W*(?:(?:as\s+(?:for|to|regards)|for|on|regarding|concerning|about)\s+)?(?:(?:the|a|an|your|its)\s+)?"
    r"(?!not\b|no\b|never\b|avoid|use\b|give\b|stop\b|yes\b|safe)(?:[A-Za-z-]{2,30}\s*){1,3}:?\W*",
    re.IGNORECASE,
)
"""A few words that can be a heading."""
_ASKING: Final = re.compile(
    r"\W*(?:(?:for|by|in|at|to|with|from|on|of)\s+)?(?:what|which|who|whom|whose|how|when|where|why)\b"
    r"|\W*(?:is|are|was|does|do|did|has|have|can|could|will|would)\s+(?:it|this|that|he|she|they|there|the|you|your)\b"
    r"|\W*(?:(?:\w+\s+){1,3}or\s+(?:\w+\s*){1,3})\W*$",
    re.IGNORECASE,
)
"""How a question begins, or two things to choose between: ``adult or child``."""
_CITATION: Final = re.compile(r"\[[^\]\n]*\]|\((?:source|ref)[^)\n]*\)", re.IGNORECASE)
_CONTENT: Final = re.compile(r"[A-Za-z]{3,}|\d|^\W*no\W*$", re.IGNORECASE)
_DOSE: Final = re.compile(
    r"\d\s*(?:mg|g|mcg|micrograms?|ml|units?|iu|%|mmol|tablets?|puffs?|drops?)(?!\w)", re.IGNORECASE
)


@lru_cache(maxsize=512)
def read_clauses(answer: str) -> tuple[Clause, ...]:
    """The clauses of an answer's visible text, each with what it does."""
    visible = normalise(answer).visible
    return tuple(clause for sentence in sentences(visible) for clause in _read_sentence(visible, sentence))


def read_outcome(answer_text: str) -> Outcome:
    """Whether an answer's visible text answers, abstains or asks back.

    Text that makes any claim counts as answered, whatever else it says; empty text abstains.
    """
    kinds = {clause.kind for clause in read_clauses(answer_text)}
    if Kind.CLAIMS in kinds:
        return Outcome.ANSWERED
    if Kind.ASKS in kinds:
        return Outcome.CLARIFIED
    return Outcome.ABSTAINED


def _read_sentence(text: str, sentence: Range) -> list[Clause]:
    parts = list(_parts(text, sentence))
    kinds = [_kind(text, part) for part in parts]
    kinds = _topics(text, parts, _enumerated(text, parts, kinds))
    if sentence.of(text).rstrip("\"') ").endswith("?"):
        kinds = [
            Kind.ASKS if _is_question(kind, part.of(text)) else kind for kind, part in zip(kinds, parts, strict=True)
        ]
    if len(parts) > 1 and Kind.CLAIMS in kinds and Kind.ABSTAINS not in kinds and _abstains(_plain(sentence.of(text))):
        return [Clause(Kind.ABSTAINS, sentence)]  # an abstention whose words fell into two parts
    return [Clause(kind, part) for kind, part in zip(kinds, parts, strict=True) if kind is not None]


def _parts(text: str, sentence: Range) -> Iterator[Range]:
    """The clauses of a sentence, split where something new may be said."""
    at = sentence.start
    opening = _SUBORDINATE.match(text, sentence.start, sentence.end) or _AS_FOR.match(text, at, sentence.end)
    if opening is not None:
        yield Range(at, opening.end())
        at = opening.end()
    for match in _SPLIT.finditer(text, at, sentence.end):
        if _CONTENT.search(text, at, match.start()):
            yield Range(at, match.start())
            at = match.start()
    yield Range(at, sentence.end)


def _enumerated(text: str, parts: list[Range], kinds: list[Kind | None]) -> list[Kind | None]:
    """The kinds, where ``I need the age, the weight, and whether ...`` goes on asking what its first part asks."""
    for at in range(1, len(kinds)):
        if kinds[at] is Kind.CLAIMS and kinds[at - 1] is Kind.ASKS and _WANTED.fullmatch(parts[at].of(text)):
            kinds[at] = Kind.ASKS
    return kinds


def _topics(text: str, parts: list[Range], kinds: list[Kind | None]) -> list[Kind | None]:
    """The kinds, where ``Children: not mentioned`` and ``As for the face, ask ...`` name a topic and claim nothing."""
    for at in range(len(kinds) - 1):
        topic = _TOPIC.fullmatch(parts[at].of(text)) is not None and kinds[at] is Kind.CLAIMS
        if topic and kinds[at + 1] in (Kind.ABSTAINS, Kind.REFERS, Kind.ASKS):
            kinds[at] = Kind.SCOPE
    return kinds


def _is_question(kind: Kind | None, words: str) -> bool:
    """Whether a part of a sentence that ends in a question mark asks, and does not claim something first."""
    return kind is Kind.CLAIMS and _DOSE.search(words) is None and _ASKING.match(_LEADING.sub("", words)) is not None


def _plain(words: str) -> str:
    """Words without citations, on one line, with short forms written out."""
    return " ".join(written_out(_CITATION.sub(" ", words)).split())


def _abstains(words: str) -> bool:
    phrases = grammar("outcome.grammar")
    return phrases["abstains"].search(words) is not None and phrases["content"].search(words) is None


def _kind(text: str, part: Range) -> Kind | None:
    words = _plain(part.of(text)).strip(" ,;:-.!")
    bare = _LEADING.sub("", words)
    if not _CONTENT.search(bare):
        return None
    phrases = grammar("outcome.grammar")
    if phrases["small_talk"].search(bare):
        return Kind.SMALL_TALK
    if _abstains(words) or _abstains(bare):
        return Kind.ABSTAINS
    for kind in (Kind.ASKS, Kind.REFERS, Kind.SCOPE):
        if phrases[kind.value].search(bare) and not (kind is Kind.REFERS and _DOSE.search(bare)):
            return kind
    return Kind.CLAIMS
