"""JUnit XML for CI systems: one test case for each case and gate, in a suite for each system.

Repetitions of a case are one test case: a failure in any of them is a failure. Times are left out, so that equal runs
give equal bytes.
"""

from collections.abc import Iterable, Sequence
from typing import Final
from xml.etree import ElementTree as ET

from primum.errors import UsageError
from primum.records.base import Status
from primum.records.decision import Decision, DecisionKind
from primum.records.finding import Finding, GateReport, GateResult
from primum.records.summary import RunReport
from primum.report.comparison import ordered
from primum.report.text import one_line

_WORST_FIRST: Final = (Status.FAIL, Status.ERROR, Status.INCONCLUSIVE, Status.PASS, Status.NOT_APPLICABLE)
_MOST: Final = 2_000

Repeated = list[tuple[str, GateResult]]
"""Results of one gate on one case, by repetition."""


def render_junit(report: RunReport, gate_reports: Iterable[GateReport]) -> str:
    """The gates' results as JUnit XML.

    Args:
        report: The run, for its systems and decisions.
        gate_reports: The newest gate report of every stored observation of the run.

    Returns:
        The document. Each suite starts with the test case ``decision``, which fails when the system is blocked and is
        an error when the decision is inconclusive, so that missing checks never look like success.
    """
    by_system: dict[str, dict[tuple[str, str], Repeated]] = {system.system: {} for system in ordered(report)}
    for gate_report in sorted(gate_reports, key=lambda item: item.observation_id):
        name, case, repetition = _place(gate_report.observation_id, by_system)
        for result in gate_report.results:
            by_system[name].setdefault((case, result.gate), []).append((repetition, result))
    root = ET.Element("testsuites", name=one_line(report.title))
    for system in ordered(report):
        suite = ET.SubElement(root, "testsuite", name=one_line(system.system))
        _add_decision(suite, system.decision)
        names: set[tuple[str, str]] = set()
        for (case, gate), results in sorted(by_system[system.system].items()):
            _add_case(suite, _unique(one_line(f"{system.system}/{case}"), one_line(gate), names), results)
        _count(suite)
    _count(root)
    ET.indent(root, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _place(observation_id: str, systems: Iterable[str]) -> tuple[str, str, str]:
    """System, case and repetition of an observation id; a system's id may itself hold slashes."""
    fitting = [system for system in systems if observation_id.startswith(f"{system}/")]
    if not fitting:
        raise UsageError(
            f"gate report {observation_id!r} is of no system in the report; pass the gate reports of this run"
        )
    system = max(fitting, key=len)
    case, _, repetition = observation_id.removeprefix(f"{system}/").rpartition("/")
    return system, case, repetition


def _unique(name: str, gate: str, taken: set[tuple[str, str]]) -> tuple[str, str]:
    """The pair, numbered when two names became equal once they were made visible and cut."""
    pair, number = (name, gate), 1
    while pair in taken:
        number += 1
        pair = (f"{name} ({number})", gate)
    taken.add(pair)
    return pair


def _add_decision(suite: ET.Element, decision: Decision) -> None:
    case = ET.SubElement(suite, "testcase", classname="decision", name=one_line(decision.system))
    if decision.kind is not DecisionKind.PASS:
        tag = "failure" if decision.kind is DecisionKind.BLOCK else "error"
        told = ET.SubElement(case, tag, type=decision.kind.value, message=one_line(decision.headline, _MOST))
        told.text = "\n".join(one_line(f"{reason.rule}: {reason.message}", _MOST) for reason in decision.reasons)


def _add_case(suite: ET.Element, named: tuple[str, str], results: Repeated) -> None:
    name, gate = named
    case = ET.SubElement(suite, "testcase", classname=gate, name=name)
    status = min((result.status for _, result in results), key=_WORST_FIRST.index)
    worst = [(repetition, result) for repetition, result in results if result.status is status]
    lines = [line for repetition, result in worst for line in _lines(repetition, result)]
    text = "\n".join(lines)
    if status is Status.FAIL:
        codes = sorted({finding.reason for _, result in worst for finding in result.findings if finding.blocks})
        message = f"{len(worst)}/{len(results)} repetitions fail: {', '.join(codes)}"
        ET.SubElement(case, "failure", type=one_line(codes[0]), message=one_line(message, _MOST)).text = text
    elif status in (Status.ERROR, Status.INCONCLUSIVE):
        message = f"{len(worst)}/{len(results)} repetitions: {worst[0][1].detail}"
        ET.SubElement(case, "error", type=status.value, message=one_line(message, _MOST)).text = text
    elif status is Status.NOT_APPLICABLE:
        ET.SubElement(case, "skipped", message=one_line(worst[0][1].detail or "not applicable", _MOST))
    elif text:
        ET.SubElement(case, "system-out").text = text


def _lines(repetition: str, result: GateResult) -> Sequence[str]:
    lines = [_line(repetition, finding) for finding in result.findings]
    return lines + ([one_line(f"repetition {repetition}: {result.detail}", _MOST)] if result.detail else [])


def _line(repetition: str, finding: Finding) -> str:
    words = f" ({finding.answer_span.text!r})" if finding.answer_span else ""
    told = f"{finding.reason} [{finding.severity}] {finding.message}{words}"
    return one_line(f"repetition {repetition}: {told}", _MOST)


def _count(element: ET.Element) -> None:
    """Sets the counts that readers of JUnit XML expect on a suite, in their usual order."""
    counted = {"tests": "testcase", "failures": "failure", "errors": "error", "skipped": "skipped"}
    for attribute, tag in counted.items():
        element.set(attribute, str(len(element.findall(f".//{tag}"))))
