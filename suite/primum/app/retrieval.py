"""The retrieval evaluation of a project: every case is retrieved once, scored at every k, and decided."""

import asyncio
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from primum.app import parts
from primum.app.checks import check_keys
from primum.app.project import Project
from primum.app.retrieval_baseline import read_baseline
from primum.app.retrievers import INDEXED, OpenRetriever, approximate_search, describe, exact_twin, open_retriever
from primum.corpus import QdrantSettings
from primum.digest import digest
from primum.errors import ConfigError
from primum.evaluation import Evaluated, RankedCase, compare_with_baseline, summarise
from primum.evaluation.summary import with_findings
from primum.execution import LocalEngine
from primum.metrics import Judgments
from primum.pipeline import Retrieved, retrieve
from primum.progress import Progress
from primum.records import Case, Failure, Ranking
from primum.records.retrieval_baseline import RetrievalBaseline, RetrievalBasis
from primum.records.retrieval_diagnostics import PrefixCheck
from primum.records.retrieval_summary import RetrievalSummary, Verification
from primum.report.retrieval_private import withhold_names

DIAGNOSED = 50
"""Cases that are searched again at every k, to see whether shorter rankings are prefixes of longer ones."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """How an evaluation is run; nothing of it changes a ranking."""

    parallel: int | None = None
    """Searches at once, instead of the project's `concurrency`."""
    throwaway: str | None = None
    """Commit whose own collection is built for this evaluation and deleted after it."""
    baseline: Path | None = None
    """Instead of the one that the project names."""
    compare: bool = True
    """Whether to compare with the baseline."""
    diagnose: bool = True
    """Whether to search again for diagnostics."""


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """A summary and the rankings that it rests on."""

    summary: RetrievalSummary
    rankings: Mapping[str, Ranking]
    """By case id; cases whose retrieval failed have none."""


def evaluate(project: Project, output: Path, progress: Progress, options: Options) -> Evaluation:
    """Retrieves for every case of the project and evaluates the rankings.

    Raises:
        IndexMismatchError: the index does not hold what it should, or was built with another embedder.
        UsageError: a ranking cannot be scored, or the baseline cannot be read.
    """
    check_keys(project.path, project.settings, only="index")
    # Read before anything is searched, so that a broken file is told at once.
    accepted = accepted_retrieval(project, options.baseline) if options.compare else None
    with (
        _place(project, output, progress, options) as place,
        open_retriever(project, output, progress, place) as opened,
    ):
        retrieved = asyncio.run(_retrieve_all(project, opened, progress, options))
        what = evaluated(project, opened.retriever.fingerprint, _verified(project, opened))
        ranked = [ranked_case(project, one.case, _ranking(one), one.failure) for one in retrieved]
        summary = summarise(what, ranked)
        if options.diagnose:
            with progress.track("diagnose", 1) as advance:
                summary = asyncio.run(_diagnosed(project, opened, summary, what))
                advance(1)
    if accepted is not None:
        summary = _compared(project, accepted, summary, what)
    rankings = {one.case.id: one.retrieval.ranking for one in retrieved if one.retrieval is not None}
    rosters = {case.id: project.dataset.roster(case.scope) for case in project.cases}
    summary = withhold_names(summary, rosters)
    return Evaluation(summary=summary, rankings=rankings)


def evaluated(project: Project, fingerprint: str, verification: Verification | None = None) -> Evaluated:
    """What of a project is evaluated."""
    settings = project.settings.retrieval
    shape = settings.model_dump(mode="json", exclude={"baseline", "tolerance", "tolerances"})
    search = {name: shape[name] for name in ("search", "fusion", "min_score", "rerank") if shape.get(name) is not None}
    return Evaluated(
        title=project.settings.title or project.settings.name,
        retriever=fingerprint,
        described=describe(project),
        search={"kind": settings.kind, **search},
        limit=settings.limit,
        miss_at=settings.context,
        measures=project.every_measure,
        cutoffs=settings.shown_cutoffs,
        basis=RetrievalBasis(
            dataset=project.dataset.digest,
            corpus=project.corpus_digest,
            settings=digest(
                {"retrieval": shape, "retriever": fingerprint, "unjudged": project.settings.dataset.unjudged}
            ),
        ),
        look_up=project.look_up,
        verification=verification,
        seed=project.settings.seed,
        retrieved_minimum=project.settings.policy.answered_minimum,
        minimums=project.settings.policy.retrieval_minimum,
    )


def ranked_case(
    project: Project,
    case: Case,
    ranking: Ranking | None,
    failure: Failure | None = None,
    context: Iterable[str] | None = None,
) -> RankedCase:
    """One case with its measures; without `context`, the best passages are what would reach the generator."""
    judgments = project.judgments.get(case.id)
    ids = ranking.ids if ranking else ()
    return RankedCase(
        case_id=case.id,
        family=case.family,
        variant=case.variant,
        kind=case.kind,
        consequence=case.consequence,
        question=case.question,
        case_digest=_labelled(case, judgments),
        judgments=judgments,
        ranking=ranking,
        failure=failure,
        values=project.rank_measures(case, ids, project.every_measure) if ranking is not None else {},
        forbidden=project.eligibility.found(ids, case.scope),
        context=frozenset(ids[: project.settings.retrieval.context] if context is None else context),
    )


def _labelled(case: Case, judgments: Judgments | None) -> str:
    """Digest of what a case asks, for whom, and what answers it."""
    grades = dict(judgments.grades) if judgments else dict[str, int]()
    required = sorted(judgments.required) if judgments else []
    return digest([case.question, case.scope.content(), grades, required])


@contextmanager
def _place(project: Project, output: Path, progress: Progress, options: Options) -> Generator[QdrantSettings | None]:
    """Where the collection is.

    A folder that holds none yet is filled. A collection of a commit's own is built, and deleted also when the
    evaluation fails. Whatever else is there is left as it is, and refused when it is not what it should be.
    """
    from primum.corpus.build import build_index, drop_index, throwaway

    place = parts.index_place(project, output)
    if place.memory or not isinstance(project.settings.retrieval, INDEXED):
        yield None
        return
    own = None if options.throwaway is None else throwaway(place, options.throwaway)
    missing = place.path is not None and not place.path.exists()
    try:
        if own is not None or missing:
            with progress.track("index", len(project.chunks)) as advance:
                build_index(own or place, project.chunks, parts.embedder(project))
                advance(len(project.chunks))
        yield own
    finally:
        if own is not None:
            drop_index(own)


async def _retrieve_all(
    project: Project, opened: OpenRetriever, progress: Progress, options: Options
) -> list[Retrieved]:
    limit = project.settings.retrieval.limit
    engine = LocalEngine(options.parallel or project.settings.concurrency)
    found: list[Retrieved] = []
    with progress.track("retrieve", len(project.cases)) as advance:
        async for retrieved in engine.run(project.cases, lambda case: retrieve(opened.retriever, case, limit)):
            found.append(retrieved)
            advance(1)
    return found


async def _diagnosed(
    project: Project, opened: OpenRetriever, summary: RetrievalSummary, what: Evaluated
) -> RetrievalSummary:
    """Looks at what the filter keeps away, at the index, and at shorter rankings."""
    from primum.retrieval.diagnostics import exposure, index_recall, prefix_breaks

    cases, limit = project.cases, what.limit
    exposed = recall = None
    if opened.index is not None and opened.embedder is not None:
        exposed = await exposure(opened.index, opened.embedder, cases, limit)
    if opened.index is not None and approximate_search(project.settings.retrieval):
        recall = await index_recall(opened.retriever, exact_twin(project, opened), cases, limit)
    sample = [case for case in cases if not _failed(summary, case)][:: max(1, len(cases) // DIAGNOSED)]
    limits = tuple(sorted({*what.cutoffs, limit}))
    breaks = await prefix_breaks(opened.retriever, sample, limits)
    return with_findings(
        summary,
        what,
        exposure=exposed,
        index_recall=recall,
        prefixes=PrefixCheck(limits=limits, cases=len(sample), breaks=breaks),
    )


def _failed(summary: RetrievalSummary, case: Case) -> bool:
    return any(one.case_id == case.id and one.failure is not None for one in summary.cases)


def _verified(project: Project, opened: OpenRetriever) -> Verification | None:
    if opened.index is None:
        return None
    return Verification(
        place=opened.index.place,
        points=opened.index.manifest.points,
        eligible=project.eligibility.eligible(case.scope for case in project.cases),
        embedder=opened.index.manifest.embedder,
        probed=opened.index.probed,
    )


def _ranking(retrieved: Retrieved) -> Ranking | None:
    return retrieved.retrieval.ranking if retrieved.retrieval is not None else None


def accepted_retrieval(project: Project, path: Path | None = None) -> RetrievalBaseline | None:
    """What is compared with: the file `path`, or the one that the project names; None when it names none.

    Raises:
        ConfigError: the file cannot be read.
    """
    named = project.settings.retrieval.baseline
    if path is None and named is not None:
        path = project.root / named
    return None if path is None else read_baseline(path)


def against_baseline(project: Project, summary: RetrievalSummary, what: Evaluated) -> RetrievalSummary:
    """The summary compared with the accepted retrieval, when the project names one, and decided again."""
    accepted = accepted_retrieval(project)
    return summary if accepted is None else _compared(project, accepted, summary, what)


def _compared(
    project: Project, accepted: RetrievalBaseline, summary: RetrievalSummary, what: Evaluated
) -> RetrievalSummary:
    rules = project.settings.retrieval
    found = compare_with_baseline(accepted, summary, tolerance=rules.tolerance, tolerances=rules.tolerances)
    return with_findings(summary, what, comparison=found)


def named_baseline(project: Project) -> Path:
    """The file of the accepted retrieval.

    Raises:
        ConfigError: the project names none.
    """
    named = project.settings.retrieval.baseline
    if named is None:
        example = "retrieval: {baseline: retrieval-baseline.json}"
        raise ConfigError(f"{project.path}: retrieval.baseline names no file; add for example: {example}")
    return project.root / named
