"""Runs code that a user brings: whatever it does ends, in time, as a result or as an ordinary exception."""

import asyncio
import contextvars
import importlib
import inspect
import math
import signal
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Generic, TypeVar

from pydantic import TypeAdapter, ValidationError

from primum.digest import sha256_text
from primum.errors import (
    AuthenticationError,
    ConfigError,
    EndpointError,
    EndpointTimeoutError,
    MalformedReplyError,
    PrimumError,
    RateLimitError,
    ScopeLeakError,
    UnavailableError,
    at,
)
from primum.records import Record

T = TypeVar("T")
R = TypeVar("R", bound=Record)

TIMEOUT_SECONDS: Final = 120.0
"""How long a function may take when nothing else is set."""

_GRACE_SECONDS: Final = 1.0
_KINDS: Final = (
    ScopeLeakError,
    AuthenticationError,
    RateLimitError,
    EndpointTimeoutError,
    MalformedReplyError,
    UnavailableError,
)


class UserCodeError(EndpointError):
    """The user's code ended in a way that no function should, such as with `sys.exit`."""


@dataclass(frozen=True, slots=True)
class _Done(Generic[T]):
    value: T


@dataclass(frozen=True, slots=True)
class _Raised:
    error: BaseException


@dataclass(frozen=True, slots=True)
class _Later:
    awaitable: Awaitable[Any]


class UserFunction:
    """A function of the user's own, plain or async.

    A plain one runs in a daemon thread of its own: it holds up nothing else, and when it hangs the process can still
    end. An async one runs in the caller's event loop. Nothing can stop it there while it blocks the loop, as with
    `time.sleep` or long computing: neither the deadline nor the first Ctrl-C takes effect before it awaits again. A
    function that blocks should be a plain one.

    Args:
        function: What is called.
        name: What it is called in messages, such as ``module:function``.
        timeout_seconds: Deadline of one call, finite and above 0.

    Raises:
        ConfigError: `timeout_seconds` is no sensible limit.
    """

    def __init__(self, function: Callable[..., Any], name: str, timeout_seconds: float) -> None:
        if not (math.isfinite(timeout_seconds) and timeout_seconds > 0):
            raise ConfigError(f"{name}: timeout_seconds is {timeout_seconds}; give a finite number above 0")
        self.name = name
        self._function = function
        self._timeout_seconds = timeout_seconds
        self.source_digest = sha256_text(_source(function))
        """Digest of its module's source as it was when this was made; that of an empty text where there is none."""

    async def call(self, *arguments: object, finish: Callable[[object], T]) -> T:
        """Calls the function once.

        Args:
            *arguments: What the function is given.
            finish: Turns the reply into the result. It runs where the function ran, since a reply may be lazy.

        Raises:
            EndpointTimeoutError: There was no reply within the deadline.
            UserCodeError: The function raised what is no `Exception`, or what no coroutine can pass on.
            Exception: What else the function raised. Of errors of Primum's own types only the type is kept, unless
                Primum raised them: a text of the user's may quote the question.
        """
        task = asyncio.create_task(_work(self._function, arguments, finish))
        task.add_done_callback(_look_at)
        try:
            ended, _ = await asyncio.wait({task}, timeout=self._timeout_seconds)
        finally:
            if not task.done():
                task.cancel()
                await asyncio.wait({task}, timeout=_GRACE_SECONDS)
        if not ended:
            raise EndpointTimeoutError(
                f"{self.name} was not done within {self._timeout_seconds:g} s; "
                "raise its timeout_seconds, or see what it waits for"
            )
        # Nobody here has cancelled it, so the function did.
        outcome = _Raised(asyncio.CancelledError()) if task.cancelled() else task.result()
        if isinstance(outcome, _Raised):
            raise _passable(outcome.error, self.name) from None
        return outcome.value


def load_function(path: str, *, folder: Path | None, takes: Sequence[str]) -> Callable[..., Any]:
    """The function that ``module:function`` names; dots after the colon reach into classes.

    Args:
        path: The module and the function in it.
        folder: Also searched for the module, after the usual places.
        takes: Names of what the function is called with, in order.

    Raises:
        ConfigError: There is no such module or function, it cannot be called with `takes`, or the module could not
            be imported, whatever it raised.
    """
    module, _, name = path.partition(":")
    if not all(part.isidentifier() for part in [*module.split("."), *name.split(".")]):
        raise ConfigError(f"{path!r} names no function; write module:function, such as our_rag:answer")
    if folder is not None and str(folder) not in sys.path:
        sys.path.append(str(folder))
    try:
        found: Any = importlib.import_module(module)
    except BaseException as error:  # a module may raise anything, such as SystemExit
        if _is_interrupt(error):
            raise
        raise ConfigError(f"{path}: {_import_trouble(error, module, folder)}") from None
    try:
        for part in name.split("."):
            found = getattr(found, part)
    except BaseException as error:  # a module or class may answer for its attributes with code of its own
        if _is_interrupt(error):
            raise
        raise ConfigError(f"{path}: {module} has no {name!r}; write module:function") from None
    if not callable(found):
        raise ConfigError(f"{path}: is not a function; name one that takes {', '.join(takes)}")
    function: Callable[..., Any] = found
    if not _can_be_called(function, len(takes)):
        raise ConfigError(f"{path}: cannot be called with ({', '.join(takes)}); let it take these, in this order")
    return function


def _can_be_called(function: Callable[..., Any], arguments: int) -> bool:
    try:
        inspect.signature(function).bind(*[None] * arguments)
    except TypeError:
        return False
    except ValueError:  # built-in functions tell nothing of themselves
        return True
    return True


def revalidated(kind: type[R], record: R, source: str) -> R:
    """The record as a plain `kind`, checked: one of a subclass or made with `model_construct` may hold anything.

    Raises:
        MalformedReplyError: It is no valid record of this kind.
    """
    try:
        return kind.model_validate(TypeAdapter(kind).dump_python(record, warnings=False))
    except ValidationError as error:
        fields = sorted({".".join(map(str, item["loc"])) for item in error.errors(include_input=False)} - {""})
        where = f" ({', '.join(fields)})" if fields else ""
    except Exception:  # noqa: BLE001 - what is missing or of another type can raise anything while it is read
        where = ""
    raise MalformedReplyError(f"{source} returned an invalid {kind.__name__}{where}; make it with its constructor")


def _source(function: Callable[..., Any]) -> str:
    try:
        return inspect.getsource(inspect.getmodule(function) or type(function))
    except (OSError, TypeError):  # built in, or defined where there is no file
        return ""


async def _work(
    function: Callable[..., Any], arguments: tuple[object, ...], finish: Callable[[object], T]
) -> _Done[T] | _Raised:
    try:
        if inspect.iscoroutinefunction(function):
            return _Done(finish(await function(*arguments)))
        outcome = await _in_thread(lambda: _plain(function, arguments, finish))
        return _Done(finish(await outcome.awaitable)) if isinstance(outcome, _Later) else outcome
    except asyncio.CancelledError:
        raise
    except BaseException as error:  # in a task, SystemExit and KeyboardInterrupt would stop the whole loop
        if _is_interrupt(error):
            raise
        return _Raised(error)


def _plain(
    function: Callable[..., Any], arguments: tuple[object, ...], finish: Callable[[object], T]
) -> _Done[T] | _Raised | _Later:
    try:
        reply = function(*arguments)
        return _Later(reply) if inspect.isawaitable(reply) else _Done(finish(reply))
    except BaseException as error:  # noqa: BLE001 - handed to the caller; a future takes no StopIteration
        return _Raised(error)


async def _in_thread(work: Callable[[], T]) -> T:
    """The result of `work`, which never raises, from a thread that does not keep the process alive."""
    loop = asyncio.get_running_loop()
    waiting: asyncio.Future[T] = loop.create_future()
    context = contextvars.copy_context()

    def deliver(result: T) -> None:
        if not waiting.done():  # it is when nobody waits any more
            waiting.set_result(result)

    def run() -> None:
        result = context.run(work)
        with suppress(RuntimeError):  # the loop was closed in the meantime
            loop.call_soon_threadsafe(deliver, result)

    threading.Thread(target=run, name="primum-user-function", daemon=True).start()
    return await waiting


def _look_at(task: "asyncio.Task[Any]") -> None:
    """Sees a Ctrl-C that went through the task, so that asyncio does not report it as forgotten."""
    if not task.cancelled():
        task.exception()


def _passable(error: BaseException, name: str) -> Exception:
    """The error in a form that any caller can handle, without words of the user's in an error of ours."""
    said = f"{name}: {type(error).__name__} was raised"
    if isinstance(error, PrimumError):
        if _raised_by_primum(error):
            return error
        kind = next((kind for kind in _KINDS if isinstance(error, kind)), UserCodeError)
        return kind(said)
    if isinstance(error, Exception) and not isinstance(error, StopIteration | StopAsyncIteration):
        return error
    return UserCodeError(f"{said}; a function returns its answer, or raises an Exception")


def _raised_by_primum(error: PrimumError) -> bool:
    frames = [trace.tb_frame for trace in _traces(error)]
    return bool(frames) and str(frames[-1].f_globals.get("__name__")).partition(".")[0] == "primum"


def _is_interrupt(error: BaseException) -> bool:
    """Whether this is a real Ctrl-C, which only ever comes up in the main thread, or looks like one there."""
    if not isinstance(error, KeyboardInterrupt) or threading.current_thread() is not threading.main_thread():
        return False
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        return True
    # asyncio.run turns the first Ctrl-C into a cancellation and raises at the second.
    frames = [trace.tb_frame for trace in _traces(error)]
    return bool(frames) and frames[-1].f_globals.get("__name__") == "asyncio.runners"


def _traces(error: BaseException) -> Iterator[TracebackType]:
    trace = error.__traceback__
    while trace is not None:
        yield trace
        trace = trace.tb_next


def _import_trouble(error: BaseException, module: str, folder: Path | None) -> str:
    """What went wrong at import and where in the user's code; never the text of the exception."""
    kind = type(error).__name__
    missing = error.name if isinstance(error, ModuleNotFoundError) else None
    place = _place(error, folder)
    if missing is not None and not place:
        return f"there is no module {missing!r}; install it, or start where it can be imported"
    cause = f"{kind} at {place}" if place else kind
    advice = f"there is no module {missing!r}; install it" if missing else "mend it; importing it alone must work"
    return f"{module} cannot be imported: {cause}; {advice}"


def _place(error: BaseException, folder: Path | None) -> str:
    if isinstance(error, SyntaxError) and error.filename and Path(error.filename).is_file():
        return at(error.filename, error.lineno)
    frames = [(trace.tb_frame.f_code.co_filename, trace.tb_lineno) for trace in _traces(error)]
    frames = [frame for frame in frames if frame[0] not in (__file__, importlib.__file__) and "<frozen" not in frame[0]]
    if folder is not None:
        own = [frame for frame in frames if _is_own(Path(frame[0]), folder)]
        frames = own[-1:] or frames
    return at(*frames[0]) if frames else ""


def _is_own(file: Path, folder: Path) -> bool:
    return file.is_relative_to(folder) and "site-packages" not in file.parts
