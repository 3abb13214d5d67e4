"""Amounts with their units and denominators, counts, durations and bare numbers, exact and with their place."""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from primum_safety.text.concentrations import concentrations
from primum_safety.text.cursor import Cursor
from primum_safety.text.frequency import Frequency, frequencies
from primum_safety.text.noise import noise
from primum_safety.text.quantity import Kind, Quantity
from primum_safety.text.ranges import Ranges
from primum_safety.text.sentences import Range
from primum_safety.text.tokens import tokenise
from primum_safety.text.units import Dimension, Unit, counted, lookup, products
from primum_safety.text.wordlists import word_list


@dataclass(frozen=True, slots=True)
class Reading:
    """All that was read from one text, in order."""

    quantities: tuple[Quantity, ...]
    frequencies: tuple[Frequency, ...]
    unreadable: tuple[Range, ...]
    """Numbers that cannot be read, because they have too many digits."""


_RANGE_WORDS: Final = frozenset({"to", "-", "until", "through", "and", "or"})


@lru_cache(maxsize=4096)
def read_quantities(text: str) -> Reading:
    """Every quantity and frequency of a normalised text. Linear in its length; never raises."""
    ignored = list(noise(text))
    noisy = Ranges(ignored)
    often = [f for f in frequencies(text) if not noisy.covers(f.where.start)]
    tokens = tokenise(text)
    read = _Reader(text, tokens, Ranges([*ignored, *(f.where for f in often)])).read()
    quantities = tuple(sorted([*read, *concentrations(text, read)], key=lambda q: q.where.start))
    used = Ranges([q.where for q in quantities])
    return Reading(
        quantities=quantities,
        frequencies=tuple(f for f in often if not used.covers(f.where.start)),
        unreadable=tuple(Range(t.start, t.end) for t in tokens if t.unreadable and not noisy.covers(t.start)),
    )


_PAIRS: Final = {("mm", "hg"): "mmHg", ("cm", "h2o"): "cmH2O", ("cm", "water"): "cmH2O", ("per", "cent"): "%"}


_SIZES: Final = (Dimension.MASS, Dimension.AREA)
_WHEN: Final = frozenset({"after", "before", "later", "earlier", "prior", "from", "post"})
"""Words after which ``an hour`` is a time and not the denominator of a rate."""
_LONGEST_LIST: Final = 12
"""Numbers in one list, at most, such as the days of a course."""


class _Reader(Cursor):
    """Reads quantities from tokens, left to right."""

    def read(self) -> list[Quantity]:
        found: list[Quantity] = []
        at = 0
        while at < len(self.tokens):
            if (ratio := self._ratio(at)) is not None:
                found.append(ratio[0])
                at = ratio[1]
                continue
            if self.value(at) is None or self._identifier(at):
                at += 1
                continue
            quantities, at = self._quantity(at)
            found += quantities
        return found

    def _ratio(self, at: int) -> tuple[Quantity, int] | None:
        """``1 in 1,000`` and ``1:10,000``: the strength of a solution, which is grams in millilitres."""
        if self.value(at) != 1 or self.word(at + 1) not in ("in", ":"):
            return None
        size = self.value(at + 2)
        if size is None or size < 100 or size % 100 or self.word(at + 3) in word_list("people"):
            return None
        where = Range(self.tokens[at].start, self.tokens[at + 2].end)
        millilitre = Fraction(1, 1000)
        made = Quantity(
            kind=Kind.AMOUNT, low=Fraction(1), high=Fraction(1), raw_low=Fraction(1), raw_high=Fraction(1),
            dimension=Dimension.MASS, per=((Dimension.VOLUME, size * millilitre),), total=None, where=where,
        )  # fmt: skip
        return made, at + 3

    def _identifier(self, at: int) -> bool:
        """Whether the number is glued to letters before it, as in ``omega-3``."""
        start = self.tokens[at].start
        if start < 2 or self.text[start - 1] not in "-_":
            return False
        return (
            self.text[start - 2].isalpha()
            and self.tokens[at - 2].text not in ("day", "week", "to", "x")
            and lookup(self.tokens[at - 2].text) is None
        )

    def _quantity(self, at: int) -> tuple[list[Quantity], int]:
        start = at
        ends: list[tuple[int, Unit | None, str | None]] = []  # index of the number, its unit, counted noun
        unit, noun, after = self._unit(at + 1)
        ends.append((at, unit, noun))
        separators: list[str] = []
        while len(ends) < _LONGEST_LIST:
            joined = self._joined(at, after, had_unit=unit is not None or noun is not None)
            if joined is None:
                break
            separator, at = joined
            separators.append(separator)
            unit, noun, after = self._unit(at + 1)
            ends.append((at, unit, noun))
        # A number without a unit takes the unit of the next number in the same row.
        for index in range(len(ends) - 2, -1, -1):
            number, own, own_noun = ends[index]
            if own is None and own_noun is None:
                ends[index] = (number, ends[index + 1][1], ends[index + 1][2])
        per, total, after = (
            self._denominators(after) if ends[-1][1] is not None or ends[-1][2] is not None else ((), None, after)
        )
        found: list[Quantity] = []
        index = 0
        while index < len(ends):
            paired = index + 1 < len(ends) and separators[index] == "range"
            last = index + 1 if paired else index
            found.append(self._build(ends[index], ends[last], per, total, after, start))
            index = last + 1
        return found, max(after, start + 1)

    def _unit(self, at: int) -> tuple[Unit | None, str | None, int]:
        """Unit or counted noun at an index, and the index after it."""
        word = self.word(at)
        if word == "-" and self.glued(at) and self.glued(at + 1):
            return self._unit(at + 1) if lookup(self.word(at + 1)) or counted(self.word(at + 1)) else (None, None, at)
        if not word:
            return None, None, at
        if (named := self._long_unit(at)) is not None:
            return named[0], None, named[1]
        unit = lookup(self.raw(at), alone=not self.glued(at))
        if unit is not None:
            return unit, None, at + 1 + (self.word(at + 1) == "." and self._dotted(at))
        skipped = at
        while self.word(skipped) in word_list("count adjective") and skipped < at + 3:
            skipped += 1
        noun = counted(self.word(skipped))
        return None, noun, skipped + 1 if noun else at

    def _long_unit(self, at: int) -> tuple[Unit | None, int] | None:
        """A unit of several words or signs and the index after it: ``international units``, ``mm Hg``, ``m^2``."""
        word, following = self.word(at), self.word(at + 1)
        if word in ("international", "mega", "million") and lookup(following):
            return lookup(following), at + 2
        if word in ("degree", "degrees"):
            return (lookup(f"°{following[:1]}") or lookup("°c")), at + (2 if following[:1] in ("c", "f") else 1)
        if (word, following) in _PAIRS:
            return lookup(_PAIRS[word, following]), at + 2
        if word in ("m", "cm", "mm") and following == "^" and self.value(at + 2) in (2, 3):
            return lookup(f"{word}{self.value(at + 2)}"), at + 3
        return None

    def _dotted(self, at: int) -> bool:
        """Whether a full stop after a short unit is part of it: a lower-case word or sign follows at once."""
        stop = self.tokens[at + 1]
        return stop.start == self.tokens[at].end and self.text[stop.end : stop.end + 2].strip()[:1].islower()

    def _joined(self, at: int, after: int, *, had_unit: bool) -> tuple[str, int] | None:
        """The next number of the same row or range: what joins it, and its index."""
        word = self.word(after)
        following = after + 1
        if word == "," and not had_unit and self.word(following) in ("and", "or"):
            following += 1
        if self.value(following) is None or (word != "-" and self._identifier(following)):
            return None
        row_unit = self._row_has_unit(following)
        if (
            word in ("and", "or")
            and self._ordinal_day(at)
            and self.value(following) == (self.tokens[at].value or 0) + 1
        ):
            return ("range", following)
        if word in ("to", "through") and had_unit and self._other_unit(at, following):
            return None  # "after 2 weeks to 30 mg"
        if word in ("-", "to", "through") or (word == "and" and self._between(at)):
            return ("range", following)
        if word == "or":
            return ("range", following) if (had_unit and self._same_unit(at, following)) or row_unit else None
        if word == "/" and (row_unit or not had_unit):
            return ("pair", following) if not had_unit or self._same_unit(at, following) else None
        if word in (",", "and") and not had_unit and row_unit and not self._ordinal_day(at):
            return ("list", following)
        return None

    def _same_unit(self, at: int, following: int) -> bool:
        one, noun, _ = self._unit(at + 1)
        two, second, _ = self._unit(following + 1)
        return (one.dimension if one else noun) == (two.dimension if two else second)

    def _other_unit(self, at: int, following: int) -> bool:
        return any(self._unit(following + 1)[:2]) and not self._same_unit(at, following)

    def _row_has_unit(self, at: int) -> bool:
        """Whether a unit ends the row of bare numbers that starts at `at`."""
        for _ in range(_LONGEST_LIST):
            unit, noun, after = self._unit(at + 1)
            if unit is not None or noun is not None:
                return True
            if self.word(after) not in (",", "and", "or", "/", "-", "to"):
                return False
            at = after + 1 + (self.word(after + 1) in ("and", "or"))
            if self.value(at) is None:
                return False
        return False

    def _between(self, at: int) -> bool:
        return any(self.word(index) in ("between", "from") for index in range(max(0, at - 4), at))

    def _denominators(self, at: int) -> tuple[tuple[tuple[str, Fraction], ...], Frequency | None, int]:
        per: list[tuple[str, Fraction]] = []
        total: Frequency | None = None
        at = self._past_substance(at)
        while True:
            after = self._denominator_start(at)
            if after is None:
                return tuple(per), total, at
            size = self.tokens[after].value if after < len(self.tokens) else None
            number_after = after if size is None else after + 1
            while self.word(number_after) in ("single", "body", "each", "a", "the", "any", "every", "24", "-"):
                number_after += 1
            word = self.word(number_after)
            unit = lookup(self.raw(number_after), alone=False) if word else None
            if word == "hourly":
                unit = lookup("hour")
            noun = counted(word) if word else None
            end = number_after + 1
            unit, end = self._raised(unit, word, end)
            if unit is None and noun is None:
                return tuple(per), total, at
            if (
                unit is not None
                and unit.dimension in (Dimension.TIME, Dimension.MONTHS)
                and unit.factor * (size or 1) >= 24
            ):
                if total is not None:
                    return tuple(per), total, at
                period = unit.factor * (size or 1)
                total = Frequency(
                    period, period, unit.dimension, Range(self.tokens[at].start, self.tokens[end - 1].end), total=True
                )
            elif unit is not None:
                per.append((unit.dimension, unit.factor * (size or 1)))
            elif noun is not None:
                per.append((noun, size or Fraction(1)))
            at = end
            while (
                self.word(at) in word_list("weight tail")
                and unit is not None
                and unit.dimension in (Dimension.MASS, Dimension.AREA)
            ):
                if self.word(at) == "of" and self.word(at + 1) not in word_list("weight tail"):
                    break
                at += 1

    def _past_substance(self, at: int) -> int:
        """The index of a denominator after the name of what is given, as in ``140 units of sorvaparin for each kg``."""
        if self.word(at) != "of":
            return at
        for after in (at + 2, at + 3):
            start = self._denominator_start(after)
            if not self.word(after - 1).isalpha() or self.value(after - 1) is not None:
                return at
            unit = lookup(self.raw(start), alone=False) if start is not None and self.word(start) else None
            if unit is not None and (
                unit.dimension in _SIZES or (unit.dimension == Dimension.TIME and unit.factor <= 1)
            ):
                return after
        return at

    def _is_container(self, at: int) -> bool:
        """Whether a volume or a product stands at an index, as in ``5 mg in each mL``."""
        unit = lookup(self.raw(at), alone=False) if self.word(at) else None
        return counted(self.word(at)) in products() or (unit is not None and unit.dimension == Dimension.VOLUME)

    def _raised(self, unit: Unit | None, word: str, end: int) -> tuple[Unit | None, int]:
        """A denominator's unit with the power after it, as in ``m^2`` and ``m^-2``, and the index after that."""
        if self.word(end) != "^":
            return unit, end
        at = end + 1 + (self.word(end + 1) == "-")
        power = self.value(at) or Fraction(1)
        if unit is not None and power in (2, 3) and word in ("m", "cm", "mm"):
            return lookup(f"{word}{power}", alone=False), at + 1
        return unit, at + 1

    def _denominator_start(self, at: int) -> int | None:
        """The index after ``/``, ``per``, ``·`` (with a negative power), ``for each``; None when none is there."""
        word = self.word(at)
        if word in ("/", "per"):
            return at + 1
        following = self.word(at + 2)
        if word in ("every", "each", "an", "a") and self.word(at + 1) in ("hour", "minute") and following not in _WHEN:
            return at + 1
        if word == "in" and self.word(at + 1) in ("each", "every") and self._is_container(at + 2):
            return at + 2
        if word == "hourly":
            return at
        if word == "for" and self.word(at + 1) in ("each", "every"):
            return at + 2
        if (
            word in ("each", "every")
            and lookup(self.word(at + 1)) is not None
            and self.word(at + 1) in ("kg", "kilogram", "kilo")
        ):
            return at + 1
        index = at + 1 if word == "·" else at
        if lookup(self.word(index), alone=False) and self.word(index + 1) == "^" and self.word(index + 2) == "-":
            return index
        return None

    def _build(
        self,
        first: tuple[int, Unit | None, str | None],
        last: tuple[int, Unit | None, str | None],
        per: tuple[tuple[str, Fraction], ...],
        total: Frequency | None,
        after: int,
        start: int,
    ) -> Quantity:
        low_token, high_token = self.tokens[first[0]], self.tokens[last[0]]
        unit, noun = last[1], last[2]
        low_unit = first[1] or unit
        raw_low, raw_high = low_token.value or Fraction(0), high_token.value or Fraction(0)
        style = low_token.style | high_token.style
        end = self.tokens[after - 1].end if after > last[0] else high_token.end
        where = Range(self.tokens[first[0]].start if start <= first[0] else low_token.start, end)
        strength = None
        kind, dimension = Kind.BARE, ""
        low, high = raw_low, raw_high
        if unit is not None and low_unit is not None:
            dimension = unit.dimension
            kind = Kind.TIME if dimension in (Dimension.TIME, Dimension.MONTHS) and not per else Kind.AMOUNT
            low, high = raw_low * low_unit.factor, raw_high * unit.factor
            if dimension == Dimension.FAHRENHEIT:
                dimension, low, high = Dimension.CELSIUS, (low - 32) * 5 / 9, (high - 32) * 5 / 9
            strength = self._strength(after)
        elif noun is not None:
            kind, dimension = Kind.COUNT, noun
            if (
                self.word(after) == "and"
                and self.word(after + 1) == "a"
                and self.value(after + 2) is None
                and self.word(after + 2) == "half"
            ) or (self.word(after) == "and" and self.value(after + 1) == Fraction(1, 2)):
                low, high = low + Fraction(1, 2), high + Fraction(1, 2)
        elif self._ordinal_day(first[0]):
            kind, dimension = Kind.ORDINAL_DAY, self._ordinal_day(first[0])
        elif (inner := self._count_of_strengths(after)) is not None:
            kind, dimension = Kind.COUNT, inner
        return Quantity(
            kind=kind, low=min(low, high), high=max(low, high), raw_low=raw_low, raw_high=raw_high, dimension=dimension,
            per=per, total=total, where=where, style=style, strength_of=strength, noun=self._noun(after),
        )  # fmt: skip

    def _strength(self, after: int) -> str | None:
        """The product noun after an amount, as in ``5 mg oral tablets``."""
        for index in (after, after + 1, after + 2):
            noun = counted(self.word(index))
            if noun is not None:
                return noun if noun not in ("dose", "course", "cycle", "injection", "infusion", "bolus") else None
            if self.word(index) != "-" and self.word(index) not in word_list("formulation"):
                return None
        return None

    def _count_of_strengths(self, after: int) -> str | None:
        """The noun counted in ``two 100 mcg puffs`` and ``2 x 5 mg tablets``."""
        at = after + 1 if self.word(after) == "x" else after
        if self.tokens[at].value is None if at < len(self.tokens) else True:
            return None
        unit, _, end = self._unit(at + 1)
        if unit is None:
            return None
        return self._strength(end)

    def _ordinal_day(self, at: int) -> str:
        """What a number counts off, as in ``day 3`` and ``weeks 1, 2 and 3``; empty for other numbers."""
        for _ in range(_LONGEST_LIST):
            before = self.word(at - 1) if self.word(at - 1) != "-" else self.word(at - 2)
            if before in ("day", "days", "week", "weeks", "cycle", "month", "d") and self.word(at + 1) != "x":
                return {"d": "day"}.get(before, before.rstrip("s"))
            if before not in ("and", "or", ",", "to") or self.value(at - 2) is None:
                return ""
            at -= 2
        return ""

    def _noun(self, after: int) -> str:
        word = self.word(after)
        return word if word.isalpha() else ""
