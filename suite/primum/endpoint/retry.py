"""How long to wait before the next request: exponential with jitter, and never less than the endpoint asked for."""

import random
from collections.abc import Callable, Mapping
from datetime import UTC, datetime


def pause(
    failed: int,
    *,
    base: float,
    longest: float,
    retry_after: float | None = None,
    draw: Callable[[], float] = random.random,
) -> float | None:
    """Seconds to wait after `failed` requests have failed; None when the endpoint asks for more than `longest`.

    The pause is ``base * 2**(failed - 1)``, drawn down by up to a half so that many callers spread out.

    Args:
        failed: Requests that failed so far, from 1.
        base: Seconds of the first pause, before jitter.
        longest: Seconds that a pause may take at most.
        retry_after: Seconds that the endpoint asked for, if it did.
        draw: Gives a number in [0, 1).
    """
    if retry_after is not None and retry_after > longest:
        return None
    # The exponent is bounded because 2.0**1024 overflows.
    own = min(longest, base * 2.0 ** min(failed - 1, 60)) * (1 - draw() / 2)
    return max(own, retry_after or 0.0)


def retry_after_seconds(headers: Mapping[str, str], *, now: datetime | None = None) -> float | None:
    """What a ``Retry-After`` header asks for, in seconds; None when it is absent, in the past or not readable.

    Both forms of RFC 9110 are read, and the ``retry-after-ms`` that some providers send, which is finer.
    """
    found = {name.lower(): value.strip() for name, value in headers.items()}
    for name, scale in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        value = found.get(name, "")
        # Only plain decimals: float() would also take "nan", "inf" and "1e999".
        if value.replace(".", "", 1).isdecimal() and value.isascii():
            return float(value) / scale
    from email.utils import parsedate_to_datetime  # slow to import, and dates are rare here

    try:
        moment = parsedate_to_datetime(found.get("retry-after", ""))
    except (ValueError, TypeError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    seconds = (moment - (now or datetime.now(UTC))).total_seconds()
    return seconds if seconds > 0 else None
