"""The shipped demo: two systems on one small hospital's documents, one that passes and one that must not."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from primum.app.judge_check import check_of, judge_check
from primum.app.outcome import Written
from primum.app.run import run_all
from primum.app.workspace import open_workspace
from primum.progress import Progress
from primum.records import Decision, DecisionKind
from primum.resources import shipped

EXPECTED: Mapping[str, tuple[DecisionKind, frozenset[str]]] = {
    "baseline": (DecisionKind.PASS, frozenset()),
    "candidate": (DecisionKind.BLOCK, frozenset({"gate:dose", "gate:isolation", "gate:refusal"})),
}
"""What the demo is there to show: the decision on each system and the rules that speak."""


def demo_config() -> Path:
    """The project file of the demo."""
    return shipped("datasets") / "demo" / "primum.yaml"


def run_demo(output: Path, progress: Progress) -> Written:
    """Examines the demo's judge, runs the project and writes to `output`."""
    with open_workspace(demo_config(), progress=progress, output=output) as work:
        judge_check(check_of(work), progress)
        return run_all(work)


def surprises(decisions: Sequence[Decision]) -> list[str]:
    """How the decisions differ from what the demo is there to show; empty when it works."""
    found: list[str] = []
    for decision in decisions:
        kind, rules = EXPECTED[decision.system]
        spoke = frozenset(reason.rule for reason in decision.reasons)
        if (decision.kind, spoke) != (kind, rules):
            wanted = f"{kind} for {', '.join(sorted(rules)) or 'no reason'}"
            found.append(f"{decision.system}: expected {wanted}, got {decision.kind} for {', '.join(sorted(spoke))}")
    return found
