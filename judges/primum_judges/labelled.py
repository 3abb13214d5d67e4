"""Checks that a reply labels everything that it was given, once, and nothing else."""

from collections.abc import Collection, Sequence

from primum.errors import ContradictoryReplyError, MalformedReplyError


def check_labels(given: Sequence[str], wanted: Collection[str]) -> None:
    """Raises MalformedReplyError unless `given` holds each id of `wanted` exactly once and no other."""
    twice = len(given) - len(set(given))
    if twice:
        raise MalformedReplyError(f"{twice} ids stand more than once in the reply")
    unknown, missing = len(set(given) - set(wanted)), len(set(wanted) - set(given))
    if unknown or missing:
        raise MalformedReplyError(f"{missing} ids have no label and {unknown} labels are for unknown ids")


def check_quote(id_: str, label: str, quote: str | None, *, wanted: bool) -> None:
    """Raises ContradictoryReplyError unless a quote is there if, and only if, the label wants one."""
    quoted = bool((quote or "").strip())
    if quoted != wanted:
        problem = "a quote" if quoted else "no quote"
        raise ContradictoryReplyError(f"the reply contradicts itself: {id_} is {label} and has {problem}")
