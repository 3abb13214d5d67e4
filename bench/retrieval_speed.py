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
from dataclasses import dataclass, field
from pathlib import Path

# It ships no types.
import pytrec_eval  # pyright: ignore[reportMissingTypeStubs]

from primum.metrics import Judgments, Measure, Unjudged, parse_measure, score_rankings

SEED = 20261130
MEMORY_LIMIT_MB = 150.0
SMALL_LIMIT_MS = 5.0
# Both are given some queries at a time: all at once, trec_eval would need gigabytes for its dictionaries of scores.
BATCH = 1_000
# The fastest of these counts, for both: what slows a run down comes from other programs.
ROUNDS = 3


Query = tuple[str, list[str], dict[str, int]]
"""Id, ranking and grades; ids of chunks are shared texts, as in an index."""


@dataclass
class Cost:
    """What one side used."""

    convert: float = 0.0
    """CPU seconds to bring the lists into the side's own form."""
    score: float = 0.0
    """CPU seconds to score them."""
    values: list[list[float]] = field(default_factory=list[list[float]])


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


def run_primum(load: list[Query], depth: int) -> tuple[Cost, float]:
    """Our cost, and the megabytes that were taken at the highest point."""
    measures = measures_for(depth)
    gc.collect()
    before = resident_mb()
    cost = Cost()
    columns: dict[Measure, list[float | None]] = {measure: [] for measure in measures}
    for batch in batches(load):
        started = time.process_time()
        judgments = {query: Judgments(grades=grades, unjudged=Unjudged.IRRELEVANT) for query, _, grades in batch}
        rankings = {query: ranked for query, ranked, _ in batch}
        converted = time.process_time()
        for measure, column in score_rankings(measures, judgments, rankings).items():
            columns[measure] += column
        cost.score += time.process_time() - converted
        cost.convert += converted - started
    extra = max(peak_mb() - before, 0.0)
    cost.values = [[value or 0.0 for value in row] for row in zip(*columns.values(), strict=True)]
    return cost, extra


def run_trec(load: list[Query], depth: int) -> Cost:
    """The cost of pytrec_eval; it is given scores that fall with the rank, and gains in the place of grades."""
    names = ("P_10", "recall_10", "success_10", "recip_rank", "ndcg_cut_10", "map")
    wanted = {"P.10", "recall.10", "success.10", "recip_rank", "ndcg_cut.10", "map"}
    cost = Cost()
    for batch in batches(load):
        started = time.process_time()
        run = {query: {chunk: float(depth - place) for place, chunk in enumerate(ranked)} for query, ranked, _ in batch}
        gains = {query: {chunk: 2**grade - 1 for chunk, grade in grades.items()} for query, _, grades in batch}
        converted = time.process_time()
        scored = pytrec_eval.RelevanceEvaluator(gains, wanted).evaluate(run)
        cost.score += time.process_time() - converted
        cost.convert += converted - started
        cost.values += [[scored[query][name] for name in names] for query, _, _ in batch]
    return cost


def batches(load: list[Query]) -> Iterator[list[Query]]:
    """The queries, some at a time."""
    for start in range(0, len(load), BATCH):
        yield load[start : start + BATCH]


def peak_mb() -> float:
    """The highest resident size of this process so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


def resident_mb() -> float:
    """The resident size of this process now, in MB."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * resource.getpagesize() / 1e6


def compare(queries: int, depth: int, limit: float) -> bool:
    """Prints one comparison; True when ours is within `limit` of the other's CPU time and every value agrees."""
    load = make_load(queries, depth)
    ours, extra = run_primum(load, depth)
    theirs = run_trec(load, depth)
    for _ in range(ROUNDS - 1):
        ours = min(ours, run_primum(load, depth)[0], key=sum_cost)
        theirs = min(theirs, run_trec(load, depth), key=sum_cost)
    apart = max(
        abs(mine - other)
        for mine_row, other_row in zip(ours.values, theirs.values, strict=True)
        for mine, other in zip(mine_row, other_row, strict=True)
    )
    mine, other = ours.convert + ours.score, theirs.convert + theirs.score
    good = mine <= limit * other and extra < MEMORY_LIMIT_MB and apart < 1e-9
    print(
        f"{queries} x {depth}: primum {mine:.2f} s CPU ({ours.convert:.2f} of it conversion), "
        f"pytrec_eval {other:.2f} s ({theirs.convert:.2f}); ratio {mine / other:.3f}, at most {limit}; "
        f"without any conversion on its side {mine / theirs.score:.3f}; "
        f"extra memory {extra:.0f} MB, under {MEMORY_LIMIT_MB:.0f}; "
        f"values differ by at most {apart:.1e}: {'ok' if good else 'NOT ok'}"
    )
    return good


def small() -> bool:
    """Prints the time of a suite of ordinary size; True when it is within the limit."""
    load = make_load(200, 10)
    times = sorted(sum_cost(run_primum(load, 10)[0]) for _ in range(20))
    median = 1000 * times[len(times) // 2]
    good = median <= SMALL_LIMIT_MS
    print(f"200 x 10: {median:.2f} ms CPU (median of 20), at most {SMALL_LIMIT_MS}: {'ok' if good else 'NOT ok'}")
    return good


def sum_cost(cost: Cost) -> float:
    """CPU seconds of both steps."""
    return cost.convert + cost.score


def main() -> int:
    """Exit code 0 when every limit holds."""
    results = [small(), compare(6_980, 1_000, 0.25), compare(100_000, 100, 0.5)]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
