"""Any Python function answers; what it raises is a failure."""

import asyncio
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import pytest

from primum.errors import AuthenticationError, ConfigError, EndpointTimeoutError
from primum.generation import CallableGenerator
from primum.generation.callable import Function
from primum.records import Answer, FailureKind, Generation, Outcome, Passage, Scope

SCOPE = Scope(tenant="north")
CONTEXT = (Passage(id="p", document_id="d", document_version="1", text="Take with food."),)


def ask(function: Function) -> Generation:
    """Asks the function once."""
    generator = CallableGenerator(function, "test:function")
    return asyncio.run(generator.generate("How?", SCOPE, CONTEXT, case_id="f/v", repetition=0))


def made(kind: Any, **fields: object) -> Any:
    """A record that nobody checked."""
    return kind.model_construct(**fields)


def raising(error: Exception) -> Function:
    """A function that raises."""

    def function(_question: str, _scope: Scope, _passages: Sequence[Passage]) -> str:
        raise error

    return function


def test_a_plain_function_is_given_question_scope_and_passages() -> None:
    """And runs off the loop's thread, so that a slow one holds up nothing."""
    threads: list[int] = []

    def function(question: str, scope: Scope, passages: Sequence[Passage]) -> str:
        threads.append(threading.get_ident())
        return f"{question} {scope.tenant} {passages[0].text}"

    assert ask(function).answer == Answer(text="How? north Take with food.")
    assert threads != [threading.get_ident()]


def test_an_async_function_is_awaited() -> None:
    """It may give an Answer with what it says it did."""

    async def function(question: str, scope: Scope, passages: Sequence[Passage]) -> Answer:
        await asyncio.sleep(0)
        return Answer(text=f"{question}{scope.tenant}{len(passages)}", outcome=Outcome.ABSTAINED)

    assert ask(function).answer == Answer(text="How?north1", outcome=Outcome.ABSTAINED)


def test_a_whole_generation_passes_through() -> None:
    """A function may say which passages it really used."""
    whole = Generation(answer=Answer(text="x"), context=())
    assert ask(lambda _question, _scope, _passages: whole) == whole


def test_what_a_function_raises_is_a_failure_without_its_words() -> None:
    """Its message may quote the question, which may hold patient data."""

    def function(question: str, scope: Scope, passages: Sequence[Passage]) -> str:
        raise ValueError(f"no answer to {question} in {scope} among {passages}")

    failure = ask(function).failure
    assert failure is not None
    assert (failure.kind, failure.stage) == (FailureKind.EXCEPTION, "generate")
    assert "How?" not in failure.message


def test_a_timeout_of_ours_keeps_its_kind() -> None:
    """Errors of our tree say more than that something was raised."""
    failure = ask(raising(EndpointTimeoutError("no reply within 3 s"))).failure
    assert failure is not None
    assert failure.kind is FailureKind.TIMEOUT


def test_a_refused_key_stops_the_run() -> None:
    """Asking on cannot help."""
    with pytest.raises(AuthenticationError):
        ask(raising(AuthenticationError("the key was refused")))


def test_a_reply_that_is_no_answer_is_malformed() -> None:
    """None is not an empty answer."""

    def function(_question: str, _scope: Scope, _passages: Sequence[Passage]) -> None:
        return None

    failure = ask(cast("Function", function)).failure
    assert failure is not None
    assert failure.kind is FailureKind.MALFORMED
    assert "test:function returned a NoneType; return a str" in failure.message


@pytest.mark.parametrize(
    "error", [SystemExit(0), KeyboardInterrupt(), StopIteration(), asyncio.CancelledError()], ids=repr
)
def test_a_function_that_exits_has_failed_like_any_other(error: BaseException) -> None:
    """Plain or async: its case is counted, and the next one is asked."""

    def plain(_question: str, _scope: Scope, _passages: Sequence[Passage]) -> str:
        raise error

    async def later(_question: str, _scope: Scope, _passages: Sequence[Passage]) -> str:
        raise error

    for function in (plain, later):
        failure = ask(function).failure
        assert failure is not None
        assert (failure.kind, failure.stage) == (FailureKind.EXCEPTION, "generate")


def test_a_function_that_hangs_has_timed_out() -> None:
    """After the seconds that were set."""
    held = threading.Event()

    def function(_question: str, _scope: Scope, _passages: Sequence[Passage]) -> str:
        return str(held.wait(60))

    generator = CallableGenerator(function, "test:function", timeout_seconds=0.1)
    failure = asyncio.run(generator.generate("How?", SCOPE, CONTEXT, case_id="f/v", repetition=0)).failure
    held.set()
    assert failure is not None
    assert failure.kind is FailureKind.TIMEOUT
    assert "test:function was not done within 0.1 s" in failure.message


@pytest.mark.parametrize(
    "reply",
    [
        made(Answer, text=None),
        made(Generation, answer=made(Answer, text=7)),
        made(Generation, answer=None, failure=None),
    ],
    ids=repr,
)
def test_a_record_that_was_made_without_its_checks_is_malformed(reply: Answer | Generation) -> None:
    """It would break the run later, where nobody knows why."""
    failure = ask(lambda _question, _scope, _passages: reply).failure
    assert failure is not None
    assert failure.kind is FailureKind.MALFORMED


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Path]:
    """A folder with a module in it that is not on the path."""
    module = tmp_path / "my_rag_under_test.py"
    module.write_text(
        "class Rag:\n    @staticmethod\n    def answer(q, s, p):\n        return 'from a file'\n\nSIZE = 3\n"
    )
    yield tmp_path
    sys.modules.pop(module.stem, None)
    if str(tmp_path) in sys.path:
        sys.path.remove(str(tmp_path))


def test_a_function_is_found_by_module_and_name(project: Path) -> None:
    """Also inside a class, and in the folder of the project file."""
    generator = CallableGenerator.from_path("my_rag_under_test:Rag.answer", folder=project)
    generation = asyncio.run(generator.generate("How?", SCOPE, CONTEXT, case_id="f/v", repetition=0))
    assert generation.answer == Answer(text="from a file")


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("no_such_module_here:answer", "there is no module 'no_such_module_here'"),
        ("my_rag_under_test:missing", "has no 'missing'; write module:function"),
        ("my_rag_under_test:SIZE", "is not a function"),
        ("my_rag_under_test", "write module:function"),
        ("..x:y", "names no function; write module:function"),
        ("my rag:y", "names no function"),
        (":answer", "names no function"),
    ],
)
def test_a_function_that_is_not_there_is_a_mistake_of_the_configuration(project: Path, path: str, words: str) -> None:
    """With what to write instead."""
    with pytest.raises(ConfigError, match=words):
        CallableGenerator.from_path(path, folder=project)


def test_a_function_by_its_path_has_a_deadline_too(project: Path) -> None:
    """Which is no part of its identity."""
    short = CallableGenerator.from_path("my_rag_under_test:Rag.answer", folder=project, timeout_seconds=1)
    assert short.fingerprint == CallableGenerator.from_path("my_rag_under_test:Rag.answer", folder=project).fingerprint
    with pytest.raises(ConfigError, match="timeout_seconds"):
        CallableGenerator.from_path("my_rag_under_test:Rag.answer", folder=project, timeout_seconds=0)


def test_the_fingerprint_changes_with_the_source(project: Path) -> None:
    """Another version of the same function is another system."""
    generator = CallableGenerator.from_path("my_rag_under_test:Rag.answer", folder=project)
    before = generator.fingerprint
    sys.modules.pop("my_rag_under_test")
    (project / "my_rag_under_test.py").write_text(
        "class Rag:\n    @staticmethod\n    def answer(q, s, p):\n        return 2\n"
    )
    sys.path_importer_cache.pop(str(project), None)
    assert CallableGenerator.from_path("my_rag_under_test:Rag.answer", folder=project).fingerprint != before
    assert generator.fingerprint == before, "the function that answers is still the one that was imported"
