"""Examines the judges of a project on the qualification set."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from primum.app import parts
from primum.app.examinations import examination_path, read_examination, write_examination
from primum.app.rubrics import known_rubrics
from primum.app.workspace import Workspace
from primum.config.settings import JudgeSettings
from primum.datasets.qualification import JudgeTwin, TwinProbe, load_twins
from primum.policy import JudgeBar
from primum.progress import Progress
from primum.protocols import Judge
from primum.records import Status
from primum.records.qualification import ProbeGroup
from primum.resources import shipped

if TYPE_CHECKING:
    from primum_judges import Rubric
    from primum_judges.examination import Drift, Examination, Specimen

REPETITIONS: Final = 2
"""Times that each answer is judged, unless said otherwise: enough to see flips."""

_GROUPS: Final = {
    TwinProbe.PLAIN: ProbeGroup.KNOWN,
    TwinProbe.PLANTED_VERDICT: ProbeGroup.INJECTION,
    TwinProbe.VERBOSITY: ProbeGroup.VERBOSITY,
}


@dataclass(frozen=True, kw_only=True)
class Check:
    """What is examined, on what, and against which bar."""

    judges: JudgeSettings
    root: Path
    """The folder that paths in the settings are relative to."""
    specimens: Path
    """A folder with ``twins.jsonl``."""
    examinations: Path
    """Where examinations are kept."""
    bar: JudgeBar
    repetitions: int
    items: int | None
    """Only so many items of the set, for a first look; None: all."""
    concurrency: int


@dataclass(frozen=True, kw_only=True)
class Checked:
    """One judge's examination, what moved since the last one, and where it was written."""

    examination: "Examination"
    drift: "Drift | None"
    path: Path


def check_of(work: Workspace) -> Check:
    """The check of an open project's judges, on the shipped set."""
    settings = work.project.settings
    return Check(
        judges=settings.judges,
        root=work.project.root,
        specimens=shipped("datasets") / "qualification",
        examinations=work.examinations,
        bar=settings.policy.judge_bar,
        repetitions=REPETITIONS,
        items=None,
        concurrency=settings.concurrency,
    )


def today() -> date:
    """The day in UTC, which is also that of a run."""
    return datetime.now(UTC).date()


def judge_check(check: Check, progress: Progress, *, on: date | None = None) -> tuple[Checked, ...]:
    """Examines every judge by every rubric of the settings and keeps what was found.

    Args:
        check: What to examine.
        progress: Shows how far it is.
        on: The day that the examinations bear; today when left out.

    Raises:
        DatasetError: The qualification set is wrong.
        ConfigError: A judge cannot be made, or the last examination cannot be read.
    """
    twins = load_twins(check.specimens)
    rubrics = known_rubrics(check.judges, check.root)
    judges = parts.judges_of(check.judges, check.root)
    return tuple(
        _check_one(check, judge, rubrics[judge.rubric], _of(twins, judge.rubric, check.items), progress, on or today())
        for judge in judges
    )


def exit_code(found: Sequence[Checked]) -> int:
    """0 when all judges are qualified, 1 when one is not, 3 when too few verdicts of one were reached to tell."""
    refused = [checked.examination for checked in found if not checked.examination.qualified]
    if any(examination.conclusive for examination in refused):
        return 1
    return 3 if refused else 0


def specimens_of(twins: Iterable[JudgeTwin]) -> "tuple[Specimen, ...]":
    """Two specimens of each twin: the answer that the rubric passes and the one that it fails."""
    from primum_judges.examination import Specimen

    return tuple(
        Specimen(
            id=f"{twin.id}/{'good' if passing else 'bad'}",
            group=ProbeGroup.KNOWN if passing else _GROUPS[twin.probe],
            exchange=twin.exchange(passing=passing),
            key=twin.key(),
            expected=Status.PASS if passing else Status.FAIL,
        )
        for twin in twins
        for passing in (True, False)
    )


def _of(twins: Iterable[JudgeTwin], rubric: str, items: int | None) -> list[JudgeTwin]:
    return [twin for twin in twins if twin.rubric == rubric][:items]


def _check_one(
    check: Check, judge: Judge, rubric: "Rubric", twins: Sequence[JudgeTwin], progress: Progress, on: date
) -> Checked:
    from primum_judges.examination import drift, examine, groups_for, probes_of

    own = specimens_of(twins)
    known = [specimen for specimen in own if specimen.group is ProbeGroup.KNOWN]
    specimens = (*own, *probes_of(known, rubric))
    before = read_examination(examination_path(check.examinations, judge.id, judge.rubric))
    with progress.track(f"examine {judge.id} on {judge.rubric}", len(specimens)) as advance:
        found = asyncio.run(
            examine(
                judge,
                specimens,
                on=on,
                bar=check.bar,
                groups=groups_for(rubric),
                repetitions=check.repetitions,
                concurrency=check.concurrency,
                judged_one=lambda: advance(1),
            )
        )
    path = write_examination(check.examinations, found)
    return Checked(examination=found, drift=drift(before, found) if before else None, path=path)
