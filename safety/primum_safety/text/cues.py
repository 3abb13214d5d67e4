"""Words around a number that say what it is. The words are in ``cues.grammar``; here is how they combine."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from primum_safety.text.grammar import Phrases, frames, grammar
from primum_safety.text.patterns import lower_pattern

_COMPARATORS: Final = ("<=", "=<", ">=", "<", ">", "~")
_LINK: Final = r"(?:\s*(?:the\s+age\s+of|age|aged|of|a|an|is|to|:|=|than)\s*){0,2}\s*$"
_TAKES: Final = re.compile(
    r"(?<!for )(?<!lasting )(?<!just )(?<!of )\bover\s*(?:about|a|an|approximately|the)?\s*$", re.IGNORECASE
)
_ASIDE: Final = re.compile(r"\s*\([^()\n]{0,40}\)")
_WINDOW: Final = 90
"""Characters before a number in which its comparator may begin."""
_STOP: Final = r"\s*(?:[.;,)\[]|$)"
_STEP_TAIL: Final = r"(?:\W+(?:a|an|another|further|extra|additional|up|to|about)){0,3}\W*$"

ROLES: Final = "role"
POPULATIONS: Final = "population"
ROUTES: Final = "route"
ANALYTES: Final = "analyte"
ACTIONS: Final = "action"

_EXCLUSIVE_ROLES: Final = (
    frozenset({"start", "maintenance", "loading"}),
    frozenset({"increase", "decrease"}),
    frozenset({"treatment", "prophylaxis"}),
)
_PURPOSES: Final = frozenset({"treatment", "prophylaxis"})
_OPPOSED_ACTIONS: Final = (
    ("stop", "begin"),
    ("stop", "continue"),
    ("avoid", "begin"),
    ("avoid", "continue"),
    ("reduce", "raise"),
)
_EXCLUSIVE_TIMES: Final = frozenset({"for", "after", "within", "before", "over", "added", "removed"})


@lru_cache(maxsize=8)
def _family(kind: str) -> Mapping[str, Phrases]:
    """The sections of one kind, such as ``role``, by their own names."""
    return {
        name.removeprefix(f"{kind} "): p for name, p in grammar("cues.grammar").items() if name.startswith(f"{kind} ")
    }


@lru_cache(maxsize=64)
def _ending(section: str, tail: str = r"\s*$") -> Phrases:
    """A section's frames, followed by no more than `tail`."""
    parts, _ = frames("cues.grammar")[section]
    options = "|".join(parts)
    return Phrases(lower_pattern(rf"(?<!\w)(?:{options})(?!\w){tail}"))


@lru_cache(maxsize=8)
def _any_of(kind: str) -> Phrases:
    """One pattern for all sections of a kind, to pass over words that match none quickly."""
    return Phrases(lower_pattern("|".join(f"(?:{phrases.pattern})" for phrases in _family(kind).values())))


@lru_cache(maxsize=8192)
def tags(kind: str, words: str) -> frozenset[str]:
    """The names of the sections of one kind that `words` matches, such as the roles that it speaks of."""
    if not _any_of(kind).search(words):
        return frozenset()
    return frozenset(name for name, pattern in _family(kind).items() if pattern.search(words))


def comparator(text: str, start: int, end: int, floor: int = 0, *, timed: bool = False, joined: bool = False) -> str:
    """``<``, ``<=``, ``=<`` (equal, and no more), ``>``, ``>=``, ``~`` or nothing, for ``text[start:end]``.

    Args:
        text: Normalised text.
        start: Offset of the number.
        end: Offset after its unit.
        floor: Nothing before this offset belongs to the number.
        timed: The number is a stretch of hours or days, before which "over" says how long something takes.
        joined: The number before has a comparator of its own, so that "and below" belongs to this one.
    """
    after = text[end : end + 60]
    if (aside := _ASIDE.match(after)) is not None:
        after = after[aside.end() :]
    for name in (">=", "<="):
        if grammar("cues.grammar")[f"after {name}"].match(after.lstrip()):
            return name
    before = text[max(floor, start - _WINDOW) : start]
    if not before.strip() or (timed and _TAKES.search(before)):
        return ""
    found = [(match.start(), name) for name in _COMPARATORS if (match := _ending(name, _LINK).search(before))]
    if joined:
        found += [(match.start(), name) for name in "<>" if (match := _ending(f"joined {name}").search(before))]
    return min(found, default=(0, ""), key=lambda pair: pair[0])[1]


def compared_after(text: str, end: int) -> bool:
    """Whether words after the number that ends at `end` compare it, as in ``65 years and over``."""
    after = text[end : end + 60].lstrip()
    return any(grammar("cues.grammar")[f"after {name}"].match(after) for name in (">=", "<="))


def header_comparator(header: str) -> str:
    """``<=`` or ``>=`` when the header of a table's column says that its amounts are limits, else nothing."""
    return next((name for name in ("<=", ">=") if grammar("cues.grammar")[f"header {name}"].search(header)), "")


def time_role(text: str, start: int, end: int, comparator: str = "") -> str:
    """What a time is, such as ``for`` or ``after``, or nothing; the time is ``text[start:end]``.

    With its comparator, "no later than an hour after" is within an hour.
    """
    role = _time_role(text, start, end)
    if role == "before" and _ending("not earlier").search(text[max(0, start - 36) : start]):
        return "within"  # "no earlier than an hour before bed" is in the hour before bed
    return "within" if role == "after" and comparator in ("<", "<=") else role


def _time_role(text: str, start: int, end: int) -> str:
    after = text[end : end + 20].lstrip(" -")
    if _ending("time within").search(text[max(0, start - 36) : start]):
        return "within"  # "within an hour after arrival"
    for name, pattern in _family("time-after").items():
        if pattern.match(after):
            return name
    before = text[max(0, start - 36) : start]
    return next((name for name in _family("time") if _ending(f"time {name}").search(before)), "")


def step_role(before: str) -> frozenset[str]:
    """``step`` when the words before a number make it a step by which a dose changes, ``added`` when it may be one."""
    near = before[-60:]
    for name in ("step", "added"):
        if _ending(name, _STEP_TAIL).search(near):
            return frozenset({name})
    return frozenset()


def purpose_after(roles: frozenset[str], after: str) -> frozenset[str]:
    """What an amount is for, named after it when nothing before says: ``4,000 units once daily prevents a clot``."""
    if roles & _PURPOSES:
        return frozenset()
    found = tags(ROLES, after) & _PURPOSES
    return found if len(found) == 1 else frozenset()


def follows(before: str, after: str) -> bool:
    """Whether an amount is said to follow another one: ``then 12 mg``, ``12 mg after it``."""
    earlier = grammar("cues.grammar")["later before"].search(before)
    return earlier is not None or _ending("later after", _STOP).search(after) is not None


def negated(words: str) -> bool:
    """Whether a clause says that something is not to be done, a limit such as "not more than" apart."""
    phrases = grammar("cues.grammar")
    return bool(phrases["negated"].search(words)) and bool(phrases["negated"].search(phrases["limit"].sub(" ", words)))


def times_conflict(one: str, other: str, *, days: bool = False) -> bool:
    """Whether two roles of a time exclude each other; over days is as long as for days."""
    if days and {one, other} == {"over", "for"}:
        return False
    return one != other and one in _EXCLUSIVE_TIMES and other in _EXCLUSIVE_TIMES


def roles_conflict(one: frozenset[str], other: frozenset[str]) -> tuple[str, str] | None:
    """Two roles of the sets that exclude each other, when the sets share none of that kind."""
    for group in _EXCLUSIVE_ROLES:
        left, right = one & group, other & group
        if left and right and not left & right:
            return min(left), min(right)
    return None


def actions_conflict(one: frozenset[str], other: frozenset[str]) -> tuple[str, str] | None:
    """Two opposed actions, such as stop and start."""
    for pair in _OPPOSED_ACTIONS:
        for left, right in (pair, pair[::-1]):
            if left in one - other and right in other - one:
                return left, right
    return None
