"""Whatever a user's code does, it ends in time as a result or as an ordinary exception."""

import asyncio
import functools
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, cast

import pytest

from primum.errors import (
    AuthenticationError,
    ConfigError,
    EndpointTimeoutError,
    MalformedReplyError,
    RankingError,
    RateLimitError,
    UnavailableError,
)
from primum.failures import failure_of
from primum.records import Answer, Citation, Generation
from primum.usercode import UserCodeError, UserFunction, revalidated

PRIVATE = "Jane Doe, MRN 123456"


class OddError(BaseException):
    """What a careless function may derive its errors from."""


def raiser(error: BaseException) -> Callable[[], object]:
    """A plain function that raises."""

    def function() -> object:
        raise error

    return function


def async_raiser(error: BaseException) -> Callable[[], object]:
    """An async function that raises."""

    async def function() -> object:
        await asyncio.sleep(0)
        raise error

    return function


def call(function: Callable[..., Any], timeout_seconds: float = 20.0) -> object:
    """Calls the function once in a loop of its own; never waits longer than a minute."""

    async def once() -> object:
        return await asyncio.wait_for(UserFunction(function, "m:f", timeout_seconds).call(finish=lambda x: x), 60)

    return asyncio.run(once())


ODD_ENDS = [
    SystemExit(0),
    SystemExit(PRIVATE),
    KeyboardInterrupt(),
    GeneratorExit(),
    asyncio.CancelledError(PRIVATE),
    OddError(PRIVATE),
    BaseExceptionGroup(PRIVATE, [OddError()]),
]


@pytest.mark.parametrize("error", [*ODD_ENDS, StopIteration(PRIVATE), StopAsyncIteration()], ids=repr)
def test_whatever_a_plain_function_raises_is_an_ordinary_error(error: BaseException) -> None:
    """With the type and without the text."""
    with pytest.raises(UserCodeError, match=f"m:f: {type(error).__name__} was raised") as raised:
        call(raiser(error))
    assert PRIVATE not in str(raised.value)


@pytest.mark.parametrize("error", ODD_ENDS, ids=repr)
def test_whatever_an_async_function_raises_is_an_ordinary_error(error: BaseException) -> None:
    """The loop goes on, also after SystemExit."""
    with pytest.raises(UserCodeError, match=f"m:f: {type(error).__name__} was raised") as raised:
        call(async_raiser(error))
    assert PRIVATE not in str(raised.value)


def test_stop_iteration_of_an_async_function_ends_too() -> None:
    """Python itself makes a RuntimeError of it."""
    with pytest.raises(RuntimeError):
        call(async_raiser(StopIteration()))


def test_a_function_that_cancels_itself_has_failed() -> None:
    """It is not the run that was cancelled."""

    async def function() -> None:
        task = asyncio.current_task()
        if task is not None:
            task.cancel()
        await asyncio.sleep(0)

    with pytest.raises(UserCodeError, match="CancelledError was raised"):
        call(function)


def test_a_lazy_awaitable_that_exits_is_an_ordinary_error() -> None:
    """A plain function may return a coroutine, or any other awaitable."""

    class Exits:
        def __await__(self) -> Iterator[None]:
            sys.exit(0)

    for function in (functools.partial(async_raiser(SystemExit(0))), Exits):
        with pytest.raises(UserCodeError, match="SystemExit was raised"):
            call(function)


def test_a_function_that_takes_other_arguments_has_failed() -> None:
    """Plain or async."""

    async def later(_more: object) -> None: ...

    def plain(_more: object) -> None: ...

    for wrong in (later, plain):
        with pytest.raises(TypeError):
            call(wrong)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (UnavailableError(PRIVATE), UnavailableError),
        (RateLimitError(PRIVATE, retry_after=3), RateLimitError),
        (AuthenticationError(PRIVATE), AuthenticationError),
        (EndpointTimeoutError(PRIVATE), EndpointTimeoutError),
        (RankingError(PRIVATE, code="x"), UserCodeError),
    ],
)
def test_errors_of_our_types_keep_their_kind_and_lose_the_users_words(error: Exception, kind: type[Exception]) -> None:
    """Their texts are stored, so they must be ours."""
    for make in (raiser, async_raiser):
        with pytest.raises(kind) as raised:
            call(make(error))
        assert str(raised.value) == f"m:f: {type(error).__name__} was raised"


def test_a_function_that_hangs_fails_at_its_deadline() -> None:
    """A plain one in its thread, and an async one that waits."""
    held = threading.Event()

    async def waits() -> None:
        await asyncio.sleep(60)

    for function in (lambda: held.wait(60), waits):
        start = time.monotonic()
        with pytest.raises(EndpointTimeoutError, match=r"m:f was not done within 0\.2 s; raise its"):
            call(function, 0.2)
        assert time.monotonic() - start < 10
    held.set()


def test_an_async_function_that_refuses_to_be_cancelled_fails_at_its_deadline() -> None:
    """Its call is left behind, not waited for."""
    asked = 0

    async def stubborn() -> str:
        nonlocal asked
        for _ in range(50):
            try:
                await asyncio.sleep(0.1)
            except asyncio.CancelledError:
                asked += 1
        return "late"

    with pytest.raises(EndpointTimeoutError):
        call(stubborn, 0.1)
    assert asked >= 1


def test_a_timeout_counts_as_one() -> None:
    """Whoever stores it sees its kind."""
    with pytest.raises(EndpointTimeoutError) as raised:
        call(lambda: time.sleep(0.5), 0.05)
    assert failure_of(raised.value, "generate").kind.value == "timeout"


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf")])
def test_a_deadline_that_is_none_is_a_mistake_of_the_configuration(seconds: float) -> None:
    """Nothing waits for ever."""
    with pytest.raises(ConfigError, match="timeout_seconds is"):
        UserFunction(print, "m:f", seconds)


@pytest.mark.parametrize("plain", [True, False])
def test_a_real_cancellation_cancels(plain: bool) -> None:
    """The task that asked is cancelled, and the function with it where that can be."""
    seen: list[str] = []
    held = threading.Event()

    async def waits() -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            seen.append("cancelled")
            raise

    async def once() -> None:
        function = UserFunction((lambda: held.wait(60)) if plain else waits, "m:f", 60.0)
        task = asyncio.create_task(function.call(finish=lambda reply: reply))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(once())
    held.set()
    assert seen == ([] if plain else ["cancelled"])


def test_an_endless_reply_is_read_where_the_deadline_holds() -> None:
    """A plain function's reply may be lazy; the loop does not wait for it."""

    def slowly() -> Iterator[int]:
        while True:
            time.sleep(0.01)
            yield 1

    def total(reply: object) -> int:
        return sum(cast("Iterator[int]", reply))

    async def once() -> None:
        await UserFunction(slowly, "m:f", 0.2).call(finish=total)

    with pytest.raises(EndpointTimeoutError):
        asyncio.run(once())


PROGRAM = """
import asyncio, sys, time
from primum.generation import CallableGenerator
from primum.records import Scope

def plain(question, scope, passages):
    print("in", flush=True)
    while True:
        time.sleep(3600)

async def waits(question, scope, passages):
    print("in", flush=True)
    await asyncio.sleep(3600)

async def blocks(question, scope, passages):
    print("in", flush=True)
    time.sleep(3600)

generator = CallableGenerator(globals()[sys.argv[1]], "m:f", timeout_seconds=float(sys.argv[2]))
try:
    reply = asyncio.run(generator.generate("?", Scope(tenant="t"), (), case_id="c", repetition=0))
    print(reply.failure.kind.value)
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.parametrize(
    ("function", "seconds", "signals", "said"),
    [
        ("plain", 0.3, 0, "timeout"),
        ("plain", 60, 1, "interrupted"),
        ("waits", 60, 1, "interrupted"),
        ("blocks", 60, 2, "interrupted"),
    ],
)
def test_a_process_with_a_function_that_hangs_can_end(function: str, seconds: float, signals: int, said: str) -> None:
    """After a deadline or Ctrl-C; the second Ctrl-C ends one that blocks the loop."""
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, function, str(seconds)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            if process.stdout is None:
                pytest.fail("the program has no output")
            assert process.stdout.readline() == "in\n"
            for _ in range(signals):
                time.sleep(0.3)
                os.kill(process.pid, signal.SIGINT)
            out, err = process.communicate(timeout=20)
        finally:
            process.kill()
    assert (out, err) == (f"{said}\n", "")


def test_a_valid_record_is_itself_again() -> None:
    """Field by field."""
    whole = Generation(answer=Answer(text="x", citations=(Citation(target="p"),)), context=())
    assert revalidated(Generation, whole, "m:f") == whole


def made(kind: Any, **fields: object) -> Any:
    """A record that nobody checked."""
    return kind.model_construct(**fields)


class LooseAnswer(Answer):
    """A subclass that allows more than its base."""

    text: str | None = None  # type: ignore[assignment]  # pyright: ignore[reportIncompatibleVariableOverride] - what is tested


@pytest.mark.parametrize(
    ("kind", "record", "where"),
    [
        (Answer, made(Answer, text=None), "text"),
        (Answer, made(Answer), ""),
        (Answer, made(Answer, text=PRIVATE, citations=[PRIVATE]), "citations.0"),
        (Answer, LooseAnswer(), "text"),
        (Generation, made(Generation, answer=made(Answer, text=3)), "answer.text"),
        (Generation, made(Generation, answer=None, failure=None), ""),
        (Generation, made(Generation, answer=PRIVATE), "answer"),
    ],
)
def test_an_invalid_record_is_malformed(kind: type[Any], record: Any, where: str) -> None:
    """Whoever made it went around its checks; the message names the field and not what it holds."""
    with pytest.raises(MalformedReplyError, match=f"m:f returned an invalid {kind.__name__}") as raised:
        revalidated(kind, record, "m:f")
    assert where in str(raised.value)
    assert PRIVATE not in str(raised.value)


def test_an_async_generator_is_read_by_nobody() -> None:
    """It is handed on as it is, for the caller to refuse."""

    async def function() -> AsyncIterator[str]:
        yield "x"

    assert hasattr(call(function), "__anext__")
