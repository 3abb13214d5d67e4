"""Reads ``primum.yaml``."""

from pathlib import Path

from primum.config.settings import Settings
from primum.config.strict_yaml import read_yaml


def load_settings(path: Path) -> Settings:
    """The settings in `path`.

    Raises:
        ConfigError: with one line per mistake, each ``file:line:column: what is wrong and what to write``.
    """
    return read_yaml(path, Settings, missing="name your project's file with: primum run -c primum.yaml")
