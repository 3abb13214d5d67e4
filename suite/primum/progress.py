"""How long work reports that it goes on; what shows it is the caller's choice."""

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol


class Progress(Protocol):
    """Shows how far a stage is."""

    def track(self, label: str, total: int) -> AbstractContextManager[Callable[[int], None]]:
        """A context whose value is called with the number of units that were just finished."""
        ...


class Silent:
    """Shows nothing."""

    @contextmanager
    def track(self, label: str, total: int) -> Generator[Callable[[int], None]]:  # noqa: ARG002 - the protocol's shape
        """Counts nothing."""
        yield lambda _: None
