"""What was waived, in lines: counted and listed in every output, so that nobody takes it for a pass of the gate."""

from collections.abc import Iterator

from primum.records.summary import SystemSummary
from primum.report.numbers import counted


def waiver_lines(system: SystemSummary) -> Iterator[str]:
    """One line for each waiver that holds, with whom it names."""
    for use in system.waivers:
        waiver = use.waiver
        yield (
            f"waived: {waiver.gate} on {counted(len(use.observations), 'observation')} by {waiver.id} until "
            f"{waiver.expires}: {waiver.reason} (owner {waiver.owner}, approved by {waiver.approver}, {waiver.ticket})"
        )
