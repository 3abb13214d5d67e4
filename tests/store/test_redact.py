"""Secrets leave command lines and settings; everything else stays readable."""

import re
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primum.store import is_secret_name, new_run_id, redact_arguments, redact_settings, redact_text


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


def test_run_ids_sort_by_time_and_can_be_read() -> None:
    """Whatever the time zone of the clock."""
    moment = datetime(2026, 11, 30, 7, 45, 12, tzinfo=UTC)
    run = new_run_id(moment.astimezone(timezone(timedelta(hours=5))))
    assert re.fullmatch(r"20261130-074512-[0-9a-f]{6}", run)
    assert run < new_run_id(moment + timedelta(seconds=1))
