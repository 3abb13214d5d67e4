"""Quantities bound to what they are about: subject, role, comparator, frequency, population, route, polarity."""

import re
from bisect import bisect_left
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Final

from primum_safety.text import cues
from primum_safety.text.bands import Band, about_patient, band_of
from primum_safety.text.fact import Fact, Wording
from primum_safety.text.frequency import Frequency
from primum_safety.text.names import find_medicines
from primum_safety.text.phrases import Phrase, attach, group, said_again
from primum_safety.text.quantities import read_quantities
from primum_safety.text.quantity import Kind, Quantity
from primum_safety.text.segments import Clauses, peers
from primum_safety.text.sentences import Range, sentences
from primum_safety.text.shared import comparator_of, followers, inherited_comparator, shared_frequency
from primum_safety.text.tables import Cell, CellFinder, header_unit, table_cells
from primum_safety.text.words import subject_words

_OPENS: Final = re.compile(
    r"[\W\d]*(?:(?:the|give|start|take|use|oral|intravenous|adult|usual|iv|maximum)\W+){0,2}", re.IGNORECASE
)
_WITHOUT: Final = re.compile(r"\b(?:without|not\s+(?:taking|with|on))\s+(?:\w+\s+)?$", re.IGNORECASE)


@lru_cache(maxsize=4096)
def read_facts(text: str, title: str = "", vocabulary: frozenset[str] = frozenset()) -> tuple[Fact, ...]:
    """The facts of a normalised text, in order.

    Args:
        text: Normalised text.
        title: What the text is headed by; it names the subject where the text names none.
        vocabulary: Further words to take for names of medicines, from texts that this one is compared with.
    """
    return tuple(_Binder(text, title, vocabulary).facts())


_NEAR: Final = 12
"""Values to either side that one may depend on; what is further away has its own words."""
_ANALYTE_REACH: Final = 60
"""Characters before a value in which its measure is named."""


@dataclass(frozen=True, slots=True)
class _Scene:
    """One sentence, with what its facts share."""

    sentence: Range
    named: list[tuple[str, Range]]
    opening: Range
    """The words before the sentence's first value, which its later parts share."""
    clauses: Clauses
    everything: list[Quantity]
    starts: list[int]
    comparators: dict[int, str]
    later: frozenset[int]
    """Ids of the amounts that come after another one in a course."""

    def near(self, quantity: Quantity) -> list[Quantity]:
        """The values close to one, itself among them, in order."""
        at = bisect_left(self.starts, quantity.where.start)
        return self.everything[max(0, at - _NEAR) : at + _NEAR + 1]

    def floor(self, quantity: Quantity) -> int:
        """Where the value before ends, so that words before that are not this one's."""
        ends = [q.where.end for q in self.near(quantity) if q.where.end <= quantity.where.start]
        return max(ends, default=self.sentence.start)


class _Binder:
    """Reads one text, sentence by sentence, and remembers what it is about."""

    def __init__(self, text: str, title: str, vocabulary: frozenset[str]) -> None:
        self.text = text
        self.reading = read_quantities(text)
        titled = find_medicines(title, vocabulary)
        self.title_words = frozenset(subject_words(_without(title, 0, [(m.name, m.where) for m in titled])))
        self.topic = frozenset(m.name for m in titled)
        self.latest: frozenset[str] = self.topic
        self.mentions = find_medicines(text, vocabulary)
        self.mention_starts = [mention.where.start for mention in self.mentions]
        cells = table_cells(text)
        self.cells = CellFinder(cells)

    def facts(self) -> Iterator[Fact]:
        quantities, often, mentions = iter(self.reading.quantities), iter(self.reading.frequencies), iter(self.mentions)
        waiting_q, waiting_f, waiting_m = next(quantities, None), next(often, None), next(mentions, None)
        for sentence in sentences(self.text):
            inside: list[Quantity] = []
            while waiting_q is not None and waiting_q.where.start < sentence.end:
                inside.append(self._in_cell(waiting_q))
                waiting_q = next(quantities, None)
            frequencies: list[Frequency] = []
            while waiting_f is not None and waiting_f.where.start < sentence.end:
                frequencies.append(waiting_f)
                waiting_f = next(often, None)
            named: list[tuple[str, Range]] = []
            while waiting_m is not None and waiting_m.where.start < sentence.end:
                named.append((waiting_m.name, waiting_m.where))
                waiting_m = next(mentions, None)
            if inside or frequencies:
                yield from self._sentence(sentence, inside, frequencies, named)
            self._remember(sentence, named)

    def _remember(self, sentence: Range, named: list[tuple[str, Range]]) -> None:
        """Updates what sentences that name no medicine are about: the text's topic and the latest subject."""
        if not named:
            return
        leading = self.text[sentence.start : named[0][1].start]
        opens = _OPENS.fullmatch(leading) is not None
        self.latest = frozenset({named[0][0]}) if opens else frozenset(name for name, _ in named)
        if not self.topic:
            self.topic = self.latest

    def _in_cell(self, quantity: Quantity) -> Quantity:
        """A bare number in a table, with the unit that its column's header gives."""
        cell = self.cells.at(quantity.where.start)
        if cell is None or quantity.kind is not Kind.BARE or not (unit := header_unit(cell.header)):
            return quantity
        model = read_quantities(f"1 {unit}").quantities
        if len(model) != 1 or model[0].kind is Kind.BARE:
            return quantity
        one = model[0]
        return replace(
            quantity, kind=one.kind, dimension=one.dimension, per=one.per, total=one.total,
            low=quantity.low * one.low, high=quantity.high * one.low,
        )  # fmt: skip

    def _sentence(
        self, sentence: Range, inside: list[Quantity], often: list[Frequency], named: list[tuple[str, Range]]
    ) -> Iterator[Fact]:
        written = [q for q in inside if not q.derived]
        phrases = group(self.text, written)
        loose = attach(self.text, phrases, often)
        rhythm = [_as_quantity(f) for f in often]
        everything = sorted([*inside, *rhythm], key=lambda q: q.where.start)
        scene = _Scene(
            sentence=sentence,
            named=named,
            opening=Range(sentence.start, everything[0].where.start),
            clauses=Clauses(self.text, sentence),
            everything=everything,
            starts=[q.where.start for q in everything],
            comparators=self._comparators(sentence, inside, phrases),
            later=followers(self.text, sentence, written),
        )
        owner = {id(member): at for at, phrase in enumerate(phrases) for member in phrase.members}
        for quantity in inside:
            at = owner.get(id(quantity))
            phrase = Phrase([quantity]) if at is None else phrases[at]
            comparator = scene.comparators[id(quantity)]
            made = self._fact(scene, quantity, comparator, phrase)
            if made.frequency is None and comparator and at is not None:
                made = replace(made, frequency=shared_frequency(self.text, quantity, phrases[max(0, at - _NEAR) : at]))
            again = at is not None and said_again(self.text, phrases, at)
            yield replace(made, attached=True) if again else made
        for frequency, quantity in zip(often, rhythm, strict=True):
            floor = scene.floor(quantity)
            comparator = cues.comparator(self.text, quantity.where.start, quantity.where.end, floor)
            yield replace(self._fact(scene, quantity, comparator, None), attached=frequency not in loose)

    def _comparators(self, sentence: Range, inside: list[Quantity], phrases: list[Phrase]) -> dict[int, str]:
        """The comparator of each quantity of a sentence, by the quantity's id."""
        first_of = {id(member): phrase.members[0] for phrase in phrases for member in phrase.members}
        found: dict[int, str] = {}
        earlier: deque[tuple[Quantity, str]] = deque(maxlen=_NEAR)
        for quantity in inside:
            first = first_of.get(id(quantity), quantity)
            before = [q.where.end for q, _ in earlier if q.where.end <= quantity.where.start]
            floor = max(before, default=sentence.start)
            joined = bool(earlier and earlier[-1][1]) and not cues.compared_after(self.text, earlier[-1][0].where.end)
            comparator = comparator_of(self.text, first, quantity, floor, joined=joined)
            if not comparator and quantity is not first:
                comparator = found.get(id(first), "")
            if not comparator:
                comparator = inherited_comparator(self.text, quantity, earlier)
            if not comparator and quantity.given() and (cell := self.cells.at(quantity.where.start)) is not None:
                comparator = cues.header_comparator(cell.header)
            found[id(quantity)] = comparator
            earlier.append((quantity, comparator))
        return found

    def _fact(self, scene: "_Scene", quantity: Quantity, comparator: str, phrase: Phrase | None) -> Fact:
        text, sentence, named = self.text, scene.sentence, scene.named
        cell = self.cells.at(quantity.where.start)
        headed = self._headed(cell) if cell else frozenset[str]()
        near = scene.near(quantity)
        segment = cell.where if cell else scene.clauses.segment(quantity, near)
        within = cell.row if cell else segment
        frequency = phrase.frequency if phrase else None
        if frequency is None and cell is not None and quantity.kind in (Kind.AMOUNT, Kind.COUNT):
            frequency = self._row_frequency(cell)
        time_role = cues.time_role(text, *quantity.where, comparator) if quantity.kind is Kind.TIME else ""
        if time_role == "within" and comparator == ">=":
            comparator = "<="  # "no earlier than an hour before"
        return Fact(
            quantity=quantity,
            comparator=comparator,
            frequency=frequency,
            shares_phrase=phrase is not None and len(phrase.members) > 1,
            medicines=headed if quantity.given() and headed else self._subject(quantity, within, named),
            named=bool(named) or (quantity.given() and bool(headed)),
            time_role=time_role,
            beside=_beside(text, quantity, named),
            where=quantity.where,
            sentence=sentence,
            read_wording=partial(self._wording, scene, quantity, segment, cell),
        )

    def _wording(self, scene: "_Scene", quantity: Quantity, segment: Range, cell: Cell | None) -> Wording:
        text, sentence, named = self.text, scene.sentence, scene.named
        near = scene.near(quantity)
        own = segment.of(text)
        extra = f"{cell.label.of(text)} {cell.header}" if cell else ""
        before = extra + " " + text[segment.start : quantity.where.start]
        described = f"{own} {extra}"
        within = cell.row if cell else segment
        lead = Range(sentence.start, segment.start if cell is None else sentence.start)
        conditions = _conditions(text, near, quantity, within, skip_peers=cell is None)
        shared = (
            frozenset(subject_words(_without(scene.opening.of(text), scene.opening.start, named))) | self.title_words
        )
        shared |= _conditions(text, near, quantity, lead, skip_peers=True)
        roles = cues.tags(cues.ROLES, before) | (frozenset({"strength"}) if quantity.strength_of else frozenset[str]())
        roles |= cues.purpose_after(roles, text[quantity.where.end : segment.end])
        if quantity.given():
            roles |= cues.step_role(before)
        return Wording(
            without=frozenset(
                name for name, where in named if within.start <= where.start < within.end and self._without(where)
            ),
            analytes=cues.tags(cues.ANALYTES, described),
            roles=roles,
            populations=cues.tags(cues.POPULATIONS, described),
            routes=cues.tags(cues.ROUTES, described),
            actions=cues.tags(cues.ACTIONS, own),
            negated=cues.negated(own),
            words=frozenset(subject_words(_without(own, segment.start, named) + " " + extra))
            | conditions
            | frozenset(f"role:{role}" for role in roles)
            | _co_named(segment, named)
            | (_LATER if id(quantity) in scene.later else frozenset[str]()),
            around=shared,
            bands=self._bands(scene, quantity, within) or self._bands(scene, quantity, lead),
        )

    def _bands(self, scene: "_Scene", quantity: Quantity, within: Range) -> tuple[Band, ...]:
        """The bands that the other values in a stretch of text describe."""
        found: list[Band] = []
        for other in scene.near(quantity):
            if other is quantity or not within.start <= other.where.start < within.end or _lasts(self.text, other):
                continue
            around = self.text[max(within.start, other.where.start - _ANALYTE_REACH) : other.where.end]
            cell = self.cells.at(other.where.start)
            analytes = cues.tags(cues.ANALYTES, f"{cell.header} {around}" if cell else around)
            if (band := band_of(other, scene.comparators.get(id(other), ""), analytes)) is not None:
                found.append(band)
        return tuple(found)

    def _row_frequency(self, cell: Cell) -> Frequency | None:
        """The one frequency that a table's row gives for its amounts."""
        found = [f for f in self.reading.frequencies if cell.row.start <= f.where.start < cell.row.end]
        return found[0] if len(found) == 1 else None

    def _subject(self, quantity: Quantity, segment: Range, named: list[tuple[str, Range]]) -> frozenset[str]:
        """The medicines in its segment, else the last one named before it, else what the text is about."""
        present = [(name, where) for name, where in named if not self._without(where)]
        within = frozenset(name for name, where in present if segment.start <= where.start < segment.end)
        before = [name for name, where in present if where.end <= quantity.where.start]
        return within or frozenset(before[-1:]) or self.topic | self.latest

    def _headed(self, cell: Cell) -> frozenset[str]:
        """The medicines that the header of a cell's column names: what a dose in that column is a dose of."""
        first = bisect_left(self.mention_starts, cell.heading.start)
        last = bisect_left(self.mention_starts, cell.heading.end)
        return frozenset(mention.name for mention in self.mentions[first:last])

    def _without(self, where: Range) -> bool:
        """Whether a medicine is named as one that is not taken: ``without adrenaline``."""
        return _WITHOUT.search(self.text, max(0, where.start - 20), where.start) is not None


def _beside(text: str, quantity: Quantity, named: list[tuple[str, Range]]) -> str:
    """The medicine whose name stands right before a value, or right after it with ``of``; empty when none does."""
    for name, where in named:
        if where.end <= quantity.where.start and _RIGHT_BEFORE.fullmatch(text, where.end, quantity.where.start):
            return name
        if where.start >= quantity.where.end and _RIGHT_AFTER.fullmatch(text, quantity.where.end, where.start):
            return name
    return ""


_LATER: Final = frozenset({"%later"})
"""A key among the words of an amount that follows another."""
_RIGHT_BEFORE: Final = re.compile(r"\W*(?:(?:to|at|is|of|by|dose|the)\W+){0,3}", re.IGNORECASE)
_RIGHT_AFTER: Final = re.compile(r"\W+of\W+", re.IGNORECASE)


def _as_quantity(frequency: Frequency) -> Quantity:
    return Quantity(
        kind=Kind.FREQUENCY, low=frequency.shortest, high=frequency.longest, raw_low=frequency.shortest,
        raw_high=frequency.longest, dimension=frequency.dimension, per=(), total=None, where=frequency.where,
    )  # fmt: skip


def _lasts(text: str, quantity: Quantity) -> bool:
    """Whether a time says how long something takes, and not how old a patient is."""
    role = cues.time_role(text, *quantity.where) if quantity.kind is Kind.TIME else ""
    return role in ("for", "within", "over")


def _sign(text: str, quantity: Quantity) -> str:
    """How the key of a value begins: ``#`` when it is about the patient, ``~`` otherwise."""
    return "#" if about_patient(quantity) and not _lasts(text, quantity) else "~"


def _conditions(
    text: str, inside: Sequence[Quantity], quantity: Quantity, within: Range, *, skip_peers: bool
) -> frozenset[str]:
    """Keys of the other values in a stretch of text, which may be what this one depends on."""
    return frozenset(
        f"{_sign(text, other)}{other.dimension or 'number'}:{other.low}-{other.high}"
        for other in inside
        if other is not quantity
        and other.kind is not Kind.FREQUENCY
        and not other.derived
        and within.start <= other.where.start < within.end
        and not (skip_peers and peers(other, quantity))
    )


def _co_named(segment: Range, named: list[tuple[str, Range]]) -> frozenset[str]:
    """Keys of the medicines in a segment that names several, one of which may be what the dose depends on."""
    names = frozenset(name for name, where in named if segment.start <= where.start < segment.end)
    return frozenset(f"@{name}" for name in names) if len(names) > 1 else frozenset()


def _without(own: str, offset: int, named: list[tuple[str, Range]]) -> str:
    """The words of a segment less the names of medicines, which have a field of their own."""
    for _, where in reversed(named):
        if where.start >= offset and where.end <= offset + len(own):
            own = own[: where.start - offset] + " " + own[where.end - offset :]
    return own
