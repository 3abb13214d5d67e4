"""Checks the rank measures against cases with known results.

Usage: python bench/retrieval.py FILE...

Each FILE is JSON Lines in the format of ``../shared/bench/retrieval/README.md``. Prints each mismatch and a count, and
exits with 1 when there is any, 2 when a file cannot be read.
"""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from primum.errors import RankingError, UsageError
from primum.metrics import (
    NDCG,
    AveragePrecision,
    CaseScores,
    Gain,
    HitRate,
    Judged,
    Judgments,
    Measure,
    Precision,
    Recall,
    ReciprocalRank,
    RPrecision,
    Unjudged,
    aggregate_families,
    score_ranking,
    score_rankings,
    within_tolerance,
)

TOLERANCE = 1e-9


def measures_at(k: Any) -> dict[str, Measure]:
    """The measures under the names that the files use; `k` comes from the file and may be anything."""
    return {
        "precision": Precision(k),
        "recall": Recall(k),
        "hit": HitRate(k),
        "rr": ReciprocalRank(k),
        "ndcg_exp": NDCG(k, Gain.EXP),
        "ndcg_lin": NDCG(k, Gain.LINEAR),
        "ap": AveragePrecision(),
        "ap_at_k": AveragePrecision(k),
        "r_precision": RPrecision(),
        "judged": Judged(k),
    }


def value_mismatches(got: Mapping[str, float | None], wanted: Mapping[str, float | None]) -> list[str]:
    """What differs, one line for each measure."""
    found: list[str] = []
    for name, expected in wanted.items():
        actual = got.get(name)
        if name not in got:
            found.append(f"{name}: not computed")
        elif expected is None or actual is None:
            if actual is not expected:
                found.append(f"{name}: {actual}, expected {expected}")
        elif abs(actual - expected) > TOLERANCE:
            found.append(f"{name}: {actual!r}, expected {expected!r}")
    return found


def score_case(row: dict[str, Any], unjudged: Unjudged) -> dict[str, float | None]:
    """The measures of one case, by the names that the files use."""
    names = measures_at(row["k"])
    judgments = Judgments(grades=row["judgments"], unjudged=unjudged)
    values = score_ranking(names.values(), row["ranked"], judgments, scores=scores_of(row))
    return {name: values[measure] for name, measure in names.items()}


def scores_of(row: dict[str, Any]) -> list[float] | None:
    """The scores of a row; JSON has no NaN, so the files write null for it."""
    scores: list[Any] | None = row.get("scores")
    return None if scores is None else [float("nan") if score is None else score for score in scores]


def score_dataset(
    k: Any, golden: Mapping[str, Mapping[str, int]], runs: Mapping[str, list[str]], unjudged: Unjudged
) -> dict[str, float | None]:
    """The means over a dataset in which each query is a family of its own."""
    names = measures_at(k)
    judgments = {query: Judgments(grades=grades, unjudged=unjudged) for query, grades in golden.items()}
    values = score_rankings(names.values(), judgments, runs)
    table = aggregate_families(
        CaseScores(family=query, variant="0", kind="query", values=dict(zip(values, row, strict=True)))
        for query, *row in zip(golden, *values.values(), strict=True)
    )
    means = {mean.measure: mean.value for mean in table.overall}
    return {name: means[str(measure)] for name, measure in names.items()}


def check_scored(row: dict[str, Any]) -> list[str]:
    """Mismatches of a row whose values are known."""
    if row["kind"] == "score":
        return value_mismatches(score_case(row, Unjudged.IRRELEVANT), row["expected"])
    queries = row["queries"]
    golden = {query["qid"]: query["judgments"] for query in queries}
    runs = {query["qid"]: query["ranked"] for query in queries}
    return value_mismatches(score_dataset(row["k"], golden, runs, Unjudged.IRRELEVANT), row["expected_mean"])


def check_behaviour(row: dict[str, Any]) -> list[str]:
    """Mismatches of a row that says whether input is an error, a miss or a number."""
    expected = row["expect"]
    try:
        if row["kind"] == "dataset_behaviour":
            unjudged = Unjudged.ERROR if row["fully_judged"] else Unjudged.IRRELEVANT
            got = score_dataset(row["k"], row["golden"], row["runs"], unjudged)
        else:
            policies = {"strict": Unjudged.ERROR, "lenient": Unjudged.IRRELEVANT, "condensed": Unjudged.CONDENSED}
            got = score_case(row, policies[row["policy"]])
    except RankingError as error:
        accepted = [expected, row.get("also_ok", {})]
        if any(outcome.get("result") == "error" for outcome in accepted):
            codes: set[Any] = {outcome.get("code") for outcome in accepted} | set(expected.get("code_in", ()))
            if error.code not in codes:
                print(f"note: {row['id']}: refused as {error.code}, the file calls it {codes}")
            return []
        return [f"refused ({error.code}: {error}), expected {expected}"]
    if expected["result"] == "error":
        return [f"scored {got}, expected the error {expected.get('code') or expected.get('code_in')}"]
    return value_mismatches(got, expected["values"])


def check_gate(row: dict[str, Any]) -> list[str]:
    """Mismatches of a comparison with a baseline."""
    try:
        got = "pass" if within_tolerance(row["current"], row["baseline"], row["tolerance"]) else "fail"
    except UsageError:
        got = "error"
    accepted = {row["expect"]["result"], row.get("also_ok", {}).get("result")}
    return [] if got in accepted else [f"{got}, expected {row['expect']['result']}"]


def check(row: dict[str, Any]) -> list[str]:
    """Mismatches of one row of any kind."""
    if row["kind"] in ("score", "dataset"):
        return check_scored(row)
    if row["kind"] in ("behaviour", "dataset_behaviour"):
        return check_behaviour(row)
    if row["kind"] == "gate":
        return check_gate(row)
    return [f"there is no kind {row['kind']!r}"]


def main(paths: list[str]) -> int:
    """Exit code 0 when every row of every file matches."""
    if not paths:
        print(__doc__, file=sys.stderr)
        return 2
    mismatches = 0
    for path in paths:
        try:
            lines = Path(path).read_text(encoding="utf-8").split("\n")
        except OSError as error:
            print(f"{path}: {error.strerror}", file=sys.stderr)
            return 2
        rows = [(number, json.loads(line)) for number, line in enumerate(lines, start=1) if line.strip()]
        wrong = 0
        for number, row in rows:
            try:
                problems = check(row)
            except RankingError as error:
                problems = [f"refused ({error.code}: {error})"]
            wrong += bool(problems)
            for problem in problems:
                print(f"{path}:{number}: {row['id']}: {problem}")
        print(f"{path}: {wrong} mismatches in {len(rows)} rows")
        # A file without rows proves nothing.
        mismatches += wrong or not rows
    return 1 if mismatches else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
