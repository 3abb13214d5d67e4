"""All stages in one go."""

from primum.app import stages
from primum.app.outcome import Written, decide_run, report_run
from primum.app.workspace import Workspace


def run_all(work: Workspace, *, resume: bool = False) -> Written:
    """Index, observe, gate, judge, decide, report."""
    stages.make_parts(work)
    stages.ensure_index(work)
    run = stages.observe(work, resume=resume)
    stages.gate(work, run)
    stages.judge(work, run)
    decide_run(work, run)
    return report_run(work, run)
