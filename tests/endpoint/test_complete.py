"""Chat completions against a real server on the loopback interface."""

import asyncio
import logging
import threading
import time
from decimal import Decimal

import pytest

from primum.endpoint import Completion, Endpoint, Message, complete
from primum.records import FailureKind
from primum.testing import FakeEndpoint, FakeReply

SECRET = "sk-test-do-not-print-4711"  # noqa: S105 - invented for this test
PROMPT = (Message(role="system", content="Answer."), Message(role="user", content="Which dose for Zyx Quux?"))


def ask(server: FakeEndpoint, **settings: object) -> Completion:
    """One completion with quick retries."""
    given = {"model": "openai/fake-model", "api_base": server.url, "backoff_seconds": 0.01, "timeout_seconds": 10}
    return asyncio.run(complete(Endpoint.model_validate(given | settings), PROMPT))


def test_a_good_reply_is_one_request_with_its_origin() -> None:
    """Model as asked and returned, fingerprint, usage, hash and one attempt."""
    with FakeEndpoint([FakeReply(text="5 mg", model="fake-model-2026-01-01")]) as server:
        done = ask(server, parameters={"temperature": 0, "seed": 7})
    assert done.text == done.call.raw_reply == "5 mg"
    assert done.failure is None
    assert len(server.requests) == len(done.call.attempts) == 1
    body = server.requests[0].body
    assert body["messages"] == [
        {"role": "system", "content": "Answer."},
        {"role": "user", "content": "Which dose for Zyx Quux?"},
    ]
    assert (body["temperature"], body["seed"], body["model"]) == (0, 7, "fake-model")
    call = done.call
    assert (call.model_requested, call.model_returned) == ("openai/fake-model", "fake-model-2026-01-01")
    assert (call.fingerprint, call.finish_reason) == ("fake", "stop")
    assert call.usage is not None
    assert (call.usage.prompt_tokens, call.usage.completion_tokens) == (100, 20)
    assert call.parameters == {"temperature": 0, "seed": 7}


def test_parameters_are_sent_only_if_set() -> None:
    """Some models refuse temperature; nothing is sent that nobody asked for."""
    with FakeEndpoint() as server:
        ask(server)
    assert set(server.requests[0].body) <= {"messages", "model", "stream"}


def test_an_unknown_price_is_none_and_a_known_one_is_summed() -> None:
    """Never 0 for what is not known."""
    with FakeEndpoint() as server:
        assert ask(server).call.cost_usd is None
        known = ask(server, model="openai/gpt-4o").call.cost_usd
    assert known == Decimal("0.00045")


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (FakeReply(text="5 m", finish_reason="length"), FailureKind.TRUNCATED),
        (FakeReply(text="", finish_reason="content_filter"), FailureKind.CONTENT_FILTER),
        (FakeReply(refusal="I cannot help with that."), FailureKind.REFUSED_BY_PROVIDER),
        (FakeReply(text="   "), FailureKind.MALFORMED),
        (FakeReply(text=None), FailureKind.MALFORMED),
        (FakeReply(text="5 mg", model="another-model"), FailureKind.WRONG_MODEL),
        (FakeReply(status=400), FailureKind.EXCEPTION),
        (FakeReply(status=401), FailureKind.AUTHENTICATION),
        (FakeReply(status=403), FailureKind.AUTHENTICATION),
        (FakeReply(status=404), FailureKind.EXCEPTION),
    ],
)
def test_what_trying_again_cannot_mend_is_one_request(reply: FakeReply, kind: FailureKind) -> None:
    """Each is told apart from the others, and none is a text."""
    with FakeEndpoint([reply]) as server:
        done = ask(server)
    assert done.text is None
    assert done.failure is not None
    assert done.failure.kind is kind
    assert len(server.requests) == len(done.call.attempts) == 1


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (FakeReply(status=429), FailureKind.RATE_LIMITED),
        (FakeReply(status=500), FailureKind.UNAVAILABLE),
        (FakeReply(status=503), FailureKind.UNAVAILABLE),
        (FakeReply(fault="reset"), FailureKind.UNAVAILABLE),
        (FakeReply(text="5 mg", fault="cut"), FailureKind.UNAVAILABLE),
    ],
)
def test_a_transient_fault_costs_exactly_the_attempts_that_are_set(reply: FakeReply, kind: FailureKind) -> None:
    """One request an attempt: neither litellm nor its HTTP client adds any."""
    with FakeEndpoint([reply]) as server:
        done = ask(server, attempts=3)
    assert done.failure is not None
    assert done.failure.kind is kind
    assert len(server.requests) == len(done.call.attempts) == 3
    assert [attempt.failure.kind for attempt in done.call.attempts if attempt.failure] == [kind] * 3


def test_a_call_recovers_and_keeps_what_failed() -> None:
    """The attempts that failed stand beside the one that did not."""
    with FakeEndpoint([FakeReply(status=500), FakeReply(status=429), FakeReply(text="5 mg")]) as server:
        done = ask(server)
    assert done.text == "5 mg"
    kinds = [attempt.failure.kind if attempt.failure else None for attempt in done.call.attempts]
    assert kinds == [FailureKind.UNAVAILABLE, FailureKind.RATE_LIMITED, None]


@pytest.mark.parametrize("status", [429, 500, 503, 529])
def test_retry_after_is_honoured(status: int) -> None:
    """The second request comes no sooner than the endpoint asked, whether it is busy or down."""
    replies = [FakeReply(status=status, headers={"Retry-After": "0.4"}), FakeReply(text="5 mg")]
    with FakeEndpoint(replies) as server:
        started = time.monotonic()
        done = ask(server)
    assert done.text == "5 mg"
    assert time.monotonic() - started >= 0.4


def test_too_long_a_retry_after_ends_the_call() -> None:
    """Nobody waits an hour inside a release check."""
    with FakeEndpoint([FakeReply(status=429, headers={"Retry-After": "3600"})]) as server:
        done = ask(server)
    assert done.failure is not None
    assert done.failure.kind is FailureKind.RATE_LIMITED
    assert len(server.requests) == 1


@pytest.mark.parametrize("reply", [FakeReply(fault="hang"), FakeReply(text="x" * 4000, fault="drip", seconds=0.05)])
def test_a_hang_and_a_drip_end_at_the_deadline(reply: FakeReply) -> None:
    """The deadline is on the whole reply, not on the time between two bytes."""
    with FakeEndpoint([reply]) as server:
        started = time.monotonic()
        done = ask(server, attempts=1, timeout_seconds=1)
        took = time.monotonic() - started
    assert done.failure is not None
    assert done.failure.kind is FailureKind.TIMEOUT
    assert took < 4


PROVIDERS = ["openai", "anthropic", "mistral", "ollama_chat", "gemini", "azure", "hosted_vllm"]


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_refused_connection_is_not_an_error_of_the_server(provider: str) -> None:
    """Nobody listens there; litellm calls it HTTP 500."""
    with FakeEndpoint() as server:
        gone = server.url.removesuffix("/v1")
    parameters = {"api_version": "2024-02-01"} if provider == "azure" else {}
    endpoint = Endpoint(
        model=f"{provider}/x", api_base=gone, attempts=2, backoff_seconds=0.01, parameters=dict(parameters)
    )
    done = asyncio.run(complete(endpoint, PROMPT))
    assert done.failure is not None
    assert done.failure.kind is FailureKind.UNAVAILABLE
    assert "no connection" in done.failure.message
    assert "HTTP" not in done.failure.message
    assert len(done.call.attempts) == 2


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize(
    ("reply", "kind", "says"),
    [
        (FakeReply(fault="reset"), FailureKind.UNAVAILABLE, "the connection broke off"),
        (FakeReply(text="5 mg", fault="cut"), FailureKind.UNAVAILABLE, "the connection broke off"),
        (FakeReply(status=503, body=b"<html>"), FailureKind.UNAVAILABLE, "HTTP 503"),
        (FakeReply(body=b"\xff\xfe{}"), FailureKind.MALFORMED, "cannot read"),
    ],
)
def test_a_broken_connection_a_failing_server_and_an_unreadable_reply_are_told_apart(
    provider: str, reply: FakeReply, kind: FailureKind, says: str
) -> None:
    """Whichever way litellm reaches the provider."""
    parameters = {"api_version": "2024-02-01"} if provider == "azure" else {}
    with FakeEndpoint([reply]) as server:
        base = server.url.removesuffix("/v1")
        done = ask(server, model=f"{provider}/x", api_base=base, parameters=parameters, attempts=1)
    assert done.failure is not None
    assert done.failure.kind is kind
    assert says in done.failure.message
    assert len(server.requests) == 1


@pytest.mark.parametrize("body", [b"<html>", b"{", b"[]", b"{}", b'{"choices": []}', b'{"choices": [{}]}', b"\xff\xfe"])
def test_a_body_that_is_no_completion_is_a_failure(body: bytes) -> None:
    """Whatever comes back, it is a value and never a text."""
    with FakeEndpoint([FakeReply(body=body)]) as server:
        done = ask(server, attempts=1)
    assert done.text is None
    assert done.failure is not None
    assert done.failure.kind in (FailureKind.MALFORMED, FailureKind.UNAVAILABLE)


def test_a_prompt_that_is_too_long_is_not_sent() -> None:
    """The length is checked before the call."""
    with FakeEndpoint() as server:
        done = ask(server, max_prompt_characters=10)
    assert done.failure is not None
    assert done.failure.kind is FailureKind.TOO_LONG
    assert server.requests == ()
    assert done.call.attempts == ()


def test_the_key_is_read_when_the_call_is_made_and_kept_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """It reaches the server and nothing that is stored."""
    monkeypatch.setenv("PRIMUM_TEST_KEY", SECRET)
    with FakeEndpoint(key=SECRET) as server:
        done = ask(server, api_key_env="PRIMUM_TEST_KEY")
        assert server.requests[0].headers["authorization"] == f"Bearer {SECRET}"
        monkeypatch.setenv("PRIMUM_TEST_KEY", SECRET + "-wrong")
        refused = ask(server, api_key_env="PRIMUM_TEST_KEY")
    assert done.text is not None
    assert refused.failure is not None
    assert refused.failure.kind is FailureKind.AUTHENTICATION
    assert SECRET not in done.model_dump_json() + refused.model_dump_json()


def test_a_missing_key_is_an_authentication_failure_without_a_request(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message names the variable."""
    monkeypatch.delenv("PRIMUM_TEST_KEY", raising=False)
    with FakeEndpoint() as server:
        done = ask(server, api_key_env="PRIMUM_TEST_KEY")
    assert server.requests == ()
    assert done.failure is not None
    assert done.failure.kind is FailureKind.AUTHENTICATION
    assert "PRIMUM_TEST_KEY" in done.failure.message


def test_no_key_of_the_environment_goes_to_another_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key for the provider is not for whoever stands behind api_base."""
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    with FakeEndpoint() as server:
        ask(server)
    assert SECRET not in str(server.requests[0].headers)


def test_no_failure_quotes_the_provider_or_the_prompt() -> None:
    """Their text can hold patient data and keys."""
    body = b'{"error": {"message": "Zyx Quux sk-leak", "code": "invalid_value", "param": "temperature"}}'
    with FakeEndpoint([FakeReply(status=400, body=body)]) as server:
        done = ask(server)
    assert done.failure is not None
    assert "Zyx" not in done.failure.message
    assert "sk-leak" not in done.failure.message
    assert "400" in done.failure.message


def test_nothing_is_printed_or_logged(
    capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither prompts nor the provider's notices."""
    monkeypatch.setenv("PRIMUM_TEST_KEY", SECRET)
    caplog.set_level(logging.DEBUG)
    with FakeEndpoint([FakeReply(status=500), FakeReply(text="5 mg")]) as server:
        ask(server, api_key_env="PRIMUM_TEST_KEY")
    out = capsys.readouterr()
    assert out.out + out.err == ""
    assert "Zyx" not in caplog.text
    assert SECRET not in caplog.text


def test_a_call_leaves_no_thread_and_no_open_connection() -> None:
    """Many event loops one after the other; an unclosed connection would be a warning, and warnings are errors."""
    before = set(threading.enumerate())
    with FakeEndpoint() as server:
        assert [ask(server).text for _ in range(5)] == ["A fake reply."] * 5
    assert set(threading.enumerate()) <= before


def test_many_calls_in_one_loop_are_independent() -> None:
    """Each keeps its own attempts and hash."""

    async def many(server: FakeEndpoint) -> list[Completion]:
        endpoint = Endpoint(model="openai/fake-model", api_base=server.url)
        return await asyncio.gather(
            *(complete(endpoint, [Message(role="user", content=f"question {n}")]) for n in range(20))
        )

    with FakeEndpoint(lambda request: FakeReply(text=request.user.removeprefix("question "))) as server:
        done = asyncio.run(many(server))
    assert [completion.text for completion in done] == [str(n) for n in range(20)]
    assert len({completion.call.prompt_hash for completion in done}) == 20


def test_parameters_cannot_override_what_is_ours() -> None:
    """Such as the number of retries or the key."""
    with pytest.raises(ValueError, match="max_retries"):
        Endpoint(model="openai/x", parameters={"max_retries": 5})


@pytest.mark.parametrize("model", ["anthropic/x", "mistral/x", "ollama_chat/x", "gemini/x", "azure/x", "hosted_vllm/x"])
def test_every_kind_of_provider_sends_one_request_an_attempt(model: str) -> None:
    """Litellm reaches them in different ways, each with retries of its own; and Retry-After is read from each."""
    parameters = {"api_version": "2024-02-01"} if model.startswith("azure") else {}
    with FakeEndpoint([FakeReply(status=500), FakeReply(status=429, headers={"Retry-After": "0.2"})]) as server:
        base = server.url.removesuffix("/v1")
        started = time.monotonic()
        done = ask(server, model=model, api_base=base, parameters=parameters, attempts=3)
        took = time.monotonic() - started
    assert done.failure is not None
    assert done.failure.kind is FailureKind.RATE_LIMITED
    assert len(server.requests) == len(done.call.attempts) == 3
    assert took >= 0.2


def test_a_key_does_not_go_into_parameters() -> None:
    """Parameters are stored with every call."""
    with pytest.raises(ValueError, match="api_key_env"):
        Endpoint(model="openai/x", parameters={"extra_headers": {"X-Api-Key": SECRET}})
    Endpoint(model="openai/x", parameters={"extra_headers": {"x-team": "north"}})


@pytest.mark.parametrize("address", ["localhost:8000", "ftp://host", "https://user:pass@host/v1", "file:///etc"])
def test_an_address_is_http_and_holds_no_key(address: str) -> None:
    """A key in an address would be shown wherever the address is."""
    with pytest.raises(ValueError, match="api_base"):
        Endpoint(model="openai/x", api_base=address)
