"""Findings that people accepted for a time no longer block; everything about them stays visible.

A waiver that has expired, runs too long or matches nothing speaks against the release itself, so that the list cannot
silently outlive its reasons.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from primum.records import DecisionKind, Finding, GateReport, GateResult, Reason, Status
from primum.records.waiver import Waiver, WaiverUse, fingerprint

LONGEST = timedelta(days=90)
"""A waiver expires at most so long after the run that it is used in."""


@dataclass(frozen=True, kw_only=True)
class Waived:
    """The gate reports of a system with waivers applied."""

    reports: tuple[GateReport, ...]
    """Findings that are covered no longer block."""
    uses: tuple[WaiverUse, ...]
    """Every waiver that holds, also one that matched nothing."""
    reasons: tuple[Reason, ...]
    """What is wrong with the waivers themselves."""


def apply_waivers(
    reports: Sequence[GateReport], waivers: Sequence[Waiver], *, system: str, never: frozenset[str], on: date
) -> Waived:
    """Applies waivers to the gate reports of one system.

    Args:
        reports: Its gate reports.
        waivers: From the waiver file.
        system: The system, whose name the observations' ids begin with.
        never: Gates that cannot be waived.
        on: The day on which the run was started.
    """
    refused = {waiver.id: why for waiver in waivers if (why := _refused(waiver, never, on))}
    holding = {_key(case, waiver): waiver for waiver in waivers if waiver.id not in refused for case in waiver.cases}
    covered: dict[str, list[str]] = {waiver.id: [] for waiver in holding.values()}
    applied: list[GateReport] = []
    for report in reports:
        case = report.observation_id.removeprefix(f"{system}/").rpartition("/")[0]
        results: list[GateResult] = []
        for result in report.results:
            found = [
                (finding, holding.get((case, result.gate, fingerprint(result.gate, finding))))
                for finding in result.findings
            ]
            for waiver in {waiver.id for finding, waiver in found if waiver and finding.blocks}:
                covered[waiver].append(report.observation_id)
            results.append(_without_waived(result, found))
        applied.append(report.model_copy(update={"results": tuple(results)}))
    uses = tuple(
        WaiverUse(waiver=waiver, observations=tuple(dict.fromkeys(covered[waiver.id])))
        for waiver in waivers
        if waiver.id in covered
    )
    return Waived(reports=tuple(applied), uses=uses, reasons=tuple(_reasons(refused, uses)))


def _key(case: str, waiver: Waiver) -> tuple[str, str, str]:
    return case, waiver.gate, waiver.fingerprint


def _refused(waiver: Waiver, never: frozenset[str], on: date) -> str:
    """Why a waiver does not hold; empty when it does."""
    if waiver.gate in never:
        return f"findings of the gate {waiver.gate} cannot be waived"
    if waiver.expires < on:
        return f"it expired on {waiver.expires}; mend the cause, or have it approved again"
    if waiver.expires > on + LONGEST:
        return f"it runs until {waiver.expires}; at most {LONGEST.days} days are allowed"
    return ""


def _without_waived(result: GateResult, found: Sequence[tuple[Finding, Waiver | None]]) -> GateResult:
    """The result in which findings that a waiver covers warn only; an error or a missing result stays what it is."""
    if not any(waiver for _, waiver in found):
        return result
    findings = tuple(f.model_copy(update={"blocks": f.blocks and waiver is None}) for f, waiver in found)
    passes = result.status is Status.FAIL and not any(finding.blocks for finding in findings)
    return result.model_copy(update={"findings": findings, "status": Status.PASS if passes else result.status})


def _reasons(refused: Mapping[str, str], uses: Sequence[WaiverUse]) -> Iterator[Reason]:
    unused = {use.waiver.id: "it matches no finding; remove it" for use in uses if not use.observations}
    for waiver, why in {**refused, **unused}.items():
        yield Reason(kind=DecisionKind.BLOCK, rule=f"waiver:{waiver}", message=f"waiver {waiver}: {why}")
