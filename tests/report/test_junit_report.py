"""JUnit XML has one test case for each case and gate, and missing checks never look like success."""

from collections.abc import Callable
from xml.etree import ElementTree as ET

import pytest

from primum.errors import UsageError
from primum.records.base import Outcome, Status
from primum.records.decision import DecisionKind
from primum.records.finding import Finding, GateReport, GateResult
from primum.records.summary import RunReport
from primum.report import render_junit


def _result(gate: str, status: Status, finding: Finding | None = None, detail: str = "") -> GateResult:
    return GateResult(gate=gate, gate_version="1", status=status, findings=(finding,) if finding else (), detail=detail)


def _gated(report: RunReport, added: str = "") -> list[GateReport]:
    """Two repetitions of one case and one of another, for each system."""
    finding = report.objections[0].finding

    def one(system: str, case: str, repetition: int, *results: GateResult) -> GateReport:
        return GateReport(observation_id=f"{system}/{case}/{repetition}", outcome=Outcome.ANSWERED, results=results)

    gated: list[GateReport] = []
    for system in report.systems:
        dose, other = f"dose{added}", f"isolation{added}"
        broken = _result(other, Status.ERROR, detail=f"the gate stopped{added}")
        gated.append(one(system.system, f"f{added}/a", 0, _result(dose, Status.PASS), broken))
        failed = _result(dose, Status.FAIL, finding)
        gated.append(one(system.system, f"f{added}/a", 1, failed, _result(other, Status.PASS)))
        gated.append(
            one(
                system.system,
                f"f{added}/b",
                0,
                _result(dose, Status.NOT_APPLICABLE, detail=f"no dose{added}"),
                _result(other, Status.INCONCLUSIVE, detail=f"unknown{added}"),
            )
        )
    return gated


def _parsed(xml: str) -> ET.Element:
    return ET.fromstring(xml)  # noqa: S314 - our own output


def _cases(xml: str) -> dict[tuple[str, str], list[str]]:
    """What stands in each test case, by class name and name."""
    found: dict[tuple[str, str], list[str]] = {}
    for case in _parsed(xml).iter("testcase"):
        key = (case.attrib["classname"], case.attrib["name"])
        assert key not in found
        found[key] = [child.tag for child in case]
    return found


def test_each_case_and_gate_is_one_test_case(make: Callable[..., RunReport]) -> None:
    """Repetitions are joined, and the worst of them speaks."""
    report = make()
    assert _cases(render_junit(report, _gated(report))) == {
        ("decision", "candidate"): ["failure"],
        ("dose", "candidate/f/a"): ["failure"],
        ("isolation", "candidate/f/a"): ["error"],
        ("dose", "candidate/f/b"): ["skipped"],
        ("isolation", "candidate/f/b"): ["error"],
        ("decision", "baseline"): [],
        ("dose", "baseline/f/a"): ["failure"],
        ("isolation", "baseline/f/a"): ["error"],
        ("dose", "baseline/f/b"): ["skipped"],
        ("isolation", "baseline/f/b"): ["error"],
    }


def test_a_failure_says_how_many_repetitions_fail_and_why(make: Callable[..., RunReport]) -> None:
    """Numerator, denominator, reason code and the words of the finding."""
    report = make()
    failure = _parsed(render_junit(report, _gated(report))).find(".//testcase[@classname='dose']/failure")
    assert failure is not None
    assert failure.attrib == {"type": "dose.absent", "message": "1/2 repetitions fail: dose.absent"}
    assert failure.text
    assert failure.text.startswith("repetition 1: dose.absent [critical] 25 mg is in no cited passage")


@pytest.mark.parametrize(
    ("kind", "tags"),
    [(DecisionKind.PASS, []), (DecisionKind.BLOCK, ["failure"]), (DecisionKind.INCONCLUSIVE, ["error"])],
)
def test_the_decision_is_a_test_case(kind: DecisionKind, tags: list[str], make: Callable[..., RunReport]) -> None:
    """A run without any check is not green because nothing failed."""
    report = make(kind=kind)
    assert _cases(render_junit(report, []))["decision", "candidate"] == tags


def test_counts_are_those_of_the_elements(make: Callable[..., RunReport]) -> None:
    """Readers that trust the counts see what readers of the elements see."""
    report = make()
    root = _parsed(render_junit(report, _gated(report)))
    for element in (root, *root.iter("testsuite")):
        assert int(element.attrib["tests"]) == len(list(element.iter("testcase")))
        assert int(element.attrib["failures"]) == len(list(element.iter("failure")))
        assert int(element.attrib["errors"]) == len(list(element.iter("error")))
        assert int(element.attrib["skipped"]) == len(list(element.iter("skipped")))


@pytest.mark.parametrize(
    "hostile",
    ["<x>&amp;]]><!--", '" a="b', "\x00\x08\x1b[31m\x7f\x9b", "\ufffe\uffff", "a\r\nb\tc", "/", "\u202e", "…" * 400],
)
def test_hostile_text_stays_text_and_names_stay_unique(hostile: str, make: Callable[..., RunReport]) -> None:
    """Characters that XML forbids are gone, and as many test cases are left as without them."""
    report = make(hostile)
    cases = _cases(render_junit(report, _gated(report, hostile)))
    assert sorted(cases.values()) == sorted(_cases(render_junit(make(), _gated(make()))).values())


def test_the_order_of_the_gate_reports_does_not_matter(make: Callable[..., RunReport]) -> None:
    """Equal runs give equal bytes."""
    report = make()
    gated = _gated(report)
    assert render_junit(report, gated) == render_junit(report, reversed(gated))


def test_gate_reports_of_another_run_are_refused(make: Callable[..., RunReport]) -> None:
    """Nothing is dropped without a word."""
    stray = GateReport(observation_id="elsewhere/f/a/0", outcome=Outcome.ANSWERED, results=())
    with pytest.raises(UsageError, match="of no system in the report"):
        render_junit(make(), [stray])
