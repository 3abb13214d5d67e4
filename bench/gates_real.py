"""What the dose and medication gates do on real text: faults caught and good answers failed.

    python bench/gates_real.py [FOLDER] [--only NAME ...] [--list misses]

FOLDER holds the data sets, ``../shared/data`` if left out; a set that is not there is named and skipped. Summaries,
corrections and planted errors are people's; mutations of dose lines and of table rows are made by rule. A row counts
answers of one kind; the interval is the exact one of Clopper and Pearson. ``--list misses`` prints the ids of what came
out wrong, and never a text.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from primum.errors import DatasetError
from primum.records import Status
from primum.statistics import proportion
from primum_safety import check, default_gates
from real_text import Trial, guidelines, labels, notes, read_rows, summedits

SETS: Final[Mapping[str, tuple[str, Callable[[Sequence[Mapping[str, Any]]], Iterator[Trial]]]]] = {
    "summedits_numeric": ("summaries.jsonl", summedits),
    "nstg2022_guidelines": ("documents.jsonl", guidelines),
    "fda_labels": ("labels.jsonl", labels),
    "medec_ms": ("texts.jsonl", notes),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Prints a table for each data set."""
    parser = argparse.ArgumentParser(description="The dose and medication gates on real text.")
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).parents[2] / "shared" / "data")
    parser.add_argument("--only", nargs="+", choices=SETS, default=list(SETS), help="the data sets to read")
    parser.add_argument("--list", choices=["misses"], help="print the ids of what came out wrong")
    options = parser.parse_args(argv)
    present = [name for name in options.only if (options.folder / name).is_dir()]
    for name in options.only:
        if name not in present:
            print(f"{name}: not in {options.folder}; skipped")
    try:
        for name in present:
            file, trials = SETS[name]
            _measure(name, trials(read_rows(options.folder / name / file)), listed=options.list is not None)
    except DatasetError as error:
        print(error, file=sys.stderr)
        return 2
    return 0 if present else 2


def _measure(name: str, trials: Iterator[Trial], *, listed: bool) -> None:
    started = time.perf_counter()
    right: dict[tuple[bool, str], list[bool]] = {}
    wrong: list[str] = []
    for trial in trials:
        came_out = _objects(trial) == trial.fault
        right.setdefault((trial.fault, trial.kind), []).append(came_out)
        if not came_out:
            wrong.append(f"{'missed' if trial.fault else 'blocked'} {trial.id}")
    seconds = time.perf_counter() - started
    print(f"\n{name} ({sum(map(len, right.values()))} answers, {seconds:.0f} s)")
    for (fault, kind), outcomes in sorted(right.items()):
        share = proportion(sum(outcomes), len(outcomes))
        what = "faults caught" if fault else "good answers passed"
        print(f"  {what:<20} {kind:<46} {share.rate} {share.clopper_pearson}")
    if listed:
        print("\n".join(f"    {line}" for line in wrong) or "    none")


def _objects(trial: Trial) -> bool:
    """Whether any of the trial's gates fails, or did not decide, which blocks as well."""
    gates = [gate for gate in default_gates() if gate.id in trial.gates]
    results = check(trial.exchange, gates=gates).results
    return any(result.status not in (Status.PASS, Status.NOT_APPLICABLE) for result in results)


if __name__ == "__main__":
    sys.exit(main())
