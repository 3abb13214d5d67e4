"""A deadline turns waiting too long into an error of ours, and nothing else."""

import asyncio

import pytest

from primum.errors import ConfigError, EndpointTimeoutError
from primum.execution import deadline


def test_a_body_that_takes_too_long_becomes_a_timeout_error() -> None:
    """The message names what was waited for, and how long."""

    async def scene() -> None:
        async with deadline(0.01, "the judge"):
            await asyncio.sleep(60)

    with pytest.raises(EndpointTimeoutError, match=r"the judge was not done within 0\.01 s"):
        asyncio.run(scene())


def test_a_body_in_time_passes() -> None:
    """With a limit and without one."""

    async def scene() -> list[int]:
        done: list[int] = []
        for limit in (60.0, None):
            async with deadline(limit):
                await asyncio.sleep(0)
                done.append(1)
        return done

    assert asyncio.run(scene()) == [1, 1]


def test_a_timeout_of_the_body_itself_stays_what_it_is() -> None:
    """Only our own limit is mapped."""

    async def scene() -> None:
        async with deadline(60):
            raise TimeoutError("theirs")

    with pytest.raises(TimeoutError, match="theirs"):
        asyncio.run(scene())


def test_a_cancellation_from_outside_stays_a_cancellation() -> None:
    """Ctrl-C is no timeout."""

    async def body() -> None:
        async with deadline(60):
            await asyncio.sleep(60)

    async def scene() -> bool:
        task = asyncio.create_task(body())
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        return task.cancelled()

    assert asyncio.run(scene())


@pytest.mark.parametrize("seconds", [0.0, -1.0, float("nan"), float("inf")])
def test_a_limit_that_is_none_is_refused(seconds: float) -> None:
    """Zero, negative, NaN and infinity are mistakes, not limits."""

    async def scene() -> None:
        async with deadline(seconds, "the retriever"):
            await asyncio.sleep(0)

    with pytest.raises(ConfigError, match="for the retriever; give a number of seconds above 0"):
        asyncio.run(scene())
