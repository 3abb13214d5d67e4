"""One quantity of a text with what it is about."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from primum_safety.text.bands import Band
from primum_safety.text.frequency import Frequency
from primum_safety.text.quantity import Quantity
from primum_safety.text.sentences import Range


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """What the words around a quantity say of it."""

    without: frozenset[str]
    """Medicines beside it that are named as not taken."""
    analytes: frozenset[str]
    roles: frozenset[str]
    populations: frozenset[str]
    routes: frozenset[str]
    actions: frozenset[str]
    negated: bool
    words: frozenset[str]
    """Stems of the words of its own segment, and keys of the other values there (its conditions)."""
    around: frozenset[str]
    """The same for what it shares with its neighbours: the sentence's opening, the heading, the title."""
    bands: tuple[Band, ...]
    """For whom it holds, as far as values beside it say; those before it in the sentence when none are beside it."""


@dataclass(frozen=True)  # no slots: what is read on demand is kept in the instance
class Fact:
    """One quantity with its binding; its wording is read when it is first asked for, which is seldom."""

    quantity: Quantity
    comparator: str
    frequency: Frequency | None
    shares_phrase: bool
    """Whether it stands in one phrase with other amounts, as the strength in ``two 5 mg tablets``."""
    medicines: frozenset[str]
    """The medicines it may be about; empty when the text names none."""
    named: bool
    """Whether its own sentence names them; if not, they are carried over from before."""
    time_role: str
    where: Range
    sentence: Range
    read_wording: Callable[[], Wording] = field(repr=False, compare=False)
    beside: str = ""
    """The medicine whose name stands right before the amount, as in ``torvexaban to 6 mg``."""
    attached: bool = False
    """For a frequency: whether it goes with an amount, which is then compared as a whole."""

    @property
    def per_dose(self) -> bool:
        """Whether the text says that this is for one dose."""
        return any(name == "dose" for name, _ in self.quantity.per)

    @cached_property
    def _wording(self) -> Wording:
        return self.read_wording()

    @property
    def without(self) -> frozenset[str]:
        """`Wording.without`."""
        return self._wording.without

    @property
    def analytes(self) -> frozenset[str]:
        """`Wording.analytes`."""
        return self._wording.analytes

    @property
    def roles(self) -> frozenset[str]:
        """`Wording.roles`."""
        return self._wording.roles

    @property
    def populations(self) -> frozenset[str]:
        """`Wording.populations`."""
        return self._wording.populations

    @property
    def routes(self) -> frozenset[str]:
        """`Wording.routes`."""
        return self._wording.routes

    @property
    def actions(self) -> frozenset[str]:
        """`Wording.actions`."""
        return self._wording.actions

    @property
    def negated(self) -> bool:
        """`Wording.negated`."""
        return self._wording.negated

    @property
    def words(self) -> frozenset[str]:
        """`Wording.words`."""
        return self._wording.words

    @property
    def around(self) -> frozenset[str]:
        """`Wording.around`."""
        return self._wording.around

    @property
    def bands(self) -> tuple[Band, ...]:
        """`Wording.bands`."""
        return self._wording.bands
