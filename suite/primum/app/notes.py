"""What a reader of a report must know first."""

from collections.abc import Iterator, Sequence
from typing import Final

from primum.app.workspace import Workspace
from primum.config.settings import ChatSettings
from primum.endpoint.models import same_family
from primum.records.summary import SystemSummary

NO_MODEL: Final = (
    "No model judged: the lexical judge estimates from shared words and numbers. "
    "Set judges.model.name in the project file to use a model."
)


def notes(work: Workspace, systems: Sequence[SystemSummary]) -> tuple[str, ...]:
    """The notes, in the order of their weight."""
    return (*_judges(work), *_unqualified(systems), *_left_out(work))


def _judges(work: Workspace) -> Iterator[str]:
    settings = work.project.settings
    if settings.judges.model is None:
        yield NO_MODEL
    for name, system in settings.systems.items():
        generator = system.generator
        for judge in settings.judges.models:
            if isinstance(generator, ChatSettings) and same_family(judge.name, generator.model.name):
                yield (
                    f"The judge {judge.name} and the generator of {name}, {generator.model.name}, are of one model "
                    "family; models favour their own kind. Let another family judge."
                )


def _unqualified(systems: Sequence[SystemSummary]) -> Iterator[str]:
    found = {
        (judge.judge, judge.rubric): judge.qualification.reasons[0]
        for system in systems
        for judge in system.judges
        if not judge.qualification.qualified
    }
    if found:
        named = "; ".join(f"{judge} on {rubric}: {reason}" for (judge, rubric), reason in found.items())
        yield f"Verdicts of unqualified judges are shown and decide nothing. {named}."


def _left_out(work: Workspace) -> Iterator[str]:
    run, known = len(work.project.cases), len(work.project.all_cases)
    if run < known:
        roles = ", ".join(work.project.settings.dataset.roles)
        yield f"{known - run} of {known} cases were not run: only those of the role {roles}."
