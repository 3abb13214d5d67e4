"""Takes secrets out of command lines and settings before anything is written."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from pydantic import JsonValue

REDACTED: Final = "[redacted]"

_SECRET_WORDS: Final = frozenset(
    {
        "key",
        "apikey",
        "token",
        "secret",
        "password",
        "passwd",
        "passphrase",
        "authorization",
        "credential",
        "credentials",
    }
)
_WORDS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_OPTION: Final = re.compile(r"(?P<name>-{0,2}[A-Za-z][\w.-]*)=(?P<value>.*)", re.DOTALL)
# Values that give themselves away whatever they are called.
_URL_USER: Final = re.compile(r"(?<=://)[^/@\s]+@")
_BEARER: Final = re.compile(r"(?i)\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}")
_PROVIDER_KEY: Final = re.compile(r"\b(?:sk|pk|rk|hf|ghp|gsk)[-_][A-Za-z0-9_-]{12,}")


def is_secret_name(name: str) -> bool:
    """Whether something of this name holds a secret: ``api_key``, ``--api-key``, ``apiKey``, ``HF_TOKEN``.

    The last word decides, so that ``max_tokens`` and ``api_key_env`` (the name of a variable) stay readable.
    """
    words = _WORDS.findall(name)
    return bool(words) and words[-1].lower() in _SECRET_WORDS


def redact_text(text: str) -> str:
    """The text without credentials in URLs, authorization headers and keys of well-known shape."""
    text = _URL_USER.sub(f"{REDACTED}@", text)
    text = _BEARER.sub(lambda match: f"{match[1]} {REDACTED}", text)
    return _PROVIDER_KEY.sub(REDACTED, text)


def redact_arguments(arguments: Sequence[str]) -> tuple[str, ...]:
    """A command line in which the values of secret options, as ``--key v`` or ``--key=v``, are replaced."""
    redacted: list[str] = []
    hide_next = False
    for argument in arguments:
        option = _OPTION.fullmatch(argument)
        if hide_next:
            redacted.append(REDACTED)
        elif option and is_secret_name(option["name"]):
            redacted.append(f"{option['name']}={REDACTED}")
        else:
            redacted.append(redact_text(argument))
        hide_next = argument.startswith("-") and option is None and is_secret_name(argument)
    return tuple(redacted)


def redact_settings(settings: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Settings in which every value under a secret name, at any depth, is replaced."""
    return {
        name: REDACTED if is_secret_name(name) and value is not None else _redact_value(value)
        for name, value in settings.items()
    }


def _redact_value(value: JsonValue) -> JsonValue:
    if isinstance(value, Mapping):
        return redact_settings(value)
    if isinstance(value, list):
        return [_redact_value(item) for item in value]
    return redact_text(value) if isinstance(value, str) else value
