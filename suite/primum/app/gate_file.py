"""The gates on a file of recorded exchanges, without a project: ``primum gate FILE.jsonl``."""

import os
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TextIO

from primum.app.parts import gates
from primum.datasets.exchanges import RecordedExchange
from primum.datasets.jsonl import stream_jsonl
from primum.errors import UsageError
from primum.policy import BOUNDED_GATE, Policy
from primum.private_files import private
from primum.records import GateReport, Rate, Status

_SHOWN: Final = 10


@dataclass
class GatedFile:
    """What the gates say about a file, in counts, and its first objections."""

    exchanges: int = 0
    blocked: int = 0
    """Exchanges that a gate fails, or on which one raised; over-refusal is bounded as a share instead."""
    undecided: int = 0
    """Exchanges without an answer, or with one that a gate could not read."""
    applied: Counter[str] = field(default_factory=Counter[str])
    failed: Counter[str] = field(default_factory=Counter[str])
    first: list[tuple[str, str, str]] = field(default_factory=list[tuple[str, str, str]])
    """Id, reason and message of the first objections that block; text that is not safe to show as it is."""

    @property
    def refuses_too_much(self) -> bool:
        """Whether more answerable questions than the default policy allows are not answered."""
        share = Rate(numerator=self.failed[BOUNDED_GATE], denominator=self.applied[BOUNDED_GATE]).value
        return share is not None and share > Policy().over_refusal_maximum

    def exit_code(self, required: tuple[str, ...] = ()) -> int:
        """0 every gate passes, 1 one fails, 3 something was not decided or a required gate had nothing to check."""
        if self.blocked or self.refuses_too_much:
            return 1
        return 3 if self.undecided or any(not self.applied[gate] for gate in required) else 0

    def add(self, report: GateReport, *, answered: bool) -> None:
        """Counts one exchange."""
        self.exchanges += 1
        blocks = False
        for result in report.results:
            counts = result.status in (Status.PASS, Status.FAIL, Status.ERROR)
            objects = result.status in (Status.FAIL, Status.ERROR)
            self.applied[result.gate] += counts
            self.failed[result.gate] += objects
            if objects and result.gate != BOUNDED_GATE:
                blocks = True
                found = next((one for one in result.findings if one.blocks), None)
                said = (found.reason, found.message) if found else (f"{result.gate}.error", result.detail)
                if len(self.first) < _SHOWN:
                    self.first.append((report.observation_id, *said))
        self.blocked += blocks
        self.undecided += not answered or any(result.status is Status.INCONCLUSIVE for result in report.results)


def gate_file(path: Path, out: Path | None = None, *, required: tuple[str, ...] = ()) -> GatedFile:
    """Runs every gate on each exchange of `path`, one at a time.

    Args:
        path: JSON Lines of `RecordedExchange`.
        out: Where to write one `GateReport` a line; the file is there only once all of `path` was right.
        required: Gates that must have something to check.

    Raises:
        DatasetError: A line is wrong.
        UsageError: A required gate does not exist, or `out` cannot be written.
    """
    from primum_safety import check

    known = [gate.id for gate in gates()]
    if unknown := sorted(set(required) - set(known)):
        raise UsageError(f"there is no gate {unknown[0]!r}; write one of {', '.join(known)}")
    found = GatedFile(applied=Counter(dict.fromkeys(known, 0)))
    with _written(out) as file:
        for line in stream_jsonl(path, RecordedExchange):
            report = check(line.record.exchange(), line.record.key(), gates=gates())
            found.add(report, answered=line.record.answer is not None)
            if file is not None:
                file.write(report.model_dump_json() + "\n")
    return found


@contextmanager
def _written(out: Path | None) -> Generator[TextIO | None]:
    """A file beside `out` that takes its place when all went well; findings quote answers, so it is its owner's."""
    if out is None:
        yield None
        return
    beside = out.with_name(f".{out.name}.{os.getpid()}")
    try:
        with open(beside, "w", encoding="utf-8", newline="\n", opener=private) as file:
            yield file
        beside.replace(out)
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise UsageError(f"{out}: cannot be written ({why}); name a file in a folder that is there") from error
    finally:
        beside.unlink(missing_ok=True)
