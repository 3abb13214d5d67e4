"""Takes secrets out of command lines, settings and manifests before anything is written."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from pydantic import JsonValue

from primum.records import ModelCall
from primum.records.manifest import RunManifest
from primum.store.secrecy import REDACTED, has_secret, is_secret_name, redact_text

_OPTION: Final = re.compile(r"(?P<name>-{0,2}[A-Za-z][\w.-]*)=(?P<value>.*)", re.DOTALL)
_REFERENCE: Final = re.compile(r"\$\{\w+\}|os\.environ/\w+")
"""Names the variable that holds the secret."""


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
    """Settings without secrets at any depth: values under a secret name, and secrets in any text, names included.

    To redact again changes nothing.
    """
    return {
        redact_text(name): REDACTED if is_secret_name(name) and value is not None else _redact_value(value)
        for name, value in settings.items()
    }


def redact_manifest(manifest: RunManifest) -> RunManifest:
    """The manifest without secrets, in the form in which it is stored."""
    systems = tuple(
        system.model_copy(
            update={"retriever": redact_text(system.retriever), "generator": redact_text(system.generator)}
        )
        for system in manifest.systems
    )
    return manifest.model_copy(
        update={
            "command": redact_arguments(manifest.command),
            "settings": redact_settings(manifest.settings),
            "systems": systems,
            "index_fingerprint": redact_text(manifest.index_fingerprint),
        }
    )


def redact_call(call: ModelCall | None) -> ModelCall | None:
    """How a model was asked, without secrets among what was sent along."""
    if call is None:
        return None
    return call.model_copy(
        update={
            "model_requested": redact_text(call.model_requested),
            "parameters": redact_settings(call.parameters),
        }
    )


def secrets_in(settings: Mapping[str, JsonValue]) -> list[str]:
    """Where settings hold what looks like a secret, by its name or by itself, such as ``judges.model.parameters.auth``.

    Of HTTP headers, which are often harmless, only those that look like secrets count. What names an environment
    variable, as ``api_key_env`` or ``${NAME}`` do, and what was redacted is no secret.

    Returns:
        Dotted locations in the order of the settings, list positions from 0; they hold no secret themselves.
    """
    return [redact_text(".".join(location)) for location in _secrets(settings, ())]


def _redact_value(value: JsonValue) -> JsonValue:
    if isinstance(value, Mapping):
        return redact_settings(value)
    if isinstance(value, list):
        return [_redact_value(item) for item in value]
    return redact_text(value) if isinstance(value, str) else value


def _secrets(value: JsonValue | Mapping[str, JsonValue], location: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            place = (*location, name)
            headers = isinstance(inner, Mapping) and name.lower().endswith("headers")
            if has_secret(name) or (is_secret_name(name) and not headers and _is_given(inner)):
                yield place
            else:
                yield from _secrets(inner, place)
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _secrets(item, (*location, str(number)))
    elif isinstance(value, str) and has_secret(value):
        yield location


def _is_given(value: JsonValue) -> bool:
    """Whether a value under a secret name is one: not empty, not redacted, not a reference, not a switch."""
    if isinstance(value, Mapping):
        return any(_is_given(inner) for inner in value.values())
    if isinstance(value, list):
        return any(_is_given(item) for item in value)
    if isinstance(value, str):
        return value not in ("", REDACTED) and not _REFERENCE.fullmatch(value)
    return value is not None and not isinstance(value, bool)
