"""The engine that runs units on this machine, in one event loop."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import TypeVar

from primum.errors import ConfigError
from primum.execution.flight import Flight

T = TypeVar("T")
U = TypeVar("U")

AHEAD = 4
"""How many results per slot may wait behind a slow unit, when it is not set."""


class LocalEngine:
    """Runs at most `concurrency` units at once with asyncio and hands results on in the order of the units.

    Units are taken from their iterator only when there is room for them, so it may be endless. When a unit raises, or
    the caller is cancelled (Ctrl-C), the units that still run are cancelled, results that were ready are handed on
    (still in order, with gaps), and then the exception is raised: nothing that was finished is lost.

    Args:
        concurrency: Most units that run at the same time, at least 1.
        window: Most units that are taken and not yet handed on; 4 times `concurrency` when not given.

    Raises:
        ConfigError: A limit is too low.
    """

    def __init__(self, concurrency: int, *, window: int | None = None) -> None:
        if concurrency < 1:
            raise ConfigError(f"concurrency is {concurrency}; give at least 1")
        if window is not None and window < concurrency:
            raise ConfigError(f"window is {window}; give at least the concurrency, {concurrency}, or leave it out")
        self.concurrency = concurrency
        self.window = window or AHEAD * concurrency

    async def run(self, units: Iterable[U], work: Callable[[U], Awaitable[T]]) -> AsyncIterator[T]:
        """Results in unit order. `work` returns failures as values; an exception from it stops the run."""
        flight: Flight[U, T] = Flight(units, work, concurrency=self.concurrency, window=self.window)
        stopped: BaseException | None = None
        try:
            flight.fill()
            while stopped is None:
                try:
                    if not await flight.head():
                        break
                except asyncio.CancelledError as cancelled:
                    stopped = cancelled
                else:
                    yield flight.take()
            await flight.halt()
            for result in flight.finished():
                yield result
            failure = stopped or flight.error
            if failure is not None:
                raise failure
        finally:
            await flight.halt()
