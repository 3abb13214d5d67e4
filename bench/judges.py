"""How far a judge agrees with people on whether answers are supported by their passages.

    python bench/judges.py DATASET --judge lexical|local|PROJECT.yaml [--sample N] [--seed N] [--folder FOLDER]

DATASET is one of wice_claims, expertqa_claims, kqa and mtrag_human_eval in FOLDER, ``../shared/data`` if left out. The
judge is the lexical one, the small model of ``make local-llm``, or that of a project by the rubric faithfulness.
A majority of raters is the label; a tie is left out. Intervals are percentiles over resamples of whole families:
articles, questions or conversations.
"""

import argparse
import asyncio
import random
import sys
import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from human_labels import RUBRIC, SETS, Labelled, usable
from primum.app.parts import judges_of
from primum.config import load_settings
from primum.config.settings import JudgeSettings
from primum.errors import PrimumError, UsageError
from primum.policy import JudgeBar
from primum.protocols import Judge
from primum.records import AnswerKey, Exchange, KeyField, Status, Verdict
from primum.records.qualification import ProbeGroup
from primum_judges.calibration import Calibration, calibrate
from primum_judges.examination import Examination, Specimen, examine
from real_text import read_rows

LEXICAL: Final = JudgeSettings(rubrics=(RUBRIC,))
LOCAL: Final = JudgeSettings.model_validate(
    {
        "rubrics": [RUBRIC],
        "mode": "json_schema",
        "model": {
            "name": "local/smollm2",
            "timeout_seconds": 300,
            "attempts": 2,
            "parameters": {"temperature": 0, "seed": 0, "max_tokens": 300},
        },
    }
)
LOCAL_SAMPLE: Final = 40
"""Answers that the local model judges unless told otherwise: an hour on busy cores, at up to 100 s an answer."""
RESAMPLES: Final = 1000
Point = tuple[bool, bool, float]
"""Whether people fail an answer, whether the judge does, and the judge's score."""


def main(argv: Sequence[str] | None = None) -> int:
    """Prints one judge's agreement on one data set; 2 when something is missing or wrong."""
    parser = argparse.ArgumentParser(description="A judge against people.")
    parser.add_argument("dataset", choices=SETS)
    parser.add_argument("--judge", required=True, help="lexical, local, or the project file of a judge of your own")
    parser.add_argument("--sample", type=int, help=f"judge so many answers, drawn at random; local: {LOCAL_SAMPLE}")
    parser.add_argument("--seed", type=int, default=0, help="of the sample and of the resamples")
    parser.add_argument("--folder", type=Path, default=Path(__file__).parents[2] / "shared" / "data")
    options = parser.parse_args(argv)
    try:
        judge = _judge(options.judge)
        file, reader = SETS[options.dataset]
        rows = read_rows(options.folder / options.dataset / file)
        found = _sample(
            usable(reader(rows)), options.sample or (LOCAL_SAMPLE if options.judge == "local" else None), options.seed
        )
        started = time.perf_counter()
        # A model in this process answers one request at a time; its deadline must not run while it waits.
        verdicts = asyncio.run(_judged(judge, found, slots=1 if options.judge == "local" else 8))
        seconds = time.perf_counter() - started
        _print(options.dataset, found, verdicts, seconds, options.seed)
    except PrimumError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _judge(name: str) -> Judge:
    if name in ("lexical", "local"):
        settings, root = (LEXICAL if name == "lexical" else LOCAL), Path()
    else:
        settings, root = load_settings(Path(name)).judges, Path(name).parent
    for judge in judges_of(settings, root):
        if judge.rubric == RUBRIC:
            return judge
    raise UsageError(f"{name}: judges.rubrics does not name {RUBRIC}, which people judged here; add it")


def _sample(found: list[Labelled], size: int | None, seed: int) -> list[Labelled]:
    if size is None or size >= len(found):
        return found
    if size < 1:
        raise UsageError(f"--sample is {size}; judge at least one answer")
    return random.Random(seed).sample(found, size)  # noqa: S311 - a sample, not a secret


async def _judged(judge: Judge, found: Sequence[Labelled], *, slots: int) -> list[Verdict]:
    free = asyncio.Semaphore(slots)

    async def one(labelled: Labelled) -> Verdict:
        async with free:
            return await judge.judge(labelled.exchange, AnswerKey(), repetition=0)

    return list(await asyncio.gather(*(one(labelled) for labelled in found)))


def _print(dataset: str, found: Sequence[Labelled], verdicts: Sequence[Verdict], seconds: float, seed: int) -> None:
    families = {labelled.exchange.id: labelled.family for labelled in found}
    labels = [label for labelled in found for label in labelled.labels()]
    (result,) = calibrate(verdicts, labels, families, seed=seed)
    points = _points(found, verdicts)
    statuses = {status: sum(verdict.status is status for verdict in verdicts) for status in Status}
    print(f"{dataset}: {len(found)} answers in {len(set(families.values()))} families, by {result.judge}")
    print(f"  no verdict: {statuses[Status.INCONCLUSIVE]} inconclusive, {statuses[Status.ERROR]} errors, ", end="")
    print(f"{statuses[Status.NOT_APPLICABLE]} not applicable; {result.left_out} left out in all")
    table = result.confusion
    print(f"  people fail: judge fails {table.true_positive}, passes {table.false_negative}")
    print(f"  people pass: judge fails {table.false_positive}, passes {table.true_negative}")
    for name, measure in MEASURES.items():
        print(f"  {name:18}{_estimate(points, measure, seed)}")
    _print_agreement(result)
    examined = asyncio.run(_examined(found, verdicts))
    print(f"  {'qualified' if examined.qualified else 'unqualified'}", *examined.reasons, sep="\n    ")
    calls = [verdict.call for verdict in verdicts if verdict.call]
    print(f"  {sum(len(call.attempts) for call in calls)} requests in {len(calls)} calls, {seconds:.0f} s")


@dataclass(frozen=True)
class _Given:
    """A judge that says again what it said, so that an examination of it costs no further call."""

    id: str
    rubric: str
    verdicts: Mapping[str, Verdict]
    needs: frozenset[KeyField] = frozenset()

    async def judge(self, exchange: Exchange, key: AnswerKey, *, repetition: int) -> Verdict:
        del key, repetition
        return self.verdicts[exchange.id]


async def _examined(found: Sequence[Labelled], verdicts: Sequence[Verdict]) -> Examination:
    """The examination by these answers alone, held to the usual bar; flips and probes are not looked at."""
    known = [
        Specimen(id=one.exchange.id, group=ProbeGroup.KNOWN, exchange=one.exchange, expected=expected)
        for one in found
        if (expected := one.majority()) is not None
    ]
    judge = _Given(verdicts[0].judge, RUBRIC, {verdict.observation_id: verdict for verdict in verdicts})
    bar = JudgeBar(groups={}, flips=1.0)
    today = datetime.now(UTC).date()
    return await examine(judge, known, on=today, bar=bar, groups=(), repetitions=2)


def _print_agreement(result: Calibration) -> None:
    if result.agreement is None:
        return
    for name, value, interval in (
        ("kappa", result.agreement.kappa.value, result.kappa_interval),
        ("AC1", result.agreement.ac1.value, result.ac1_interval),
    ):
        print(f"  {name:18}{_number(value)}" + (f" [{interval.low:.2f}, {interval.high:.2f}]" if interval else ""))
    print(f"  {'people, alpha':18}{_number(result.people.value)}")


def _points(found: Sequence[Labelled], verdicts: Sequence[Verdict]) -> Mapping[str, list[Point]]:
    """By family; what people are even on, or the judge has no verdict for, is left out."""
    points: dict[str, list[Point]] = {}
    for labelled, verdict in zip(found, verdicts, strict=True):
        majority = labelled.majority()
        if verdict.score is None or majority is None:
            continue
        point = (majority is Status.FAIL, verdict.status is Status.FAIL, verdict.score)
        points.setdefault(labelled.family, []).append(point)
    return points


def accuracy(points: Sequence[Point]) -> float | None:
    """Share of answers of which people and judge say the same."""
    return sum(human == judge for human, judge, _ in points) / len(points) if points else None


def balanced_accuracy(points: Sequence[Point]) -> float | None:
    """Mean of sensitivity and specificity: a half for a judge that knows nothing, whatever the classes' sizes."""
    shares = [accuracy([point for point in points if point[0] is failing]) for failing in (True, False)]
    return None if shares[0] is None or shares[1] is None else (shares[0] + shares[1]) / 2


def area(points: Sequence[Point]) -> float | None:
    """Area under the ROC curve: how often an answer that people pass scores above one that they fail, ties half."""
    passing = [score for failing, _, score in points if not failing]
    others = sorted(score for failing, _, score in points if failing)
    if not passing or not others:
        return None
    above = sum(bisect_left(others, score) + bisect_right(others, score) for score in passing) / 2
    return above / (len(passing) * len(others))


MEASURES: Final[Mapping[str, Callable[[Sequence[Point]], float | None]]] = {
    "accuracy": accuracy,
    "balanced accuracy": balanced_accuracy,
    "AUC of the score": area,
}


def _estimate(
    families: Mapping[str, Sequence[Point]], measure: Callable[[Sequence[Point]], float | None], seed: int
) -> str:
    """The measure and its interval; no interval where a resample leaves it undefined."""
    members = list(families.values())
    value = measure([point for family in members for point in family])
    if value is None or len(members) < 2:
        return _number(value)
    draw = random.Random(seed)  # noqa: S311 - resamples, not secrets
    values: list[float] = []
    for _ in range(RESAMPLES):
        again = measure([point for family in draw.choices(members, k=len(members)) for point in family])
        if again is None:
            return f"{_number(value)} (a resample leaves it undefined: no interval)"
        values.append(again)
    values.sort()
    return f"{_number(value)} [{values[round(0.025 * RESAMPLES)]:.2f}, {values[round(0.975 * RESAMPLES) - 1]:.2f}]"


def _number(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.2f}"


if __name__ == "__main__":
    sys.exit(main())
