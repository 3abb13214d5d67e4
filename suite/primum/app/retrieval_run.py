"""The retrieval evaluation as the first stage of a run: the same summary, from what the run stored."""

from collections.abc import Iterator, Sequence

from primum.aggregate import Result
from primum.app.project import Project
from primum.app.retrieval import against_baseline, evaluated, ranked_case
from primum.app.workspace import Workspace
from primum.evaluation import summarise
from primum.evaluation.rules import INCOMPARABLE, REGRESSION
from primum.records import DecisionKind, Reason, Scope
from primum.records.manifest import RunManifest
from primum.records.retrieval_summary import ForbiddenKind, RetrievalSummary
from primum.report.numbers import counted
from primum.report.retrieval_private import withhold_names

_NOT_PUBLISHED = frozenset({ForbiddenKind.SUPERSEDED, ForbiddenKind.UNPUBLISHED})
"""The isolation gate speaks of other patients and tenants."""


def retrieval_of_run(
    work: Workspace, manifest: RunManifest, system: str, results: Sequence[Result]
) -> RetrievalSummary:
    """What one system was shown, from the first repetition of each case, compared with the accepted retrieval.

    Args:
        work: The project.
        manifest: Of the run.
        system: Whose rankings; a recorded system may bring its own.
        results: All that is stored of the system.
    """
    project = work.project
    plan = next(plan for plan in manifest.systems if plan.id == system)
    what = evaluated(project, plan.retriever)
    ranked = [
        ranked_case(
            project,
            result.case,
            result.observation.ranking,
            result.observation.failure if result.observation.ranking is None else None,
            [passage.id for passage in result.observation.exchange.context],
        )
        for result in results
        if result.observation.repetition == 0
    ]
    summary = against_baseline(project, summarise(what, ranked), what)
    return withhold_names(summary, {result.case.id: result.observation.exchange.roster for result in results})


def retrieval_reasons(
    project: Project, results: Sequence[Result], summary: RetrievalSummary | None
) -> Iterator[Reason]:
    """What retrieval says against a release, beyond the gates and the minimums of the policy.

    Args:
        project: Whose sources tell what is forbidden.
        results: All that is stored of a system, every repetition.
        summary: Of the system, when it may be released.
    """
    shown = [
        result.observation.id
        for result in results
        if result.observation.ranking is not None
        and _not_published(project, result.observation.ranking.ids, result.case.scope)
    ]
    if shown:
        message = f"unpublished or superseded chunks in {counted(len(shown), 'ranking')}, first {shown[0]}"
        kind, rule = DecisionKind.BLOCK, "retrieval:forbidden"
        yield Reason(kind=kind, rule=rule, message=message, observations=tuple(shown))
    if summary is not None:
        yield from (reason for reason in summary.decision.reasons if reason.rule in (REGRESSION, INCOMPARABLE))


def _not_published(project: Project, ranked: Sequence[str], scope: Scope) -> bool:
    return any(_NOT_PUBLISHED & set(kinds) for kinds in project.eligibility.found(ranked, scope).values())
