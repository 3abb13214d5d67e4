"""What can be wrong with a project and is told before anything is spent."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from primum.app.rubrics import known_rubrics
from primum.config import Settings
from primum.config.settings import ChatSettings, LiteLLMEmbedderSettings, ModelSettings
from primum.errors import ConfigError
from primum.store import secrets_in


def check_names(path: Path, settings: Settings) -> None:
    """Every gate, rubric and measure that the settings name is there, and named once.

    Raises:
        ConfigError: names the setting and what may stand there.
    """
    from primum_safety import default_gates, read_formulary

    policy, gates = settings.policy, [gate.id for gate in default_gates()]
    rubrics = known_rubrics(settings.judges, path.parent)
    if settings.formulary is not None:
        read_formulary(path.parent / settings.formulary)
    _known(path, "policy.required_gates", policy.required_gates, gates)
    _known(path, "judges.rubrics", settings.judges.rubrics, rubrics)
    _known(path, "policy.judge_minimum", policy.judge_minimum, settings.judges.rubrics)
    _known(path, "policy.retrieval_minimum", policy.retrieval_minimum, settings.retrieval.measures)


def check_secrets(path: Path, settings: Settings) -> None:
    """No setting holds a secret: the file is shared, and its settings are stored with every run.

    Raises:
        ConfigError: names the settings, never their values.
    """
    found = secrets_in(settings.content())
    if found:
        raise ConfigError(
            f"{path}: {', '.join(found)} looks like a secret; set it in the environment and name the variable "
            "in api_key_env"
        )


def check_keys(path: Path, settings: Settings, *, only: str = "") -> None:
    """Every environment variable that a model's key is read from is set.

    Args:
        path: The project file.
        settings: What it says.
        only: Start of the settings that are looked at, such as ``index``; none looks at all.

    Raises:
        ConfigError: names the setting and the variable.
    """
    for place, model in _models(settings):
        if place.startswith(only) and model.api_key_env is not None and not os.environ.get(model.api_key_env):
            raise ConfigError(
                f"{path}: {place}.api_key_env: the environment variable {model.api_key_env} is not set; "
                "set it to the key, or name another one"
            )


def _known(path: Path, setting: str, names: Iterable[str], known: Iterable[str]) -> None:
    counted, allowed = Counter(names), list(known)
    for name, times in counted.items():
        if name not in allowed:
            raise ConfigError(f"{path}: {setting} has {name!r}; write one of {', '.join(allowed) or 'nothing'}")
        if times > 1:
            raise ConfigError(f"{path}: {setting} has {name!r} twice; write it once")


def _models(settings: Settings) -> Iterator[tuple[str, ModelSettings]]:
    if isinstance(settings.index.embedder, LiteLLMEmbedderSettings):
        yield "index.embedder.model", settings.index.embedder.model
    for name, system in settings.systems.items():
        if isinstance(system.generator, ChatSettings):
            yield f"systems.{name}.generator.model", system.generator.model
    for number, model in enumerate(settings.judges.models):
        yield "judges.model" if number == 0 else f"judges.panel[{number - 1}]", model
