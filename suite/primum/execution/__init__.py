"""Running units of work: how many at once, in which order, for how long."""

from primum.execution.deadline import deadline
from primum.execution.local import LocalEngine

__all__ = ["LocalEngine", "deadline"]
