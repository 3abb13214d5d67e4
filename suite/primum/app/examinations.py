"""Examinations of judges as files, and what they say about the verdicts of a run."""

import re
from collections import defaultdict
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from primum.app.workspace import Workspace
from primum.digest import canonical_json, sha256_text
from primum.errors import ConfigError, at
from primum.private_files import make_folder
from primum.records import Verdict
from primum.records.qualification import Qualification
from primum.report.write import write_whole

if TYPE_CHECKING:
    from primum_judges.examination import Examination


def examination_path(folder: Path, judge: str, rubric: str) -> Path:
    """The file of a judge's last examination by a rubric; judges' names may hold what file names may not."""
    plain = re.sub(r"[^a-z0-9.]+", "-", judge.lower()).strip("-")[:60]
    return folder / f"{rubric}.{plain}.{sha256_text(judge)[:8]}.json"


def read_examination(path: Path) -> "Examination | None":
    """The examination in a file; None when there is no such file.

    Raises:
        ConfigError: The file is not what ``primum judge-check`` wrote.
    """
    from primum_judges.examination import Examination

    try:
        return Examination.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError(f"{at(path)}: cannot be read: {error.strerror}") from None
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "the file"
        raise ConfigError(f"{at(path)}: {place}: {first['msg']}; examine the judge again: primum judge-check") from None


def write_examination(folder: Path, examination: "Examination") -> Path:
    """Keeps an examination, in the place of the judge's last one by that rubric."""
    path = examination_path(folder, examination.judge, examination.rubric)
    make_folder(folder)
    write_whole(path, canonical_json(examination.content()) + "\n")
    return path


def qualifications(
    work: Workspace, verdicts: Iterable[Verdict], started_at: str
) -> dict[tuple[str, str], Qualification]:
    """Whether the verdicts of a run count, by judge and rubric.

    An examination must hold on the day on which the run was started: so a run's decision does not change with the day
    on which it is looked at.
    """
    from primum_judges.examination import qualification

    bar = work.project.settings.policy.judge_bar
    day = date.fromisoformat(started_at[:10])
    by_judge: dict[tuple[str, str], list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        by_judge[verdict.judge, verdict.rubric].append(verdict)
    return {
        (judge, rubric): qualification(
            read_examination(examination_path(work.examinations, judge, rubric)), members, bar, on=day
        )
        for (judge, rubric), members in by_judge.items()
    }
