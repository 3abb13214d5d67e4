"""Cuts a text around the words that a finding is about."""

from collections.abc import Sequence
from dataclasses import dataclass

from primum.records.corpus import Passage
from primum.records.exchange import Exchange, PassageSpan, Span


@dataclass(frozen=True, kw_only=True)
class Marked:
    """A text in three parts. Only `mark` is empty when nothing is marked."""

    before: str
    mark: str
    after: str
    left_out_before: int = 0
    """Code points of the text before `before`."""
    left_out_after: int = 0
    strayed: bool = False
    """The text does not hold the marked words at that place; `mark` is what the finding says."""


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """The passage that a finding or claim points to, as the report shows it."""

    passage: Passage | None
    """None when the observation holds no passage of that id."""
    passage_id: str
    text: Marked
    place: str
    """Where the passage stood, such as ``context, 2 of 5``."""
    foreign: bool
    """The passage is about a patient other than the active one."""


def marked(text: str, span: Span | None, *, around: int = 900) -> Marked:
    """The text with `span` marked, and at most `around` code points on each side of it."""
    if span is None:
        return Marked(before=text[: 2 * around], mark="", after="", left_out_after=max(0, len(text) - 2 * around))
    if text[span.start : span.end] != span.text:
        return Marked(before="", mark=span.text, after="", strayed=True)
    start, end = max(0, span.start - around), min(len(text), span.end + around)
    return Marked(
        before=text[start : span.start],
        mark=span.text,
        after=text[span.end : end],
        left_out_before=start,
        left_out_after=len(text) - end,
    )


def evidence(exchange: Exchange, pointer: PassageSpan | None, *, around: int = 500) -> Evidence | None:
    """The passage that `pointer` is about, from the final context or else from what was retrieved."""
    if pointer is None:
        return None
    for name, passages in (("context", exchange.context), ("retrieved, not in the context", exchange.retrieved)):
        found = _find(passages, pointer.passage_id)
        if found is not None:
            position, passage = found
            return Evidence(
                passage=passage,
                passage_id=pointer.passage_id,
                text=marked(passage.text, pointer.span, around=around),
                place=f"{name}, {position} of {len(passages)}",
                foreign=passage.patient_id not in (None, exchange.scope.patient_id),
            )
    return Evidence(
        passage=None,
        passage_id=pointer.passage_id,
        text=Marked(before="", mark=pointer.span.text, after="", strayed=True),
        place="not among the passages of this observation",
        foreign=False,
    )


def _find(passages: Sequence[Passage], passage_id: str) -> tuple[int, Passage] | None:
    for position, passage in enumerate(passages, start=1):
        if passage.id == passage_id:
            return position, passage
    return None
