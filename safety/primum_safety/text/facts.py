"""Quantities bound to what they are about: subject, role, comparator, frequency, population, route, polarity."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from primum_safety.text import cues
from primum_safety.text.frequency import Frequency
from primum_safety.text.names import medicine_mentions
from primum_safety.text.quantities import Kind, Quantity, read_quantities
from primum_safety.text.sentences import Range, sentences
from primum_safety.text.words import content_words


@dataclass(frozen=True, slots=True)
class Fact:
    """One quantity with its binding."""

    quantity: Quantity
    comparator: str
    frequency: Frequency | None
    per_dose: bool
    medicines: frozenset[str]
    """The medicines it may be about; empty when the text names none."""
    analytes: frozenset[str]
    roles: frozenset[str]
    populations: frozenset[str]
    routes: frozenset[str]
    actions: frozenset[str]
    negated: bool
    words: frozenset[str]
    """Stems of the words around it, for telling rivals apart."""
    where: Range
    sentence: Range


@dataclass(frozen=True, slots=True)
class Facts:
    """All facts of one text."""

    facts: tuple[Fact, ...]
    loose_frequencies: tuple[tuple[Frequency, frozenset[str], Range], ...]
    """Frequencies that belong to no amount, with the medicines of their sentence."""


_BREAK: Final = re.compile(
    r";|\bthen\b|\n|\||,\s+(?:and|but)\b|\bbut\b|\bwhereas\b|\bwhile\b|[.!?](?=\s|$)", re.IGNORECASE
)
_HEADING: Final = re.compile(r"(?:^|[\n.])[ \t#*-]*([A-Z][A-Za-z' /+()-]{2,60}?)\s*(?::|(?=\n))")


@lru_cache(maxsize=4096)
def read_facts(text: str, title: str = "") -> Facts:
    """The facts of a normalised text. `title` names the subject for sentences that name none."""
    reading = read_quantities(text)
    carried = frozenset(name for name, _ in medicine_mentions(title))
    facts: list[Fact] = []
    loose: list[tuple[Frequency, frozenset[str], Range]] = []
    title_words = frozenset(content_words(title))
    index = 0
    often_at = 0
    quantities = reading.quantities
    for sentence in sentences(text):
        mentions = [(name, r) for name, r in medicine_mentions(sentence.of(text))]
        mentions = [(name, Range(r.start + sentence.start, r.end + sentence.start)) for name, r in mentions]
        inside: list[Quantity] = []
        while index < len(quantities) and quantities[index].where.start < sentence.end:
            inside.append(quantities[index])
            index += 1
        often: list[Frequency] = []
        while often_at < len(reading.frequencies) and reading.frequencies[often_at].where.start < sentence.end:
            often.append(reading.frequencies[often_at])
            often_at += 1
        if inside or often:
            made, rest = _sentence_facts(text, sentence, inside, often, mentions, carried, title_words)
            facts += made
            loose += rest
        if mentions:
            first = mentions[0][1]
            leading = text[sentence.start : first.start].strip(" *#-\"'(").lower()
            if not leading or len(mentions) == 1 or leading in ("give", "start", "take", "use", "the"):
                carried = frozenset({mentions[0][0]})
            else:
                carried = frozenset(name for name, _ in mentions)
    return Facts(tuple(facts), tuple(loose))


def _sentence_facts(
    text: str,
    sentence: Range,
    inside: list[Quantity],
    often: list[Frequency],
    mentions: list[tuple[str, Range]],
    carried: frozenset[str],
    title_words: frozenset[str],
) -> tuple[list[Fact], list[tuple[Frequency, frozenset[str], Range]]]:
    attached, rest = _attach(text, inside, often)
    named = frozenset(name for name, _ in mentions)
    facts: list[Fact] = []
    for position, quantity in enumerate(inside):
        segment = _segment(text, sentence, inside, position)
        head = segment.start
        before = text[head : quantity.where.start]
        own = text[segment.start : segment.end]
        floor = (
            inside[position - 1].where.end
            if position and inside[position - 1].where.end <= quantity.where.start
            else sentence.start
        )
        facts.append(
            Fact(
                quantity=quantity,
                comparator=cues.comparator(text, quantity.where.start, quantity.where.end, floor),
                frequency=attached.get(position),
                per_dose=any(name == "dose" for name, _ in quantity.per),
                medicines=_subject(quantity, segment, mentions, carried),
                analytes=cues.tags(cues.ANALYTES, own),
                roles=cues.tags(cues.ROLES, before)
                | (frozenset({"strength"}) if quantity.strength_of else frozenset()),
                populations=cues.tags(cues.POPULATIONS, own),
                routes=cues.tags(cues.ROUTES, own),
                actions=cues.tags(cues.ACTIONS, own),
                negated=cues.negated(own),
                words=frozenset(content_words(own)) | title_words,
                where=quantity.where,
                sentence=sentence,
            )
        )
    return facts, [(frequency, named or carried, frequency.where) for frequency in rest]


def _segment(text: str, sentence: Range, inside: list[Quantity], position: int) -> Range:
    """The stretch of the sentence that belongs to one quantity: its clause, up to its neighbours of the same kind."""
    here = inside[position]
    start, end = sentence.start, sentence.end
    for match in _BREAK.finditer(text, sentence.start, sentence.end):
        if match.end() <= here.where.start:
            start = max(start, match.start())
        elif match.start() >= here.where.end:
            end = min(end, match.start())
            break
    peers = [q for q in inside if q.kind is here.kind and q is not here]
    for peer in peers:
        if start <= peer.where.start < here.where.start and peer.where.end <= here.where.start:
            start = max(start, peer.where.end)
        if here.where.end <= peer.where.start < end:
            between = text[here.where.end : peer.where.start]
            cut = re.search(r",|\band\b|\bor\b|\(", between)
            end = here.where.end + cut.start() if cut else peer.where.start
    return Range(start, max(end, here.where.end))


def _subject(
    quantity: Quantity, segment: Range, mentions: list[tuple[str, Range]], carried: frozenset[str]
) -> frozenset[str]:
    within = frozenset(name for name, where in mentions if segment.start <= where.start < segment.end)
    if within:
        return within
    before = [name for name, where in mentions if where.end <= quantity.where.start]
    if before:
        return frozenset({before[-1]})
    return frozenset(name for name, _ in mentions) or carried


_ATTACH_GAP: Final = 60


def _attach(text: str, inside: list[Quantity], often: list[Frequency]) -> tuple[dict[int, Frequency], list[Frequency]]:
    """Which frequency goes with which amount of a sentence, and the frequencies that go with none."""
    attached: dict[int, Frequency] = {}
    rest: list[Frequency] = []
    doses = [i for i, q in enumerate(inside) if q.kind in (Kind.AMOUNT, Kind.COUNT)]
    for frequency in often:
        before = [i for i in doses if inside[i].where.end <= frequency.where.start]
        after = [i for i in doses if inside[i].where.start >= frequency.where.end]
        chosen: int | None = None
        if before:
            gap = text[inside[before[-1]].where.end : frequency.where.start]
            if len(gap) <= _ATTACH_GAP and not re.search(r";|\bthen\b|\n|\.\s", gap) and before[-1] not in attached:
                chosen = before[-1]
        if chosen is None and after:
            gap = text[frequency.where.end : inside[after[0]].where.start]
            if len(gap) <= _ATTACH_GAP and not re.search(r";|\n|\.\s|,", gap):
                chosen = after[0]
        if chosen is None:
            rest.append(frequency)
            continue
        attached[chosen] = frequency
        for earlier in reversed([i for i in before if i < chosen]):
            gap = (
                text[inside[earlier].where.end : inside[earlier + 1].where.start] if earlier + 1 < len(inside) else "x"
            )
            if gap.strip() in ("/", "(", "+", "", "x") and earlier not in attached:
                attached[earlier] = frequency
            else:
                break
    return attached, rest


def iterate(facts: Facts) -> Iterator[Fact]:
    """The facts in order."""
    yield from facts.facts
