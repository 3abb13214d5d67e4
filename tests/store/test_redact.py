"""Secrets leave command lines and settings; everything else stays readable."""

import re
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from primum.store import is_secret_name, new_run_id, redact_arguments, redact_settings, redact_text, secrets_in


@pytest.mark.parametrize(
    "name", ["api_key", "--api-key", "apiKey", "APIKEY", "HF_TOKEN", "client-secret", "db.password", "Authorization"]
)
def test_names_of_secrets_are_known(name: str) -> None:
    """In every usual spelling."""
    assert is_secret_name(name)


@pytest.mark.parametrize("name", ["max_tokens", "tokenizer", "api_key_env", "keyboard", "--config", "", "seed"])
def test_names_that_only_look_like_secrets_are_not(name: str) -> None:
    """A manifest stays useful."""
    assert not is_secret_name(name)


@given(st.text("abcdefghij0123456789-=", min_size=12), st.sampled_from(["--api-key", "-token", "--judge.password"]))
def test_the_value_of_a_secret_option_never_survives(secret: str, option: str) -> None:
    """Given apart or with an equals sign, and whatever it looks like."""
    for line in ([option, secret, "rest"], [f"{option}={secret}", "rest"]):
        redacted = redact_arguments(line)
        assert secret not in " ".join(redacted)
        assert redacted[-1] == "rest"


def test_plain_arguments_stay() -> None:
    """Nothing else is touched."""
    line = ("primum", "run", "-c", "primum.yaml", "--seed=3", "--max-tokens", "512")
    assert redact_arguments(line) == line


def test_credentials_are_taken_out_of_texts() -> None:
    """URLs, headers and keys of well-known shape, whatever they are called."""
    assert redact_text("https://me:pw@host/v1") == "https://[redacted]@host/v1"
    assert redact_text("Authorization: Bearer abcdefghijkl") == "Authorization: Bearer [redacted]"
    assert redact_text("use sk-abcdefghijklmnop now") == "use [redacted] now"


def test_settings_are_redacted_at_any_depth() -> None:
    """Also inside lists; an unset secret stays visibly unset."""
    settings = {"models": [{"name": "m", "api_key": "k", "secret": None}], "top": {"token": 3}}
    assert redact_settings(settings) == {  # type: ignore[arg-type]  # plain dicts are JSON values
        "models": [{"name": "m", "api_key": "[redacted]", "secret": None}],
        "top": {"token": "[redacted]"},
    }


@pytest.mark.parametrize(
    "name",
    ["auth", "x-auth", "X-Auth", "extra_headers", "default_headers", "api_token_value", "authHeader", "OAuth",
     "API_KEY_2", "api_keys", "access_tokens", "myapikey", "dbpassword", "Cookie", "x-functions-key",
     "user_password_text", "pwd"],
)  # fmt: skip
def test_less_usual_names_of_secrets_are_known(name: str) -> None:
    """Headers, plurals, run together, and with a word behind that says nothing."""
    assert is_secret_name(name)


@pytest.mark.parametrize(
    "name",
    ["max_token", "max_tokens", "stop_tokens", "eos_token", "prompt_cache_key", "author", "authors", "auth_method",
     "authority", "keys", "tokens", "password_env", "header_rows", "value", "3", "__", "n", "monkey", "api_key_env"],
)  # fmt: skip
def test_more_names_that_only_look_like_secrets_are_not(name: str) -> None:
    """A manifest stays useful, and a project file is not refused for nothing."""
    assert not is_secret_name(name)


SECRET = "Zx9fakeSecret77"  # noqa: S105 - made up
LEAKS: list[tuple[dict[str, JsonValue], str]] = [
    ({"api_base": f"http://h:1/v1?key={SECRET}"}, "api_base"),
    ({"api_base": f"http://h:1/v1?api-version=2&sig={SECRET}#x"}, "api_base"),
    ({"api_base": f"h:1/v1?key={SECRET}"}, "api_base"),
    ({"api_base": f"http://user:{SECRET}@h/v1"}, "api_base"),
    ({"api_base": f"http://user:p@{SECRET}@h/v1"}, "api_base"),
    ({"api_base": f"http://h/v1#access_token={SECRET}"}, "api_base"),
    ({"parameters": {"extra_headers": {"X-Auth": SECRET}}}, "parameters.extra_headers.X-Auth"),
    (
        {"parameters": {"extra_headers": {"Authorization": f"Bearer {SECRET}"}}},
        "parameters.extra_headers.Authorization",
    ),
    ({"parameters": {"auth": ["user", SECRET]}}, "parameters.auth"),
    ({"parameters": {"x-auth": {"value": SECRET}}}, "parameters.x-auth"),
    ({"parameters": {"api_token_value": SECRET}}, "parameters.api_token_value"),
    ({"parameters": {"my_token": 7_700_112_233}}, "parameters.my_token"),
    ({"models": [{"name": "a"}, {"name": f"openai/sk-{SECRET}-abcdefgh1234"}]}, "models.1.name"),
    ({"title": f"use sk-{SECRET}"}, "title"),
    ({"title": f"api_key={SECRET}"}, "title"),
    ({"title": f"Authorization: Token {SECRET}"}, "title"),
    ({"title": f"a jwt eyJhbGciOiJIUzI1NiJ9.{SECRET}{SECRET}.{SECRET}"}, "title"),
    ({"title": f"-----BEGIN RSA PRIVATE KEY-----\n{SECRET}\n-----END RSA PRIVATE KEY-----"}, "title"),
    ({f"sk-{SECRET}": 1}, "[redacted]"),
]


@pytest.mark.parametrize(("settings", "place"), LEAKS, ids=[place for _, place in LEAKS])
def test_a_secret_is_found_and_taken_out_wherever_it_stands(settings: dict[str, JsonValue], place: str) -> None:
    """Its place is told, without the secret."""
    redacted = str(redact_settings(settings))
    assert SECRET not in redacted
    assert "7700112233" not in redacted
    assert secrets_in(settings) == [place]


HARMLESS: dict[str, JsonValue] = {
    "title": "Basic information for the risk-stratification of key patients; the password policy = none",
    "name": "sk-12",
    "author": "Ada",
    "api_base": "https://host:8000/v1?api-version=2026-11-30&model=gpt",
    "api_key_env": "OPENAI_API_KEY",
    "parameters": {"max_tokens": 512, "stop": ["basic monitoring"], "prompt_cache_key": "ward", "seed": 7},
    "measures": ["P@5", "nDCG(gain=exp)@10"],
    "required_gates": ["citation", "pk-analysis-report"],
}


def test_what_is_no_secret_stays() -> None:
    """Word for word."""
    assert redact_settings(HARMLESS) == HARMLESS
    assert secrets_in(HARMLESS) == []


@pytest.mark.parametrize(
    "value", [None, "", True, [], {}, "${OPENAI_API_KEY}", "os.environ/OPENAI_API_KEY", "[redacted]"]
)
def test_a_secret_that_is_not_there_refuses_no_project(value: JsonValue) -> None:
    """Nor one that is only named."""
    assert secrets_in({"parameters": {"api_key": value}}) == []


def test_harmless_headers_refuse_no_project() -> None:
    """They are still left out of what is stored."""
    settings: dict[str, JsonValue] = {"extra_headers": {"X-Title": "ward", "Accept": "application/json"}}
    assert secrets_in(settings) == []
    assert redact_settings(settings) == {"extra_headers": "[redacted]"}


def test_a_query_value_of_an_unknown_name_is_not_stored() -> None:
    """It may be a secret; a project is not refused for it."""
    settings: dict[str, JsonValue] = {"api_base": f"https://h/v1?k={SECRET}&api-version=3&{SECRET}"}
    assert redact_settings({"url": f"https://h/v1?{SECRET}&{SECRET}#x"}) == {
        "url": "https://h/v1?[redacted]&[redacted]#x"
    }
    assert redact_settings({"url": f"https://h/v1?k={SECRET}&api-version=3"}) == {
        "url": "https://h/v1?k=[redacted]&api-version=3"
    }
    assert secrets_in(settings) == []


_PIECES = st.sampled_from(
    ["key", "=", "?", "&", "://", "@", "sk-", "Bearer ", "basic ", "authorization: ", "token", "a1b2c3d4e5f6", " ", "x",
     "#", "[redacted]", "\"", ",", "api_", "ey", "http"]
)  # fmt: skip
_TEXTS = st.lists(_PIECES, max_size=12).map("".join)
_JSON: st.SearchStrategy[JsonValue] = st.recursive(
    st.none() | st.booleans() | st.integers() | _TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXTS, inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(_TEXTS, _JSON, max_size=3))
def test_redacted_settings_hold_no_secret_and_stay_as_they_are(settings: dict[str, JsonValue]) -> None:
    """Settings are compared with stored ones, so to redact twice is to redact once."""
    once = redact_settings(settings)
    assert redact_settings(once) == once
    assert secrets_in(once) == []


def test_long_texts_are_redacted_at_once() -> None:
    """Hostile ones too."""
    for piece in ("a.", "a", "sk-", "basic ", "://", "authorization:", "?a=", "eyJa."):
        redact_text(piece * 20_000)


def test_run_ids_sort_by_time_and_can_be_read() -> None:
    """Whatever the time zone of the clock."""
    moment = datetime(2026, 11, 30, 7, 45, 12, tzinfo=UTC)
    run = new_run_id(moment.astimezone(timezone(timedelta(hours=5))))
    assert re.fullmatch(r"20261130-074512-[0-9a-f]{6}", run)
    assert run < new_run_id(moment + timedelta(seconds=1))
