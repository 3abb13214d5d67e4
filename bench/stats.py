"""Checks the statistics against worked examples.

Usage: python bench/stats.py DIR

DIR holds JSON files in the format of ``../shared/bench/stats/README.md``. Prints each mismatch and a line for each
file, and exits with 1 when there is any mismatch, 2 when there is no file to check.
"""

import json
import sys
from pathlib import Path

from pydantic import JsonValue

from primum.statistics import SprtDecision
from worked_statistics import ERROR_SLACK, PERCENTILE_SLACK, TOPICS, Data


def leaves(value: JsonValue, place: str = "") -> dict[str, JsonValue]:
    """The single values of nested JSON, by their place; a list's length is one of them."""
    if isinstance(value, dict):
        parts = [(f"{place}.{key}", part) for key, part in value.items()]
        found: dict[str, JsonValue] = {}
    elif isinstance(value, list):
        parts = [(f"{place}[{index}]", part) for index, part in enumerate(value)]
        found = {f"{place}.length": len(value)}
    else:
        return {place: value}
    for where, part in parts:
        found |= leaves(part, where)
    return found


def mismatches(got: Data, wanted: Data, tolerance: float) -> list[str]:
    """What differs: reals by more than `tolerance`, everything else at all; every wanted value must be there."""
    computed = leaves(got)
    found: list[str] = []
    for place, expected in leaves(wanted).items():
        value = computed.get(place)
        if isinstance(expected, float):
            good = isinstance(value, int | float) and abs(value - expected) <= tolerance
        else:
            good = place in computed and value == expected and isinstance(value, bool) == isinstance(expected, bool)
        if not good:
            found.append(f"{place}: {value!r}, expected {expected!r}")
    return found


def random_bootstrap_mismatches(got: Data) -> list[str]:
    """Where the random bootstrap is further from the exact one than the examples allow."""
    exact, drawn = got["family_bootstrap_exact"], got["random_bootstrap"]
    if exact["se"] is None:
        return [] if drawn["se"] is None else ["random bootstrap has an error where the exact one has none"]
    ends_apart = max(
        abs(drawn["interval"][0] - exact["percentile_2_5"]), abs(drawn["interval"][1] - exact["percentile_97_5"])
    )
    error_apart = abs(drawn["se"] - exact["se"])
    if ends_apart > PERCENTILE_SLACK or error_apart > ERROR_SLACK:
        return [f"random bootstrap: percentiles off by {ends_apart:.4f}, error by {error_apart:.4f}"]
    return []


def check(example: Data) -> list[str]:
    """Mismatches of one worked example."""
    topic = example["topic"]
    if topic not in TOPICS:
        return [f"there is no topic {topic!r}"]
    got = TOPICS[topic](example["input"])
    for sequence in example["expected"].get("sequences", []):
        # The examples do not say what they call a sequence that crosses neither boundary.
        if sequence["decision"] not in set(SprtDecision):
            sequence["decision"] = str(SprtDecision.CONTINUE)
    problems = mismatches(got, example["expected"], example["tolerance_abs"])
    return problems + (random_bootstrap_mismatches(got) if "random_bootstrap" in got else [])


def main(arguments: list[str]) -> int:
    """Exit code 0 when every example of the folder matches."""
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    paths = sorted(Path(arguments[0]).glob("*.json"))
    if not paths:
        print(f"{arguments[0]}: no example to check", file=sys.stderr)
        return 2
    total = 0
    for path in paths:
        example: Data = json.loads(path.read_text(encoding="utf-8"))
        problems = check(example)
        total += len(problems)
        for problem in problems:
            print(f"{path}: {problem}")
        print(f"{path.name}: {len(problems)} mismatches")
    print(f"{total} mismatches in {len(paths)} files")
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
