"""A text as tokens, looked at by index."""

from fractions import Fraction

from primum_safety.text.ranges import Ranges
from primum_safety.text.tokens import Token


class Cursor:
    """The tokens of a text, looked at by index; indices past either end are safe."""

    def __init__(self, text: str, tokens: list[Token], ignored: Ranges) -> None:
        self.text = text
        self.tokens = tokens
        self.ignored = ignored

    def word(self, at: int) -> str:
        """The word or sign at an index; empty for numbers and past the end."""
        if 0 <= at < len(self.tokens) and self.tokens[at].value is None:
            return self.tokens[at].text
        return ""

    def raw(self, at: int) -> str:
        """The token at an index, in its own capitals."""
        token = self.tokens[at]
        return self.text[token.start : token.end]

    def value(self, at: int) -> Fraction | None:
        """The number at an index; None for words, past the end, and for numbers that mean no quantity."""
        if 0 <= at < len(self.tokens) and not self.ignored.covers(self.tokens[at].start):
            return self.tokens[at].value
        return None

    def glued(self, at: int) -> bool:
        """Whether a token stands right after the one before it, without a space."""
        return 0 < at < len(self.tokens) and self.tokens[at].start == self.tokens[at - 1].end
