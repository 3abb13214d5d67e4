"""The words that a finding is about are found, cut around and checked."""

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from primum.records.exchange import PassageSpan, Span
from primum.records.summary import RunReport
from primum.report.spans import evidence, marked


@given(st.text(max_size=200), st.integers(0, 200), st.integers(0, 200), st.integers(0, 50))
def test_parts_and_what_is_left_out_add_up_to_the_text(text: str, one: int, other: int, around: int) -> None:
    """Nothing is lost or moved by marking."""
    start, end = sorted((min(one, len(text)), min(other, len(text))))
    parts = marked(text, Span(start=start, end=end, text=text[start:end]), around=around)
    shown = parts.before + parts.mark + parts.after
    assert text[parts.left_out_before : len(text) - parts.left_out_after] == shown
    assert parts.mark == text[start:end]
    assert len(parts.before) <= around
    assert len(parts.after) <= around


def test_words_that_the_text_does_not_hold_are_shown_alone() -> None:
    """A span that does not fit its text is never marked on other words."""
    parts = marked("Norvexin 2.5 mg", Span(start=9, end=12, text="250"))
    assert parts.strayed
    assert (parts.before, parts.mark, parts.after) == ("", "250", "")


def test_evidence_that_is_nowhere_is_said_to_be_nowhere(make: Callable[..., RunReport]) -> None:
    """A pointer to an unknown passage still shows its words, and says that the passage is missing."""
    exchange = make().objections[0].observation.exchange
    found = evidence(exchange, PassageSpan(passage_id="elsewhere", span=Span(start=0, end=2, text="ab")))
    assert found is not None
    assert found.passage is None
    assert found.text.strayed
    assert evidence(exchange, None) is None
