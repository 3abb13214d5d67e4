"""Work that several gates share, done once an exchange."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Final, TypeVar

from primum.records import Exchange

T = TypeVar("T")
_KEPT: Final = 4
"""Exchanges whose results are remembered: a thread checks one at a time."""


class _Same:
    """An exchange as a key: the same object, because whether two are equal takes long to tell."""

    __slots__ = ("exchange",)

    def __init__(self, exchange: Exchange) -> None:
        self.exchange = exchange

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.exchange is other.exchange

    def __hash__(self) -> int:
        return id(self.exchange)


def once_an_exchange(function: Callable[[Exchange], T]) -> Callable[[Exchange], T]:
    """Remembers what a pure function made of the latest exchanges."""

    @lru_cache(maxsize=_KEPT)
    def remembered(key: _Same) -> T:
        return function(key.exchange)

    @wraps(function)
    def looked_up(exchange: Exchange) -> T:
        return remembered(_Same(exchange))

    return looked_up
