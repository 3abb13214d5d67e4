"""One quantity: a number or range with its unit and denominators, exact."""

from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from math import prod
from typing import Final, TypeAlias

from primum_safety.text.frequency import Frequency
from primum_safety.text.sentences import Range
from primum_safety.text.tokens import Style
from primum_safety.text.units import Dimension, products

Sort: TypeAlias = tuple[str, str, tuple[str, ...]]
Ends: TypeAlias = tuple[int, int, int, int]
"""Numerator and denominator of the lower end, then of the upper one."""


class Kind(StrEnum):
    """What a number is of."""

    AMOUNT = "amount"
    """A value with a unit, such as a dose, a concentration, a laboratory value."""
    COUNT = "count"
    """A number of tablets, puffs, doses."""
    TIME = "time"
    """A duration, a time limit, an age."""
    ORDINAL_DAY = "day"
    """``day 3``, ``week 2``: a point in a course."""
    FREQUENCY = "frequency"
    BARE = "number"
    """A number without a unit, such as an INR or a score."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """One number (or range) with its unit, in base units of its dimension."""

    kind: Kind
    low: Fraction
    high: Fraction
    raw_low: Fraction
    """As written, before conversion."""
    raw_high: Fraction
    dimension: str
    per: tuple[tuple[str, Fraction], ...]
    """Denominators: dimension (or counted noun) and size in base units. They never cancel against the numerator."""
    total: Frequency | None
    """The period of an amount that is a total, as in ``mg/kg/day``."""
    where: Range
    style: Style = Style.PLAIN
    strength_of: str | None = None
    """The product that holds this amount, in ``5 mg tablets``."""
    noun: str = ""
    """The word after a bare number."""
    derived: bool = False
    """Not written as such, but following exactly: the concentration of ``300 units in 3 mL``."""

    sort: Sort = field(init=False)
    """What may be compared with it: kind, dimension, and the denominators that must agree."""
    value: Ends = field(init=False)
    """Both ends in base units, with the sizes of the denominators divided out: ``10 mg/5 mL`` equals ``2 mg/mL``."""
    written: Ends = field(init=False)
    """Both ends as written."""

    def __post_init__(self) -> None:
        size = prod((factor for _, factor in self.per), start=Fraction(1))
        dimension = Dimension.SUBSTANCE if self.dimension == Dimension.EQUIVALENT else self.dimension
        per = (name for name, _ in self.per if name not in _LOOSE and name not in products())
        object.__setattr__(self, "sort", (self.kind, dimension, tuple(sorted(per))))
        object.__setattr__(self, "value", _ends(self.low / size, self.high / size))
        object.__setattr__(self, "written", _ends(self.raw_low, self.raw_high))

    @property
    def is_range(self) -> bool:
        """Whether it has two ends."""
        return self.low != self.high

    def same_value(self, other: "Quantity") -> bool:
        """Whether both say the same amount of the same sort of thing."""
        return self.sort == other.sort and self.value == other.value

    def given(self) -> bool:
        """Whether it can be given to a patient; a body weight, a percentage or a laboratory value cannot."""
        if self.kind is Kind.COUNT:
            return self.dimension not in _HAPPENS
        if self.kind is not Kind.AMOUNT or self.dimension not in _GIVEN:
            return False
        if self.dimension == Dimension.VOLUME and (Dimension.TIME, _MINUTE) in self.per:
            return False  # a clearance
        if self.dimension == Dimension.SUBSTANCE and any(name == Dimension.SUBSTANCE for name, _ in self.per):
            return False  # a share of molecules, such as HbA1c in mmol/mol
        weighs = self.dimension == Dimension.MASS and not self.per
        return not (weighs and self.raw_high and self.high / self.raw_high >= _POUND)


def _ends(low: Fraction, high: Fraction) -> Ends:
    low, high = min(low, high), max(low, high)
    return (*low.as_integer_ratio(), *high.as_integer_ratio())


_LOOSE: Final = frozenset({"dose", "eye", "nostril"})
"""Denominators that may be left out: ``1 drop per eye`` is ``1 drop in each eye``."""
_HAPPENS: Final = frozenset({"criterion", "episode", "stool", "cigarette"})
_MINUTE: Final = Fraction(1, 60)
_POUND: Final = 400
"""Grams; what is measured in pounds or kilograms is a patient."""
_GIVEN: Final = frozenset(
    {
        Dimension.MASS,
        Dimension.VOLUME,
        Dimension.ACTIVITY,
        Dimension.SUBSTANCE,
        Dimension.EQUIVALENT,
        Dimension.ENERGY_CALORIE,
        Dimension.ENERGY_JOULE,
        Dimension.RADIATION,
        Dimension.LENGTH,
        Dimension.CELLS,
    }
)
