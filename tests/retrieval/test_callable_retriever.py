"""Any function as a retriever: its ids are tied to the corpus."""

import asyncio
import functools
import itertools
import threading
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from primum.errors import ConfigError, EndpointError, EndpointTimeoutError, MalformedReplyError
from primum.records import Chunk, Hit, Passage, Retrieval, Scope
from primum.retrieval.callable import CallableRetriever

SCOPE = Scope(tenant="north", patient_id="A")


def ask(ward: Sequence[Chunk], returned: Any, limit: int = 5) -> Retrieval:
    retriever = CallableRetriever(lambda _question, _scope, _limit: returned, ward, name="mine")
    return asyncio.run(retriever.retrieve("which dose?", SCOPE, limit))


def made(kind: Any, **fields: object) -> Any:
    """A record that nobody checked."""
    return kind.model_construct(**fields)


def _later(search: Callable[..., Awaitable[list[str]]], *args: object) -> Awaitable[list[str]]:
    """A plain function whose result has to be awaited."""
    return search(*args)


def test_every_form_of_result_is_taken(ward: Sequence[Chunk]) -> None:
    """Ids, pairs, hits and passages, in the function's order."""
    passage = Passage(id="policy", document_id="x", document_version="1", text="what was really read")
    found = ask(ward, ["dose", ("renal", np.float32(0.5)), Hit(chunk_id="storage", score=0.25), passage])
    assert [(hit.chunk_id, hit.score) for hit in found.ranking.hits] == [
        ("dose", None),
        ("renal", 0.5),
        ("storage", 0.25),
        ("policy", None),
    ]
    assert found.passages[0].text == "Adults take 25 mg of velatrine twice a day with food."
    assert found.passages[3].text == "what was really read"


def test_a_passage_cannot_choose_its_patient(ward: Sequence[Chunk]) -> None:
    """A foreign note that is passed off as nobody's keeps its patient, so the gates see the leak."""
    disguised = Passage(id="note-b", document_id="x", document_version="1", text="...", tenant="shared")
    found = ask(ward, [disguised])
    assert found.passages[0].patient_id == "B"
    assert not found.passages[0].eligible(SCOPE)


def test_async_functions_are_awaited(ward: Sequence[Chunk]) -> None:
    """Coroutine functions and functions that return an awaitable."""

    async def search(_question: str, _scope: Scope, limit: int) -> list[str]:
        await asyncio.sleep(0)
        return ["dose", "renal"][:limit]

    for function in (search, functools.partial(_later, search)):
        retriever = CallableRetriever(function, ward, name="mine")
        assert asyncio.run(retriever.retrieve("q", SCOPE, 1)).ranking.ids == ("dose",)


def test_results_beyond_the_limit_are_left_out(ward: Sequence[Chunk]) -> None:
    """The protocol's limit holds whatever the function does."""
    assert ask(ward, ("dose", "renal", "storage"), limit=2).ranking.ids == ("dose", "renal")


@pytest.mark.parametrize(
    "returned", [["no-such-chunk"], [5], [("dose", "high")], [("dose", float("nan"))], [("a", 1, 2)], "dose", None, 7]
)
def test_what_cannot_be_tied_to_the_corpus_is_an_error(ward: Sequence[Chunk], returned: object) -> None:
    """Distinct from a miss: nothing is scored."""
    with pytest.raises(MalformedReplyError, match="mine returned"):
        ask(ward, returned)


@pytest.mark.parametrize(
    "error", [SystemExit(0), KeyboardInterrupt(), StopIteration(), asyncio.CancelledError()], ids=repr
)
def test_a_function_that_exits_is_an_endpoint_that_failed(ward: Sequence[Chunk], error: BaseException) -> None:
    """Plain, async or lazy."""

    def plain(_question: str, _scope: Scope, _limit: int) -> list[str]:
        raise error

    async def later(_question: str, _scope: Scope, _limit: int) -> list[str]:
        raise error

    def lazy(_question: str, _scope: Scope, _limit: int) -> Any:
        yield "dose"
        raise error

    for function in (plain, later, lazy):
        retriever = CallableRetriever(function, ward, name="mine")
        with pytest.raises((EndpointError, RuntimeError), match="raised"):
            asyncio.run(retriever.retrieve("q", SCOPE, 3))


def test_a_function_that_hangs_has_timed_out(ward: Sequence[Chunk]) -> None:
    """After the seconds that were set."""
    held = threading.Event()
    slow = CallableRetriever(lambda _q, _s, _n: [str(held.wait(60))], ward, name="mine", timeout_seconds=0.1)
    with pytest.raises(EndpointTimeoutError, match="mine was not done within"):
        asyncio.run(slow.retrieve("q", SCOPE, 3))
    held.set()


def test_an_endless_result_is_read_up_to_the_limit(ward: Sequence[Chunk]) -> None:
    """A function may be a generator."""
    assert ask(ward, itertools.cycle(["dose", "renal"]), limit=2).ranking.ids == ("dose", "renal")


@pytest.mark.parametrize(
    "item",
    [
        made(Passage, id="dose", text=7),
        made(Passage, id="dose", document_id="d", document_version="1", text=None),
        made(Hit, chunk_id="dose", score=float("nan")),
    ],
    ids=repr,
)
def test_a_record_that_was_made_without_its_checks_is_malformed(ward: Sequence[Chunk], item: object) -> None:
    """It would break the run later, where nobody knows why."""
    with pytest.raises(MalformedReplyError, match="mine returned an invalid"):
        ask(ward, [item])


def test_a_function_is_found_by_its_path(ward: Sequence[Chunk], tmp_path: Path) -> None:
    """``module:function``, from the project's folder too; mistakes name what is missing."""
    (tmp_path / "my_search_4711.py").write_text("class Of:\n    find = staticmethod(lambda q, s, n: ['dose'])\n")
    retriever = CallableRetriever.from_path("my_search_4711:Of.find", ward, folder=tmp_path)
    assert asyncio.run(retriever.retrieve("q", SCOPE, 3)).ranking.ids == ("dose",)
    for path, message in (
        ("no_such_module:f", "no module 'no_such_module'"),
        ("operator:nothing", "has no 'nothing'"),
        ("operator", "names no function"),
        ("..x:y", "names no function"),
        ("math:pi", "not a function"),
    ):
        with pytest.raises(ConfigError, match=message):
            CallableRetriever.from_path(path, ward)


def test_the_fingerprint_follows_name_version_and_corpus(ward: Sequence[Chunk]) -> None:
    """The version is the user's way to say that the function changed."""

    def search(_question: str, _scope: Scope, _limit: int) -> list[str]:
        return []

    prints = {
        CallableRetriever(search, ward, name="a").fingerprint,
        CallableRetriever(search, ward, name="b").fingerprint,
        CallableRetriever(search, ward, name="a", version="2").fingerprint,
        CallableRetriever(search, ward[1:], name="a").fingerprint,
    }
    assert len(prints) == 4
