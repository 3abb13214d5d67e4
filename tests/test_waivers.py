"""Waivers: what they cover, what they never cover, and when they themselves speak against a release."""

from datetime import date
from typing import Any

import pytest
from pydantic import ValidationError

from primum.records import DecisionKind, Finding, GateReport, GateResult, Outcome, Severity, Span, Status
from primum.records.waiver import Waiver, WaiverFile, fingerprint
from primum.waivers import Waived, apply_waivers

TODAY = date(2026, 11, 30)
NEVER = frozenset({"dose", "isolation"})


def finding(words: str = "[9]", reason: str = "citation.unknown") -> Finding:
    span = Span(start=0, end=len(words), text=words)
    return Finding(reason=reason, severity=Severity.SERIOUS, message="cites nothing", answer_span=span)


def report(*findings: Finding, gate: str = "citation", case: str = "f/a", repetition: int = 0) -> GateReport:
    result = GateResult(gate=gate, gate_version="1", status=Status.FAIL if findings else Status.PASS, findings=findings)
    return GateReport(observation_id=f"ours/{case}/{repetition}", outcome=Outcome.ANSWERED, results=(result,))


def waiver(**changes: Any) -> Waiver:
    fields: dict[str, Any] = {
        "id": "W-1",
        "gate": "citation",
        "cases": ("f/a",),
        "fingerprint": fingerprint("citation", finding()),
        "reason": "The link target moves next week.",
        "owner": "A. Author",
        "approver": "B. Approver",
        "expires": date(2026, 12, 31),
        "ticket": "T-17",
    }
    return Waiver.model_validate({**fields, **changes})


def applied(reports: list[GateReport], *waivers: Waiver) -> Waived:
    return apply_waivers(reports, waivers, system="ours", never=NEVER, on=TODAY)


def test_a_waived_finding_stays_visible_and_does_not_block() -> None:
    done = applied([report(finding())], waiver())
    result = done.reports[0].results[0]
    assert (result.status, [f.blocks for f in result.findings]) == (Status.PASS, [False])
    assert [use.observations for use in done.uses] == [("ours/f/a/0",)]
    assert done.reasons == ()


def test_another_finding_beside_it_still_fails_the_gate() -> None:
    done = applied([report(finding(), finding("[8]"))], waiver())
    result = done.reports[0].results[0]
    assert (result.status, [f.blocks for f in result.findings]) == (Status.FAIL, [False, True])


@pytest.mark.parametrize(
    "other",
    [
        report(finding("[8]")),
        report(finding(reason="citation.superseded")),
        report(finding(), case="f/b"),
    ],
)
def test_other_words_reasons_and_cases_are_not_covered(other: GateReport) -> None:
    done = applied([other], waiver())
    assert done.reports == (other,)
    assert [(r.kind, r.rule) for r in done.reasons] == [(DecisionKind.BLOCK, "waiver:W-1")]
    assert "matches no finding" in done.reasons[0].message


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"expires": date(2026, 11, 29)}, "expired on 2026-11-29"),
        ({"expires": date(2027, 3, 1)}, "at most 90 days"),
        ({"gate": "dose"}, "cannot be waived"),
    ],
)
def test_a_waiver_that_does_not_hold_blocks_and_covers_nothing(changes: dict[str, Any], message: str) -> None:
    given = report(finding(), gate=changes.get("gate", "citation"))
    done = applied([given], waiver(fingerprint=fingerprint(given.results[0].gate, finding()), **changes))
    assert done.reports == (given,)
    assert [r.kind for r in done.reasons] == [DecisionKind.BLOCK]
    assert message in done.reasons[0].message


@pytest.mark.parametrize("day", [date(2026, 11, 30), date(2027, 2, 28)])
def test_the_first_and_the_last_day_that_are_allowed_hold(day: date) -> None:
    assert applied([report(finding())], waiver(expires=day)).reasons == ()


def test_an_error_of_a_gate_cannot_be_waived() -> None:
    broken = GateResult(gate="citation", gate_version="1", status=Status.ERROR, detail="ValueError")
    given = GateReport(observation_id="ours/f/a/0", outcome=Outcome.ANSWERED, results=(broken,))
    assert applied([given], waiver()).reports == (given,)


def test_every_repetition_is_covered_and_counted() -> None:
    done = applied([report(finding(), repetition=n) for n in range(3)], waiver())
    assert len(done.uses[0].observations) == 3


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"approver": "a. author"}, "somebody else"),
        ({"cases": ()}, "at least 1"),
        ({"fingerprint": "zz"}, "pattern"),
        ({"ticket": " "}, "at least 1"),
        ({"expires": "soon"}, "date"),
    ],
)
def test_an_incomplete_waiver_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        waiver(**changes)


def test_two_waivers_of_one_name_are_refused() -> None:
    with pytest.raises(ValidationError, match="two waivers are called W-1"):
        WaiverFile(version=1, waivers=(waiver(), waiver()))
