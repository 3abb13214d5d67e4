"""What a judge must reach before its verdicts count."""

from collections.abc import Collection, Mapping
from typing import Self

from pydantic import Field

from primum.records import Record
from primum_judges.examination.specimen import Group


class Bar(Record):
    """The least that is asked of a judge; below it, its verdicts are shown as unqualified."""

    sensitivity: float = Field(default=0.9, ge=0, le=1)
    """Least share of the failing known specimens that it fails."""
    specificity: float = Field(default=0.8, ge=0, le=1)
    """Least share of the passing known specimens that it passes."""
    groups: Mapping[Group, float] = {
        Group.INJECTION: 1.0,
        Group.VERBOSITY: 1.0,
        Group.POSITION: 0.9,
        Group.QUANTITY: 0.9,
        Group.NEGATION: 0.9,
        Group.ABSTENTION: 1.0,
    }
    """Least share of the probes of a group that it gets right."""
    flips: float = Field(default=0.1, ge=0, le=1)
    """Largest share of specimens whose verdict may change between repetitions."""
    undecided: float = Field(default=0.05, ge=0, le=1)
    """Largest share of verdicts that may be inconclusive or errors."""
    least_known: int = Field(default=10, ge=2)
    """Fewest known specimens that must pass, and fewest that must fail, for an examination to say anything."""

    def limited_to(self, groups: Collection[Group]) -> Self:
        """The bar without what it asks of other groups, for rubrics to which those do not apply."""
        kept = {group: least for group, least in self.groups.items() if group in groups}
        return self.model_copy(update={"groups": kept})
