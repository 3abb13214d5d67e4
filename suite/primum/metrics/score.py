"""Scores rankings: several measures and cutoffs in one pass over each."""

from collections.abc import Iterable, Mapping, Sequence

from primum.errors import RankingError
from primum.metrics.alignment import align
from primum.metrics.judgments import Judgments
from primum.metrics.measure import Measure
from primum.metrics.ties import check_scores


def score_ranking(
    measures: Iterable[Measure],
    ranked: Sequence[str],
    judgments: Judgments,
    *,
    scores: Sequence[float | None] | None = None,
) -> dict[Measure, float | None]:
    """The measures of one ranking, in the order asked for.

    Args:
        measures: Any number of measures, at any cutoffs.
        ranked: Chunk ids in the order that the retriever returned them, best first; never sorted again.
        judgments: The labels of the case.
        scores: The retriever's scores, if any; they are checked and change nothing.

    Returns:
        A value from 0 to 1 for each measure, or None where it is undefined for this case. An empty ranking is a
        miss, 0.

    Raises:
        RankingError: When the input cannot be scored, which is not a miss: ``bad_ranking``, ``bad_id``,
            ``duplicate_id``, ``unjudged_result``, ``bad_score`` or ``no_relevant``.
    """
    measures = tuple(measures)
    if not judgments.ideal:
        _require_none_needy(measures)
    if scores is not None:
        check_scores(ranked, scores)
    alignment = align(ranked, judgments)
    return {measure: measure.value(alignment) for measure in measures}


def score_rankings(
    measures: Iterable[Measure], judgments: Mapping[str, Judgments], rankings: Mapping[str, Sequence[str]]
) -> dict[Measure, list[float | None]]:
    """The measures of every case; one input error refuses the whole, because a mean over the rest would mislead.

    Args:
        measures: Any number of measures, at any cutoffs.
        judgments: The labels of each case, by case id.
        rankings: The ranking of each case, by the same ids; an empty one is a miss.

    Returns:
        For each measure, in the order asked for, its values, one for each case in the order of `judgments`.

    Raises:
        RankingError: ``empty_dataset``, ``missing_run`` (a case without a ranking), ``unexpected_run`` (a ranking
            without a case), or what `score_ranking` raises, with the case named.
    """
    if not judgments:
        raise RankingError("there is no case to score; a mean over nothing is not a result", code="empty_dataset")
    _require_same_cases(judgments, rankings)
    # By measure rather than by case: a few lists instead of a dictionary for each of a hundred thousand cases.
    values: dict[Measure, list[float | None]] = {measure: [] for measure in measures}
    columns = [(measure.value, column.append) for measure, column in values.items()]
    for case_id, labels in judgments.items():
        try:
            if not labels.ideal:
                _require_none_needy(values)
            alignment = align(rankings[case_id], labels)
        except RankingError as error:
            raise RankingError(f"case {case_id!r}: {error}", code=error.code) from error
        for value, append in columns:
            append(value(alignment))
    return values


def _require_none_needy(measures: Iterable[Measure]) -> None:
    """Refuses measures that need a relevant label, for a case that has none."""
    needy = [str(measure) for measure in measures if measure.needs_relevant]
    if needy:
        raise RankingError(
            f"no chunk is judged relevant, so {', '.join(needy)} would divide by nothing; label the evidence of this "
            "case, or mark it as unanswerable and leave its ranking out of these measures",
            code="no_relevant",
        )


def _require_same_cases(judgments: Mapping[str, Judgments], rankings: Mapping[str, Sequence[str]]) -> None:
    if judgments.keys() == rankings.keys():
        return
    if missing := judgments.keys() - rankings.keys():
        raise RankingError(
            f"no ranking for {_some(missing)}; a retriever that finds nothing gives an empty ranking, not none at all",
            code="missing_run",
        )
    raise RankingError(
        f"no judgments for {_some(rankings.keys() - judgments.keys())}; score the run against the dataset that it was "
        "made from",
        code="unexpected_run",
    )


def _some(ids: Iterable[str], shown: int = 5) -> str:
    first, *rest = sorted(ids)
    listed = [first, *rest][:shown]
    more = len(rest) + 1 - len(listed)
    return ", ".join(map(repr, listed)) + (f" and {more} more" if more else "")
