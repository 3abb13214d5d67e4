"""How long the endpoint waits between two requests."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primum.endpoint.retry import pause, retry_after_seconds

NOW = datetime(2030, 1, 1, 12, 0, 0, tzinfo=UTC)


@given(failed=st.integers(1, 5000), base=st.floats(0, 10), longest=st.floats(0, 100), draw=st.floats(0, 0.999))
def test_a_pause_is_never_longer_than_the_longest(failed: int, base: float, longest: float, draw: float) -> None:
    """However many requests failed."""
    wait = pause(failed, base=base, longest=longest, draw=lambda: draw)
    assert wait is not None
    assert 0 <= wait <= longest


@given(failed=st.integers(1, 10), asked=st.floats(0, 60), draw=st.floats(0, 0.999))
def test_a_pause_is_never_shorter_than_the_endpoint_asks(failed: int, asked: float, draw: float) -> None:
    """Retry-After is a lower bound."""
    wait = pause(failed, base=0.5, longest=60, retry_after=asked, draw=lambda: draw)
    assert wait is not None
    assert wait >= asked


def test_a_pause_doubles_without_jitter() -> None:
    """With a draw of 0 the exponential remains."""
    assert [pause(n, base=0.5, longest=60, draw=lambda: 0.0) for n in (1, 2, 3)] == [0.5, 1.0, 2.0]


def test_an_endpoint_that_asks_for_too_long_a_pause_ends_the_call() -> None:
    """None says: do not wait."""
    assert pause(1, base=0.5, longest=60, retry_after=61) is None


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "7"}, 7.0),
        ({"retry-after": " 0.5 "}, 0.5),
        ({"Retry-After": "7", "retry-after-ms": "250"}, 0.25),
        ({"Retry-After": "Tue, 01 Jan 2030 12:00:30 GMT"}, 30.0),
        ({"Retry-After": "Tue, 01 Jan 2030 11:00:00 GMT"}, None),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "nan"}, None),
        ({"Retry-After": "inf"}, None),
        ({"Retry-After": "-3"}, None),
        ({"Retry-After": "٣"}, None),
        ({}, None),
    ],
)
def test_both_forms_of_retry_after_are_read(headers: dict[str, str], seconds: float | None) -> None:
    """Seconds, milliseconds or a date; anything else is as if it were absent."""
    assert retry_after_seconds(headers, now=NOW) == seconds
