"""The plain word lists of the gates, by name."""

from functools import lru_cache
from importlib.resources import files


@lru_cache(maxsize=1)
def _lists() -> dict[str, frozenset[str]]:
    lists: dict[str, list[str]] = {}
    current: list[str] = []
    for line in files("primum_safety.data").joinpath("words.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            current = lists.setdefault(line.strip("[] "), [])
        elif not line.startswith("#"):
            current += line.split()
    return {name: frozenset(words) for name, words in lists.items()}


def word_list(name: str) -> frozenset[str]:
    """The words of one list of ``words.txt``; raises KeyError for a name that it does not have."""
    return _lists()[name]
