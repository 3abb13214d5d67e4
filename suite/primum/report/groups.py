"""Brings objections that say the same together, so that a reader meets each of them once."""

from collections.abc import Sequence
from dataclasses import dataclass

from primum.records.summary import Objection, RunReport


@dataclass(frozen=True, kw_only=True)
class Group:
    """Objections of one gate to the same words of one family's answers, in several variants and repetitions."""

    first: Objection
    """The worst of them, which is shown."""
    others: tuple[Objection, ...]

    @property
    def size(self) -> int:
        """How many objections the group holds."""
        return 1 + len(self.others)

    @property
    def elsewhere(self) -> tuple[str, ...]:
        """Case and repetition of the other observations that it is about, in order of appearance."""
        own = _place(self.first)
        return tuple(dict.fromkeys(place for place in map(_place, self.others) if place != own))


@dataclass(frozen=True, kw_only=True)
class Section:
    """What one gate objects to in one system."""

    system: str
    gate: str
    groups: tuple[Group, ...]

    @property
    def objections(self) -> int:
        """How many objections the section holds."""
        return sum(group.size for group in self.groups)


def sections(report: RunReport) -> tuple[Section, ...]:
    """The report's objections by system and gate: the release system first, then in the report's order."""
    found: dict[tuple[str, str], dict[tuple[str | None, ...], list[Objection]]] = {}
    for objection in report.objections:
        section = found.setdefault((objection.observation.system, objection.gate), {})
        section.setdefault(_subject(objection), []).append(objection)
    made = [
        Section(
            system=system,
            gate=gate,
            groups=tuple(Group(first=members[0], others=tuple(members[1:])) for members in groups.values()),
        )
        for (system, gate), groups in found.items()
    ]
    return tuple(sorted(made, key=lambda section: section.system != report.release))


def top(found: Sequence[Section], count: int) -> list[Group]:
    """The first `count` groups, with one of each gate of a system before the second of any."""
    systems = dict.fromkeys(section.system for section in found)
    ranked: list[Group] = []
    for system in systems:
        own = [section.groups for section in found if section.system == system]
        longest = max(map(len, own), default=0)
        ranked += [groups[place] for place in range(longest) for groups in own if place < len(groups)]
    return ranked[:count]


def _place(objection: Objection) -> str:
    return f"{objection.case.id}, repetition {objection.observation.repetition}"


def _subject(objection: Objection) -> tuple[str | None, ...]:
    """What an objection is about, beyond system and gate; variants and repetitions do not tell."""
    finding = objection.finding
    return (
        objection.case.family,
        finding.reason,
        finding.severity,
        str(objection.blocks),
        finding.answer_span.text if finding.answer_span else None,
        finding.evidence.passage_id if finding.evidence else None,
        finding.evidence.span.text if finding.evidence else None,
    )
