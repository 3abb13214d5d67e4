"""A limit on how long something may take."""

import asyncio
import math
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from primum.errors import ConfigError, EndpointTimeoutError


@asynccontextmanager
async def deadline(seconds: float | None, what: str = "the endpoint") -> AsyncGenerator[None]:
    """Cancels its body after `seconds` and raises EndpointTimeoutError in its place.

    A timeout that the body raises by itself, and a cancellation from outside, pass through as they are.

    Args:
        seconds: More than 0 and finite; None sets no limit.
        what: How the message names what was waited for.

    Raises:
        ConfigError: `seconds` is no sensible limit.
        EndpointTimeoutError: The body was not done in time.
    """
    if seconds is not None and not (math.isfinite(seconds) and seconds > 0):
        raise ConfigError(f"a deadline of {seconds} s for {what}; give a number of seconds above 0, or none")
    limit = asyncio.timeout(seconds)
    try:
        async with limit:
            yield
    except TimeoutError:
        if not limit.expired():
            raise
        raise EndpointTimeoutError(
            f"{what} was not done within {seconds:g} s; raise the timeout, or ask for less at once"
        ) from None
