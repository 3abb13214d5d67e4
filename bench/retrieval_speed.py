"""Compares the cost of the rank measures with that of pytrec_eval-terrier, in one process.

Usage: python bench/retrieval_speed.py

Both sides start from the same lists of ids and dictionaries of grades and compute P, Recall, Hit and nDCG at 10, RR and
AP for each query; what each needs to bring the lists into its own form is included. Every value is compared. Prints CPU
times, their ratio and the memory that ours took on top of its input. Exits with 1 when a limit is passed or a value
differs.
"""

import gc
import random
import resource
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

# It ships no types.
import pytrec_eval  # pyright: ignore[reportMissingTypeStubs] - it ships no types

from primum.metrics import Judgments, Measure, Unjudged, parse_measure, score_rankings

SEED = 20261130
MEMORY_LIMIT_MB = 150.0
SMALL_LIMIT_MS = 5.0
# Both are given some queries at a time: all at once, trec_eval would need gigabytes for its dictionaries of scores.
BATCH = 1_000


Query = tuple[str, list[str], dict[str, int]]
"""Id, ranking and grades; ids of chunks are shared texts, as in an index."""

Columns = list[list[float | None]]
"""For each measure, its value for each query."""

TREC_NAMES = {
    "P_10": "P.10",
    "recall_10": "recall.10",
    "success_10": "success.10",
    "recip_rank": "recip_rank",
    "ndcg_cut_10": "ndcg_cut.10",
    "map": "map",
}
"""What the other side calls its values, and how they are asked for."""


@dataclass(frozen=True)
class Cost:
    """CPU seconds that one side used."""

    convert: float = 0.0
    """To bring the lists into its own form."""
    score: float = 0.0

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(self.convert + other.convert, self.score + other.score)

    @property
    def total(self) -> float:
        """Both."""
        return self.convert + self.score


def make_load(queries: int, depth: int) -> list[Query]:
    """Random rankings with one to six judgments of a query, most of them somewhere in the list."""
    dice = random.Random(SEED)  # noqa: S311 - test data, not a secret
    pool = [f"chunk-{number:07d}" for number in range(max(4 * depth, 50_000))]
    load: list[Query] = []
    for number in range(queries):
        start, step = dice.randrange(len(pool)), dice.choice((1, 3, 7, 11, 13))
        ranked = [pool[(start + step * place) % len(pool)] for place in range(depth)]
        judged = dice.sample(ranked, dice.randint(1, 4)) + dice.sample(pool, dice.randint(0, 2))
        grades = {chunk: dice.choice((0, 1, 2)) for chunk in judged} | {judged[0]: 2}
        load.append((f"q{number}", ranked, grades))
    return load


def measures_for(depth: int) -> tuple[Measure, ...]:
    """The six measures. RR looks at the whole list, because trec_eval cannot cut it."""
    texts = ("P@10", "Recall@10", "Hit@10", f"RR@{depth}", "nDCG(gain=exp)@10", "AP")
    return tuple(parse_measure(text) for text in texts)


def run_primum(batch: list[Query], measures: tuple[Measure, ...]) -> tuple[Cost, Columns]:
    """Our cost for some queries, and the values of each measure."""
    started = time.process_time()
    judgments = {query: Judgments(grades=grades, unjudged=Unjudged.IRRELEVANT) for query, _, grades in batch}
    rankings = {query: ranked for query, ranked, _ in batch}
    converted = time.process_time()
    columns = list(score_rankings(measures, judgments, rankings).values())
    return Cost(converted - started, time.process_time() - converted), columns


def run_trec(batch: list[Query]) -> tuple[Cost, Columns]:
    """The same of pytrec_eval; it is given scores that fall with the rank, and gains in the place of grades."""
    started = time.process_time()
    run = {
        query: {chunk: float(len(ranked) - place) for place, chunk in enumerate(ranked)} for query, ranked, _ in batch
    }
    gains = {query: {chunk: 2**grade - 1 for chunk, grade in grades.items()} for query, _, grades in batch}
    converted = time.process_time()
    scored = pytrec_eval.RelevanceEvaluator(gains, set(TREC_NAMES.values())).evaluate(run)
    ended = time.process_time()
    return Cost(converted - started, ended - converted), [
        [scored[query][name] for query, _, _ in batch] for name in TREC_NAMES
    ]


def batches(load: list[Query]) -> Iterator[list[Query]]:
    """The queries, some at a time."""
    for start in range(0, len(load), BATCH):
        yield load[start : start + BATCH]


def extra_memory_mb(load: list[Query], measures: tuple[Measure, ...]) -> float:
    """The megabytes that ours took at the highest point, with all values kept; measured before the other side runs."""
    gc.collect()
    before = resident_mb()
    kept = [run_primum(batch, measures)[1] for batch in batches(load)]
    return max(peak_mb() - before, 0.0) if kept else 0.0


def peak_mb() -> float:
    """The highest resident size of this process so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


def resident_mb() -> float:
    """The resident size of this process now, in MB."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * resource.getpagesize() / 1e6


def compare(queries: int, depth: int, limit: float) -> bool:
    """Prints one comparison; True when ours is within `limit` of the other's CPU time and every value agrees."""
    load, measures = make_load(queries, depth), measures_for(depth)
    extra = extra_memory_mb(load, measures)
    ours, theirs, apart = Cost(), Cost(), 0.0
    for number, batch in enumerate(batches(load)):
        # Batch by batch, and in turns, so that other programs and warm caches favour neither side.
        if number % 2:
            mine, got = run_primum(batch, measures)
            other, wanted = run_trec(batch)
        else:
            other, wanted = run_trec(batch)
            mine, got = run_primum(batch, measures)
        ours, theirs = ours + mine, theirs + other
        apart = max(apart, distance(got, wanted))
    ratio = ours.total / theirs.total
    good = ratio <= limit and extra < MEMORY_LIMIT_MB and apart < 1e-9
    print(
        f"{queries} x {depth}: primum {ours.total:.2f} s CPU ({ours.convert:.2f} of it conversion), "
        f"pytrec_eval {theirs.total:.2f} s ({theirs.convert:.2f}); ratio {ratio:.3f}, at most {limit}; "
        f"without any conversion on its side {ours.total / theirs.score:.3f}; "
        f"extra memory {extra:.0f} MB, under {MEMORY_LIMIT_MB:.0f}; "
        f"values differ by at most {apart:.1e}: {'ok' if good else 'NOT ok'}"
    )
    return good


def distance(got: Columns, wanted: Columns) -> float:
    """The largest difference of two values; a value that is missing on one side is infinitely far off."""
    return max(
        abs(mine - other) if mine is not None and other is not None else float("inf")
        for column, other_column in zip(got, wanted, strict=True)
        for mine, other in zip(column, other_column, strict=True)
    )


def small() -> bool:
    """Prints the time of a suite of ordinary size; True when it is within the limit."""
    load, measures = make_load(200, 10), measures_for(10)
    times = sorted(run_primum(load, measures)[0].total for _ in range(20))
    median = 1000 * times[len(times) // 2]
    good = median <= SMALL_LIMIT_MS
    print(f"200 x 10: {median:.2f} ms CPU (median of 20), at most {SMALL_LIMIT_MS}: {'ok' if good else 'NOT ok'}")
    return good


def main() -> int:
    """Exit code 0 when every limit holds."""
    results = [small(), compare(6_980, 1_000, 0.25), compare(100_000, 100, 0.5)]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
