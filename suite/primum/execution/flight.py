"""Units of work on their way: which run, which wait to be handed on, and what stopped them."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T")
U = TypeVar("U")


class Flight(Generic[U, T]):
    """Keeps up to `concurrency` units running and up to `window` taken but not handed on.

    A slot that becomes free is filled at once, also while the caller is busy with an earlier result, so a slow unit at
    the head holds up the handing on and not the work; the window bounds how far the work may get ahead.
    """

    def __init__(self, units: Iterable[U], work: Callable[[U], Awaitable[T]], *, concurrency: int, window: int) -> None:
        self._units = iter(units)
        self._work = work
        self._concurrency = concurrency
        self._window = window
        self._order: deque[asyncio.Task[T]] = deque()
        self._running: set[asyncio.Task[T]] = set()
        self._exhausted = False
        self._halted = False
        self._moved = asyncio.Event()
        self.error: BaseException | None = None
        """The first exception that a unit, or the iterator of units, raised."""

    def fill(self) -> None:
        """Starts as many units as may run now."""
        while (
            not (self._exhausted or self._halted)
            and self.error is None
            and len(self._running) < self._concurrency
            and len(self._order) < self._window
        ):
            try:
                unit = next(self._units)
            except StopIteration:
                self._exhausted = True
            except Exception as error:  # noqa: BLE001 - this may run in a callback of the loop; the engine raises it again
                self.error = error
                self._moved.set()
            else:
                task = asyncio.create_task(self._one(unit))
                self._order.append(task)
                self._running.add(task)
                task.add_done_callback(self._landed)

    async def head(self) -> bool:
        """Waits until the next unit in order has landed; False when there is none or the flight was stopped."""
        while self.error is None:
            if not self._order:
                return False
            if self._order[0] not in self._running:
                return True
            self._moved.clear()
            await self._moved.wait()
        return False

    def take(self) -> T:
        """The result of the unit at the head, which has landed; makes room for another."""
        result = self._order.popleft().result()
        self.fill()
        return result

    async def halt(self) -> None:
        """Cancels what runs and waits until it has ended; no unit outlives this."""
        self._halted = True
        for task in self._running:
            task.cancel()
        if self._running:
            await asyncio.wait(set(self._running))

    def finished(self) -> Iterator[T]:
        """After a halt: results that were ready and not handed on, in the order of their units."""
        while self._order:
            task = self._order.popleft()
            if not task.cancelled() and task.exception() is None:
                yield task.result()

    async def _one(self, unit: U) -> T:
        return await self._work(unit)

    def _landed(self, task: asyncio.Task[T]) -> None:
        self._running.discard(task)
        # A unit that cancels itself stops the run like any other exception.
        error = asyncio.CancelledError() if task.cancelled() else task.exception()
        if not self._halted and self.error is None:
            self.error = error
            self.fill()
        self._moved.set()
