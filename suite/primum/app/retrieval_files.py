"""The retrieval evaluation of plain files: a run and its judgments, with no project. And files that others read."""

from collections.abc import Mapping
from pathlib import Path

from primum.app.project import Project
from primum.digest import digest
from primum.errors import DatasetError, RankingError
from primum.evaluation import Evaluated, RankedCase, summarise
from primum.metrics import (
    Forbidden,
    Judgments,
    Measure,
    Unjudged,
    default_measures,
    read_golden,
    read_qrels,
    read_run,
    score_ranking,
    write_qrels,
    write_run,
)
from primum.records import Consequence, Ranking
from primum.records.retrieval_baseline import RetrievalBasis
from primum.records.retrieval_summary import RetrievalSummary
from primum.retrieval.recorded import read_rankings

KIND = "query"
"""The kind of every question of a plain file, which tells none apart."""


def summarise_trec(run: Path, qrels: Path, cutoffs: tuple[int, ...]) -> tuple[RetrievalSummary, Evaluated]:
    """A TREC run against TREC qrels; a query is a family of its own, and what nobody judged is not relevant.

    A query that is judged and not in the run is a miss with an empty ranking: the format cannot say it otherwise.

    Raises:
        DatasetError: a file cannot be read, or the run has a query that nobody judged.
    """
    grades = read_qrels(qrels)
    highest = max((grade for judged in grades.values() for grade in judged.values()), default=0)
    rankings = read_run(run)
    judgments = {
        query: Judgments(
            # A grade below 0, as some collections have it, is one of not relevant.
            grades={chunk_id: max(grade, 0) for chunk_id, grade in judged.items()},
            unjudged=Unjudged.IRRELEVANT,
            highest_grade=max(highest, 1),
        )
        for query, judged in grades.items()
    }
    questions = dict.fromkeys(judgments, "")
    return _summarise(run.name, questions, judgments, {**dict.fromkeys(judgments, Ranking()), **rankings}, cutoffs)


def summarise_golden(golden: Path, rankings: Path, cutoffs: tuple[int, ...]) -> tuple[RetrievalSummary, Evaluated]:
    """Recorded rankings against a golden set; a query without a ranking is refused, an empty ranking is a miss.

    Raises:
        DatasetError: a file cannot be read, or the two do not have the same queries.
    """
    queries = {query.id: query for query in read_golden(golden)}
    judgments = {id_: query.judgments() for id_, query in queries.items()}
    recorded = read_rankings(rankings)
    if missing := sorted(judgments.keys() - recorded.keys()):
        raise DatasetError(
            f"{rankings}: no ranking for {len(missing)} queries, such as {missing[0]}; "
            "a retriever that finds nothing gives an empty ranking"
        )
    questions = {id_: query.query for id_, query in queries.items()}
    return _summarise(rankings.name, questions, judgments, recorded, cutoffs)


def write_trec(project: Project, rankings: Mapping[str, Ranking], *, run: Path | None, qrels: Path | None) -> None:
    """Writes what was retrieved and the judgments of the project as TREC files.

    Raises:
        DatasetError: an id holds a blank, which the format cannot say.
    """
    if run is not None:
        write_run(run, rankings, tag=project.settings.name)
    if qrels is not None:
        write_qrels(qrels, {id_: judged.grades for id_, judged in sorted(project.judgments.items())})


def _summarise(
    name: str,
    questions: Mapping[str, str],
    judgments: Mapping[str, Judgments],
    rankings: Mapping[str, Ranking],
    cutoffs: tuple[int, ...],
) -> tuple[RetrievalSummary, Evaluated]:
    if unknown := sorted(rankings.keys() - judgments.keys()):
        raise DatasetError(f"{name}: {len(unknown)} queries have no judgments, such as {unknown[0]}; judge them first")
    measures = tuple(measure for measure in default_measures(cutoffs) if not isinstance(measure, Forbidden))
    labels = {id_: sorted(judged.grades.items()) for id_, judged in sorted(judgments.items())}
    ranked = [
        RankedCase(
            case_id=id_,
            family=id_,
            variant="1",
            kind=KIND,
            consequence=Consequence.ROUTINE,
            question=questions[id_],
            case_digest=digest([questions[id_], labels[id_]]),
            judgments=judged if judged.ideal else None,
            ranking=rankings[id_],
            values=_scored(id_, measures, rankings[id_], judged),
        )
        for id_, judged in judgments.items()
    ]
    content = digest({id_: ranking.content() for id_, ranking in rankings.items()})
    what = Evaluated(
        title=name,
        retriever=f"file@{content}",
        described="rankings from a file",
        limit=max((len(ranking.hits) for ranking in rankings.values()), default=0),
        miss_at=max(cutoffs),
        measures=measures,
        cutoffs=cutoffs,
        basis=RetrievalBasis(dataset=digest(labels), corpus=digest([]), settings=digest(list(map(str, measures)))),
        look_up=lambda _: None,
        scoped=False,
    )
    return summarise(what, ranked), what


def _scored(
    id_: str, measures: tuple[Measure, ...], ranking: Ranking, judged: Judgments
) -> dict[Measure, float | None]:
    if not judged.ideal:
        return {}
    try:
        return score_ranking(measures, ranking.ids, judged)
    except RankingError as error:
        raise RankingError(f"query {id_}: {error}", code=error.code) from None
