"""A process that dies in the middle of writing loses nothing that it was told is stored."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from primum.records import Observation
from primum.store import SqliteStore

RUN = "20261130-074512-ab12cd"

WRITER = """
import sys
from primum.records import Observation
from primum.store import SqliteStore

path, text = sys.argv[1:]
first = Observation.model_validate_json(text)
with SqliteStore(path) as store:
    for number in range(1_000_000):
        store.add_observation("20261130-074512-ab12cd", first.model_copy(update={"repetition": number}))
        print(number, flush=True)
"""


@pytest.mark.parametrize("acknowledged", [0, 1, 40])
def test_what_was_acknowledged_before_sigkill_is_there_and_whole(
    store: SqliteStore, path: Path, observe: Callable[..., Observation], acknowledged: int
) -> None:
    """Killed at once after an acknowledgement, with the next record on its way."""
    first = observe("a", text="word " * 20_000)
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), first.model_dump_json()], stdout=subprocess.PIPE, text=True
    )
    try:
        if writer.stdout is None:
            pytest.fail("the writer has no output")
        last = -1
        while last < acknowledged:
            last = int(writer.stdout.readline())
        os.kill(writer.pid, signal.SIGKILL)
        rest = writer.stdout.read().split()
        last = int(rest[-1]) if rest else last
    finally:
        writer.kill()
        writer.wait()
        if writer.stdout is not None:
            writer.stdout.close()
    with SqliteStore(path, create=False) as survivor:
        found = {one.repetition: one for one in survivor.observations(RUN)}
        assert survivor.end(RUN) is None
        assert set(range(last + 1)) <= set(found) <= set(range(last + 2))
        assert all(one == first.model_copy(update={"repetition": number}) for number, one in found.items())
        survivor.add_observation(RUN, first.model_copy(update={"repetition": 10_000_000}))
    assert len(store.observed(RUN)) == len(found) + 1
