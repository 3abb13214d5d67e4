"""Start-up time: the command line and the import, beside a bare interpreter in the same run.

    python bench/startup.py [--runs 15]

Prints medians in seconds and how many times the bare interpreter's start that is; exits with 1 when a bar is missed
(``primum --help`` 0.25 s, ``import primum`` 0.15 s) or a heavy client was loaded.
"""

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence

HEAVY = ("litellm", "instructor", "openai", "qdrant_client", "onnxruntime", "numpy", "scipy", "sqlalchemy")
SUBJECTS: dict[str, tuple[Sequence[str], float | None]] = {
    "python -c pass": ((sys.executable, "-c", "pass"), None),
    "import primum": ((sys.executable, "-c", "import primum"), 0.15),
    "primum --help": ((sys.executable, "-c", "from primum.cli import main; main(['--help'])"), 0.25),
}


def seconds(command: Sequence[str], runs: int) -> float:
    """Median wall time of `command` over `runs`, after one run that warms the file cache."""
    times: list[float] = []
    for _ in range(runs + 1):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - start)
    return statistics.median(times[1:])


def loaded(code: str) -> list[str]:
    """Heavy packages that are loaded after `code`."""
    probe = f"import sys\n{code}\nprint(*[m for m in {HEAVY!r} if m in sys.modules], file=sys.stderr)"
    result = subprocess.run([sys.executable, "-c", probe], check=True, capture_output=True, text=True)
    return result.stderr.split()


def main() -> int:
    """Measures, prints and compares with the bars."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=15)
    runs = parser.parse_args().runs
    medians = {name: seconds(command, runs) for name, (command, _) in SUBJECTS.items()}
    bare = medians["python -c pass"]
    missed = False
    for name, (_, bar) in SUBJECTS.items():
        over = bar is not None and medians[name] > bar
        missed |= over
        limit = "" if bar is None else f"  bar {bar:.2f} s{'  MISSED' if over else ''}"
        print(f"{name:<16} {medians[name]:.3f} s  {medians[name] / bare:4.1f} x bare{limit}")
    heavy = loaded("import primum, primum.cli")
    print(f"heavy packages loaded: {', '.join(heavy) or 'none'}")
    return int(missed or bool(heavy))


if __name__ == "__main__":
    sys.exit(main())
