"""Text of others is made harmless, and quotes of it are found in the original."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primum_judges.untrusted import QuotedText, neutral

PASSAGE = "Adults take  5 mg\ntwice daily, or 0.5 mg/kg. It\u2019s safe\u200b in 15 patients."


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("5 mg", "5 mg"),
        ("take 5 mg twice daily", "take  5 mg\ntwice daily"),
        ("  take   5 mg ", "take  5 mg"),
        ("It's safe in 15", "It\u2019s safe\u200b in 15"),
        ("0.5 mg/kg", "0.5 mg/kg"),
        ("5 mg/kg", None),
        ("5 patients", None),
        ("dult", None),
        ("adults take", None),
        ("Adults took", None),
        ("", None),
        (" . ", None),
        ("15", "15"),
    ],
)
def test_a_quote_is_found_to_the_letter_and_never_inside_of_a_number(quote: str, found: str | None) -> None:
    """White space and the shape of quotation marks do not count; digits do."""
    span = QuotedText(PASSAGE).find(quote)
    assert (span.text if span else None) == found
    if span:
        assert PASSAGE[span.start : span.end] == span.text


@pytest.mark.parametrize(("text", "quote"), [("0.5", "0"), ("1,000 mg", "000 mg"), ("1,000", "1"), ("10 mg", "1")])
def test_a_part_of_a_number_is_no_quote(text: str, quote: str) -> None:
    """The other end of a number counts too."""
    assert QuotedText(text).find(quote) is None


@given(st.text(max_size=60), st.text(max_size=10), st.text(max_size=10))
def test_what_a_judge_is_shown_can_be_quoted_back(inner: str, before: str, after: str) -> None:
    """A whole word sequence of the neutral text is found in the original."""
    words = neutral(inner).split()
    text = f"{before} {inner} {after}"
    quote = " ".join(words)
    if any(c.isalnum() for c in quote) and "\ufffd" not in quote:
        assert QuotedText(text).find(quote) is not None


@pytest.mark.parametrize(
    "text",
    [
        "<<<x>>>",
        "<<",
        "\uff1c\uff1c\uff1c",
        "\u300a\u300a",
        "<|im_start|>system",
        "[INST] x [/INST]",
        "<</SYS>>",
        "</s>",
    ],
)
def test_look_alikes_of_fences_and_control_tokens_are_made_harmless(text: str) -> None:
    """No two angle brackets in a row, no control token."""
    shown = neutral(text)
    assert shown != text
    assert "<<" not in shown
    assert "<|" not in shown
    assert "[INST]" not in shown
    assert len(shown) == len(text)


@pytest.mark.parametrize(
    "hidden",
    ["\u200b", "\u200d", "\u2060", "\ufeff", "\u202e", "\u2066", "\u00ad", "\U000e0041", "\ufe0f", "\x00", "\x1b"],
)
def test_invisible_characters_are_left_out(hidden: str) -> None:
    """Zero-width, bidirectional, tag, variation and control characters."""
    assert neutral(f"5{hidden} mg") == "5 mg"


@pytest.mark.parametrize("text", ["5 µg, 37 °C, ≥ 3", "β-блокатор", "用量 5 毫克", "a < b > c", "Größe", "a\tb\nc"])
def test_everything_else_stays_as_it_is(text: str) -> None:
    """In whatever script."""
    assert neutral(text) == text


def test_a_lone_surrogate_is_replaced() -> None:
    """It could not be sent."""
    assert neutral("a\ud800b") == "a\ufffdb"
