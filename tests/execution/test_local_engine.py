"""The local engine: never too many at once, in order, nothing lost, nothing left behind."""

import asyncio
import itertools
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from primum.errors import AuthenticationError, ConfigError
from primum.execution import LocalEngine
from primum.protocols import Engine


class Witness:
    """Work that takes some turns of the loop and counts how many run at once."""

    def __init__(self, turns: list[int], fails_at: int | None = None) -> None:
        self.turns, self.fails_at = turns, fails_at
        self.now = self.most = 0
        self.ended: list[int] = []
        self.cancelled: list[int] = []

    async def __call__(self, unit: int) -> int:
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            for _ in range(self.turns[unit]):
                await asyncio.sleep(0)
            if unit == self.fails_at:
                raise AuthenticationError("the key was refused")
        except asyncio.CancelledError:
            self.cancelled.append(unit)
            raise
        finally:
            self.now -= 1
        self.ended.append(unit)
        return unit


async def collect(results: AsyncIterator[int], into: list[int]) -> None:
    """Takes results as a caller does."""
    async for result in results:
        into.append(result)  # noqa: PERF401 - one by one, to keep what came before an exception


def others() -> set[asyncio.Task[object]]:
    """Tasks besides the one that asks."""
    return {task for task in asyncio.all_tasks() if task is not asyncio.current_task()}


def test_a_local_engine_is_an_engine() -> None:
    """It fits the protocol that the pipeline knows."""
    engine: Engine = LocalEngine(2)
    assert engine is not None


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 6), max_size=30), st.integers(1, 8), st.integers(0, 8))
def test_all_results_come_in_unit_order_and_never_more_run_than_allowed(
    turns: list[int], concurrency: int, extra: int
) -> None:
    """Whatever the units take, and however small the window."""

    async def scene() -> None:
        witness, got = Witness(turns), list[int]()
        engine = LocalEngine(concurrency, window=concurrency + extra)
        await collect(engine.run(range(len(turns)), witness), got)
        assert got == list(range(len(turns)))
        assert witness.most <= concurrency
        assert not others()

    asyncio.run(scene())


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 6), min_size=1, max_size=30), st.integers(1, 8), st.data())
def test_the_first_exception_stops_the_rest_and_loses_nothing_finished(
    turns: list[int], concurrency: int, data: st.DataObject
) -> None:
    """Every unit that ended was handed on, in order; the others were cancelled or never begun."""
    fails_at = data.draw(st.integers(0, len(turns) - 1))

    async def scene() -> None:
        witness, got = Witness(turns, fails_at), list[int]()
        with pytest.raises(AuthenticationError, match="the key was refused"):
            await collect(LocalEngine(concurrency).run(range(len(turns)), witness), got)
        assert got == sorted(witness.ended)
        assert not set(got) & {fails_at, *witness.cancelled}
        assert not others()

    asyncio.run(scene())


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 6), min_size=1, max_size=30), st.integers(1, 8), st.integers(0, 20))
def test_cancelling_the_caller_hands_on_what_was_finished_and_leaves_nothing_running(
    turns: list[int], concurrency: int, moment: int
) -> None:
    """Ctrl-C at any moment."""

    async def scene() -> None:
        witness, got = Witness(turns), list[int]()
        caller = asyncio.create_task(collect(LocalEngine(concurrency).run(range(len(turns)), witness), got))
        for _ in range(moment):
            await asyncio.sleep(0)
        caller.cancel()
        await asyncio.wait([caller])
        assert caller.cancelled() or got == list(range(len(turns)))
        assert got == sorted(witness.ended)
        assert not others()

    asyncio.run(scene())


def test_an_endless_iterator_is_taken_from_only_as_far_as_the_window() -> None:
    """A caller that stops taking stops the taking, and a caller that leaves ends the work."""
    taken: list[int] = []

    def endless() -> Iterator[int]:
        for number in itertools.count():
            taken.append(number)
            yield number

    async def work(unit: int) -> int:
        return unit

    async def scene() -> None:
        results = LocalEngine(2, window=5).run(endless(), work)
        assert await anext(results) == 0
        for _ in range(50):
            await asyncio.sleep(0)
        assert len(taken) <= 1 + 5
        await results.aclose()  # type: ignore[attr-defined]  # an async generator, as `async for` with break closes it
        assert not others()

    asyncio.run(scene())


def test_a_slow_unit_at_the_head_does_not_hold_up_the_others() -> None:
    """Free slots are filled although nothing can be handed on yet."""

    async def scene() -> None:
        gate = asyncio.Event()
        ended: list[int] = []

        async def work(unit: int) -> int:
            if unit == 0:
                await gate.wait()
            ended.append(unit)
            if unit == 6:
                gate.set()
            return unit

        got: list[int] = []
        await collect(LocalEngine(2, window=8).run(range(8), work), got)
        assert ended.index(6) < ended.index(0)
        assert got == list(range(8))

    asyncio.run(scene())


def test_units_run_on_while_the_caller_is_busy_with_a_result() -> None:
    """The next stage of one case overlaps with this stage of the next."""

    async def scene() -> None:
        ended: list[int] = []

        async def work(unit: int) -> int:
            await asyncio.sleep(0)
            ended.append(unit)
            return unit

        results = LocalEngine(1, window=4).run(range(9), work)
        assert await anext(results) == 0
        for _ in range(50):
            await asyncio.sleep(0)
        assert ended == [0, 1, 2, 3, 4]
        assert [result async for result in results] == list(range(1, 9))

    asyncio.run(scene())


def test_an_iterator_of_units_that_raises_stops_the_run() -> None:
    """Its own exception arrives, after what was finished."""

    def units() -> Iterator[int]:
        yield 0
        raise OSError("the list of cases went away")

    async def scene() -> None:
        got: list[int] = []
        with pytest.raises(OSError, match="went away"):
            await collect(LocalEngine(1).run(units(), Witness([0])), got)
        assert got == [0]
        assert not others()

    asyncio.run(scene())


def test_no_units_give_no_results() -> None:
    """An empty list of cases ends at once."""

    async def scene() -> None:
        got: list[int] = []
        await collect(LocalEngine(3).run([], Witness([])), got)
        assert got == []

    asyncio.run(scene())


def test_two_runs_share_one_loop() -> None:
    """As inside a notebook or a server."""

    async def scene() -> None:
        first, second = list[int](), list[int]()
        turns = [3, 0, 2, 1]
        engine = LocalEngine(2)
        await asyncio.gather(
            collect(engine.run(range(4), Witness(turns)), first), collect(engine.run(range(4), Witness(turns)), second)
        )
        assert first == second == [0, 1, 2, 3]

    asyncio.run(scene())


@pytest.mark.parametrize(("concurrency", "window"), [(0, None), (-1, None), (4, 3)])
def test_limits_that_allow_nothing_are_refused(concurrency: int, window: int | None) -> None:
    """With what to write instead."""
    with pytest.raises(ConfigError, match="give at least"):
        LocalEngine(concurrency, window=window)


CALLER = """
import asyncio
from primum.execution import LocalEngine

async def work(unit):
    if unit == 3:
        await asyncio.sleep(60)
    if unit == 8:
        print("all but one", flush=True)
    return unit

async def main():
    async for result in LocalEngine(2, window=6).run(range(1000), work):
        print(result, flush=True)

try:
    asyncio.run(main())
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def test_ctrl_c_keeps_what_was_finished() -> None:
    """A real interrupt in a real process: results behind the slow unit are handed on before the end."""
    caller = subprocess.Popen([sys.executable, "-c", CALLER], stdout=subprocess.PIPE, text=True)
    try:
        if caller.stdout is None:
            pytest.fail("the caller has no output")
        seen = [caller.stdout.readline().strip() for _ in range(4)]
        assert seen == ["0", "1", "2", "all but one"]
        caller.send_signal(signal.SIGINT)
        rest, _ = caller.communicate(timeout=20)
    finally:
        caller.kill()
        caller.wait()
    assert rest.split() == ["4", "5", "6", "7", "8", "interrupted"]
