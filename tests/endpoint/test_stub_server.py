"""Calls and judges against the shared stub server, started as a process of its own."""

import asyncio
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from primum.endpoint import Completion, Endpoint, Message, complete
from primum.endpoint.embeddings import embed
from primum.records import Answer, AnswerKey, Exchange, FailureKind, Passage, Scope, Status
from primum_judges import Mode, model_judges, shipped_rubrics

STUB = Path(__file__).parents[3] / "shared/bench/stub_llm/server.py"
PROMPT = (Message(role="user", content="Which dose?"),)
MODES: tuple[Mode, ...] = ("tools", "json_schema", "json")

pytestmark = pytest.mark.shared


class Stub:
    """A running stub."""

    def __init__(self, address: str) -> None:
        self.address = address

    def endpoint(self, fault: str | None = None, **settings: Any) -> Endpoint:
        """An endpoint whose every request asks for a fault."""
        headers = {"extra_headers": {"x-stub-fault": fault}} if fault else {}
        given = {
            "model": "openai/stub-model",
            "api_base": self.address,
            "backoff_seconds": 0.01,
            "timeout_seconds": 10,
            "attempts": 2,
            "parameters": headers,
        }
        return Endpoint.model_validate(given | settings)

    def ask(self, fault: str | None = None, **settings: Any) -> Completion:
        """One completion."""
        return asyncio.run(complete(self.endpoint(fault, **settings), PROMPT))


@pytest.fixture(scope="module")
def stub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stub]:
    """The stub, as a subprocess."""
    if not STUB.exists():
        pytest.skip("../shared/bench/stub_llm is absent")
    port_file = tmp_path_factory.mktemp("stub") / "port"
    command = [sys.executable, str(STUB), "--port", "0", "--port-file", str(port_file), "--retry-after", "0.05"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 20
        while not port_file.exists():
            if process.poll() is not None or time.monotonic() > deadline:
                pytest.fail("the stub did not start")
            time.sleep(0.02)
        yield Stub(f"http://127.0.0.1:{port_file.read_text()}/v1")
    finally:
        process.terminate()
        process.wait(timeout=10)


def test_a_plain_completion_works(stub: Stub) -> None:
    """Text, usage and fingerprint."""
    done = stub.ask()
    assert done.text
    assert done.call.usage is not None
    assert done.call.fingerprint == "stub"
    assert len(done.call.attempts) == 1


@pytest.mark.parametrize(
    ("fault", "kind", "attempts"),
    [
        ("429", FailureKind.RATE_LIMITED, 2),
        ("500", FailureKind.UNAVAILABLE, 2),
        ("503", FailureKind.UNAVAILABLE, 2),
        ("reset", FailureKind.UNAVAILABLE, 2),
        ("truncate_body", FailureKind.UNAVAILABLE, 2),
        ("empty", FailureKind.MALFORMED, 1),
        ("refusal", FailureKind.REFUSED_BY_PROVIDER, 1),
        ("wrong_model", FailureKind.WRONG_MODEL, 1),
    ],
)
def test_a_fault_of_a_completion_is_told_apart(stub: Stub, fault: str, kind: FailureKind, attempts: int) -> None:
    """With the attempts that were made."""
    done = stub.ask(fault)
    assert done.failure is not None
    assert done.failure.kind is kind
    assert len(done.call.attempts) == attempts


@pytest.mark.parametrize("fault", ["hang", "drip"])
def test_slowness_ends_at_the_deadline(stub: Stub, fault: str) -> None:
    """Whether no byte comes or one at a time."""
    started = time.monotonic()
    done = stub.ask(fault, timeout_seconds=0.3)
    assert done.failure is not None
    assert done.failure.kind is FailureKind.TIMEOUT
    assert time.monotonic() - started < 5


def test_embeddings_work(stub: Stub) -> None:
    """Equal texts have equal vectors."""
    vectors = asyncio.run(embed(stub.endpoint(), ["one dose", "another", "one dose"]))
    assert vectors.shape == (3, 256)
    assert vectors[0].tolist() == vectors[2].tolist() != vectors[1].tolist()


EXCHANGE = Exchange(
    id="demo/x/y/0",
    question="Which dose of zyxol?",
    scope=Scope(tenant="t"),
    context=(Passage(id="p", document_id="d", document_version="1", text="Zyxol: 5 mg."),),
    answer=Answer(text="Zyxol: 5 mg."),
)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("truncate", FailureKind.TRUNCATED),
        ("prose", FailureKind.MALFORMED),
        ("fenced", FailureKind.MALFORMED),
        ("no_verdict", FailureKind.MALFORMED),
        ("bad_enum", FailureKind.MALFORMED),
        ("empty", FailureKind.MALFORMED),
        ("refusal", FailureKind.REFUSED_BY_PROVIDER),
        ("wrong_model", FailureKind.WRONG_MODEL),
    ],
)
def test_no_fault_of_a_reply_is_a_verdict(stub: Stub, mode: Mode, fault: str, kind: FailureKind) -> None:
    """Each ends as inconclusive, in every mode, for both scales."""
    rubrics = [shipped_rubrics()[name] for name in ("faithfulness", "relevance")]
    for judge in model_judges(stub.endpoint(fault), rubrics, mode):
        verdict = asyncio.run(judge.judge(EXCHANGE, AnswerKey(), repetition=0))
        assert (verdict.status, verdict.score) == (Status.INCONCLUSIVE, None)
        assert verdict.failure is not None
        assert verdict.failure.kind is kind


@pytest.mark.parametrize("mode", MODES)
def test_a_label_of_the_stub_is_a_verdict(stub: Stub, mode: Mode) -> None:
    """The stub picks the first label of the schema."""
    (judge,) = model_judges(stub.endpoint(), [shipped_rubrics()["relevance"]], mode)
    verdict = asyncio.run(judge.judge(EXCHANGE, AnswerKey(), repetition=0))
    assert (verdict.status, verdict.score) == (Status.PASS, 1.0)
