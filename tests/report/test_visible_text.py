"""Text from outside stays visible and bounded."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primum.report.text import clipped, one_line, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\u202eb", "a⟦U+202E⟧b"),
        ("a\u200bb", "a⟦U+200B⟧b"),
        ("\x1b[31mred", "⟦U+001B⟧[31mred"),
        ("\u009b31m", "⟦U+009B⟧31m"),
        ("a\r\nb\tc", "a\nb\tc"),
        ("a\rb", "a⟦U+000D⟧b"),
        ("\ufeffa\u00ad\U000e0041", "⟦U+FEFF⟧a⟦U+00AD⟧⟦U+E0041⟧"),
        ("\u3164\ufe0f", "⟦U+3164⟧⟦U+FE0F⟧"),
        ("\ud800", "⟦U+D800⟧"),
        ("2.5\u00a0mg · µg · 中", "2.5\u00a0mg · µg · 中"),
    ],
)
def test_undrawn_characters_appear_as_their_code_point(text: str, shown: str) -> None:
    """What draws nothing or turns the text is spelled out; ordinary text is left alone."""
    assert visible(text) == shown


def test_piled_combining_marks_are_spelled_out() -> None:
    """Three marks on a letter are writing, thirty cover the lines around it."""
    assert visible("e\u0301\u0323\u0302") == "e\u0301\u0323\u0302"
    assert visible("e" + "\u0301" * 30).count("\u0301") == 3


@given(st.text(st.characters(codec=None)))
def test_nothing_undrawn_is_left_in_any_text(text: str) -> None:
    """No control, format, surrogate or private character but line feed and tab survives."""
    shown = visible(text)
    assert not [
        char
        for char in shown
        if unicodedata.category(char) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"} and char not in "\n\t"
    ]
    shown.encode("utf-8")
    assert visible(shown) == shown


@given(st.text(st.characters(codec=None)), st.integers(1, 50))
def test_one_line_is_one_line_and_bounded(text: str, limit: int) -> None:
    """No line break survives, and the length is bounded by the limit whatever the text holds."""
    line = one_line(text, limit)
    assert "\n" not in line
    assert "\t" not in line
    assert len(line) <= 9 * limit + 40


def test_a_clipped_text_says_how_much_is_left_out() -> None:
    """The reader knows that there is more."""
    assert clipped("abcdef", 4) == "abcd … (2 more characters)"
    assert clipped("abcd", 4) == "abcd"
