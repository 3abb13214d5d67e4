"""The ``primum`` command."""

from primum.cli.main import main

__all__ = ["main"]
