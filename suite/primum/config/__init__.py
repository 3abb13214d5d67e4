"""The project file ``primum.yaml``: what may stand in it, and reading it with the place of each mistake."""

from primum.config.load import load_settings
from primum.config.settings import Settings

__all__ = ["Settings", "load_settings"]
