"""What is decided about one system, and why."""

from enum import StrEnum

from primum.records.base import Record


class DecisionKind(StrEnum):
    """May it be released?"""

    PASS = "PASS"  # noqa: S105 - a decision, not a password
    BLOCK = "BLOCK"
    INCONCLUSIVE = "INCONCLUSIVE"


EXIT_CODES = {DecisionKind.PASS: 0, DecisionKind.BLOCK: 1, DecisionKind.INCONCLUSIVE: 3}


class Reason(Record):
    """One reason for a decision, with the observations it rests on."""

    kind: DecisionKind
    """What this reason alone would lead to."""
    rule: str
    """The rule that spoke, such as ``gate:dose`` or ``coverage``."""
    message: str
    observations: tuple[str, ...] = ()


class Decision(Record):
    """The decision about one system. BLOCK outranks INCONCLUSIVE, which outranks PASS."""

    system: str
    kind: DecisionKind
    headline: str
    """The first line that a person reads: the decision and why."""
    reasons: tuple[Reason, ...]

    @property
    def exit_code(self) -> int:
        """0 pass, 1 blocked, 3 inconclusive."""
        return EXIT_CODES[self.kind]
