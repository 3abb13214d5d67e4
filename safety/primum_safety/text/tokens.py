"""Words, numbers and signs of a normalised text.

Numerals, number words (``one and a half``, ``1.2 million``) and fractions become one number token, exact to the digit.
"""

import re
from collections.abc import Callable, Sequence
from enum import Flag, auto
from fractions import Fraction
from typing import Final, NamedTuple

from primum_safety.text.units import counted, lookup


class Style(Flag):
    """How a number was written, as far as that is known to cause errors."""

    PLAIN = 0
    NAKED_DECIMAL = auto()
    """``.5``, which is read as 5 when the point is missed."""
    TRAILING_ZERO = auto()
    """``5.0``, which is read as 50 when the point is missed."""
    DECIMAL_COMMA = auto()
    WORD = auto()


class Token(NamedTuple):
    """One word, number or sign."""

    start: int
    end: int
    text: str
    """Lower-case, for words."""
    value: Fraction | None = None
    """Exact value, for numbers."""
    style: Style = Style.PLAIN

    @property
    def unreadable(self) -> bool:
        """Whether it is written in digits and still has no value, because there are too many of them."""
        return self.value is None and self.text[:1].isdigit()


_TOKEN: Final = re.compile(
    r"(?P<num>\d{1,3}(?:,\d{3})+(?![\d,])(?:\.\d+)?|\d{1,3}(?:\x20\d{3})*\x20000(?!\d)(?:\.\d+)?|\d+(?:[.·]\d+)?|\.\d+)"
    r"|(?P<word>[A-Za-zµ]{5,}(?=\d+(?:\.\d+)?\s?(?:mg|g|mcg|µg|ml|units?|iu|%)\b)|[A-Za-zµ]+(?:\d+[A-Za-z]*)*(?:'[a-z]+)?|°\s?[A-Za-z]?|%)"
    r"|(?P<newline>\n)|(?P<sign>[^\sA-Za-z0-9])",
    re.IGNORECASE,
)
_FRACTION: Final = re.compile(r"(?:(\d{1,2})\s+)?(\d{1,2})\s?/\s?(2|3|4|5|8|10)(?![\d./%])")
_DECIMAL_COMMA: Final = re.compile(r"(\d+),(\d{1,2})(?![\d,])")
_POWER: Final = re.compile(r"\s?(?:[x*]\s?10|e)\s?\^?\s?\*{0,2}([-+]?\d{1,2})(?![\d.])", re.IGNORECASE)
_TEN_POWER: Final = re.compile(r"10\s?\^\s?(-?\d{1,2})(?!\d)")
_SCALE: Final = re.compile(r"\s?(million|thousand|billion|hundred|mln|bln|mn|k(?![a-z]))(?![A-Za-z])", re.IGNORECASE)
_CURRENCIES: Final = ("$", "£", "€")
_MONEY: Final = re.compile(r"\s?(m|mn|bn|b|k)\b", re.IGNORECASE)
_MONEY_SCALES: Final = {"m": 10**6, "mn": 10**6, "bn": 10**9, "b": 10**9, "k": 1000}
_SCALES: Final = {
    "million": 10**6,
    "mn": 10**6,
    "mln": 10**6,
    "bln": 10**9,
    "thousand": 1000,
    "k": 1000,
    "billion": 10**9,
    "hundred": 100,
}
_ONES: Final = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19,
}  # fmt: skip
_TENS: Final = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
_PARTS: Final = {
    "half": Fraction(1, 2), "quarter": Fraction(1, 4), "third": Fraction(1, 3), "thirds": Fraction(1, 3),
    "quarters": Fraction(1, 4), "halves": Fraction(1, 2), "fifth": Fraction(1, 5), "eighth": Fraction(1, 8),
}  # fmt: skip
_SPANS: Final = frozenset({"minute", "hour", "day", "week", "fortnight", "month", "year"})
_BEFORE_SPAN: Final = frozenset(
    {"for", "after", "within", "over", "in", "least", "about", "than", "lasting", "of", "first", "another"}
)
_STARTERS: Final = frozenset({*_ONES, *_TENS, "half", "a", "an"})
"""Words with which a number in words may begin."""
_BEFORE_PRONOUN: Final = frozenset({"day", "this", "that", "another", "other", "which", "no", "each", "every", "any"})
_BEFORE_COUNT: Final = frozenset(
    {"to", "than", "or", "and", "least", "most", "by", "only", "just", "exactly", "is", "be", "was", "of", "for", "at",
     "about", "over", "under", "in", "x", "times", "step", "stage", "grade", "class", "level", "version", "type"}
)  # fmt: skip
_MAX_EXPONENT: Final = 30
_MAX_DIGITS: Final = 40


def tokenise(text: str) -> list[Token]:
    """The tokens of a normalised text, in order. Linear in its length."""
    tokens: list[Token] = []
    at = 0
    while match := _TOKEN.search(text, at):
        if match["num"] is not None:
            token = _numeral(text, match.start(), match.end())
        elif match["word"] is not None:
            token = Token(*match.span(), match.group().lower())
        else:
            token = Token(*match.span(), match.group())
        tokens.append(token)
        at = token.end
    return _with_number_words(tokens)


def _numeral(text: str, start: int, end: int) -> Token:
    ten = _TEN_POWER.match(text, start)
    if ten and abs(int(ten[1])) <= _MAX_EXPONENT:
        return Token(start, ten.end(), text[start : ten.end()], Fraction(10) ** int(ten[1]))
    fraction = _FRACTION.match(text, start)
    if fraction and fraction.end() > end and _fraction_allowed(text, start, fraction):
        value = Fraction(int(fraction[1] or 0)) + Fraction(int(fraction[2]), int(fraction[3]))
        return Token(start, fraction.end(), fraction.group(), value)
    style = Style.PLAIN
    comma = _DECIMAL_COMMA.match(text, start)
    if comma and comma.end() >= end and "," not in text[start:end]:
        end, digits, style = comma.end(), f"{comma[1]}.{comma[2]}", Style.DECIMAL_COMMA
    else:
        digits = text[start:end].replace(",", "").replace(" ", "").replace("·", ".")
    if len(digits) > _MAX_DIGITS:
        return Token(start, end, text[start:end])  # no clinical number; not a number for us
    if digits.startswith("."):
        style |= Style.NAKED_DECIMAL
    elif re.fullmatch(r"\d+\.0+", digits):
        style |= Style.TRAILING_ZERO
    value = Fraction(digits)
    if (power := _POWER.match(text, end)) and abs(int(power[1])) <= _MAX_EXPONENT and _sensible_power(power):
        return Token(start, power.end(), text[start : power.end()], value * Fraction(10) ** int(power[1]), style)
    if text[max(0, start - 1) : start] in _CURRENCIES and (money := _MONEY.match(text, end)):
        return Token(start, money.end(), text[start : money.end()], value * _MONEY_SCALES[money[1].lower()], style)
    while scale := _SCALE.match(text, end):
        value, end = value * _SCALES[scale[1].lower()], scale.end()
    return Token(start, end, text[start:end], value, style)


def _fraction_allowed(text: str, start: int, fraction: re.Match[str]) -> bool:
    """Tells ``1/2 tablet`` and ``1 1/2 hours`` from ``5/2024`` and from pairs such as ``4/5 mg``."""
    before, after = text[max(0, start - 1) : start], text[fraction.end() : fraction.end() + 1]
    return (
        before not in ("/", ".", "-")
        and after not in ("/", "-")
        and (fraction[1] is not None or (int(fraction[2]) < 4 * int(fraction[3]) and fraction[2] != fraction[3]))
    )


def _sensible_power(power: re.Match[str]) -> bool:
    return "10" in power.group() or (power.group().strip()[0] in "eE" and power.group()[0] != " ")


def _with_number_words(tokens: Sequence[Token]) -> list[Token]:
    out: list[Token] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        read = _number_words(tokens, at) if token.value is None and token.text in _STARTERS else None
        if read is not None:
            value, after = read
            out.append(Token(token.start, tokens[after - 1].end, "#", value, Style.WORD))
            at = after
        else:
            out.append(token)
            at += 1
    return out


def _number_words(tokens: Sequence[Token], at: int) -> tuple[Fraction, int] | None:
    """Value and following index of the number words that start at `at`."""

    def word(index: int) -> str:
        return tokens[index].text if 0 <= index < len(tokens) and tokens[index].value is None else ""

    return _part_words(word, at) or _whole_words(word, at)


def _part_words(word: Callable[[int], str], at: int) -> tuple[Fraction, int] | None:
    """``half a``, ``one-quarter of a``, and ``a`` where it means one, as in ``for a week``."""
    first = word(at)
    if first in ("a", "an") and word(at + 1) in _SPANS and word(at - 1) in _BEFORE_SPAN:
        return Fraction(1), at + 1
    if first in ("a", "an") and word(at + 1) in ("hour", "minute") and word(at + 2) in ("after", "before"):
        return Fraction(1), at + 1
    if first == "half":
        return _PARTS[first], at + 1 + (word(at + 1) in ("a", "an"))
    if first not in ("a", "one"):
        return None
    at += 1 + (word(at + 1) == "-")
    part = word(at)
    if part not in ("quarter", "third", "fifth", "eighth", "half"):
        return None
    at += 1 + (word(at + 1) == "of")
    return _PARTS[part], at + (word(at) in ("a", "an"))


def _whole_words(word: Callable[[int], str], at: int) -> tuple[Fraction, int] | None:
    """``twenty-five``, ``two hundred and fifty``, ``one and a half``, ``two thirds``."""
    if word(at) not in _ONES and word(at) not in _TENS:
        return None
    if word(at) == "one" and _pronoun(word(at - 1), word(at + 1)):
        return None
    value, at = _small(word, at)
    if (price := _price(word, value, at)) is not None:
        return price
    total = Fraction(0)
    while (scale := word(at)) in ("hundred", "thousand", "million"):
        value, total = (value * 100, total) if scale == "hundred" else (Fraction(0), total + value * _SCALES[scale])
        at += 1
        follow = at + (word(at) == "and")
        if word(follow) in _ONES or word(follow) in _TENS:
            extra, at = _small(word, follow)
            value += extra
    return _with_part(word, total + value, at)


def _price(word: Callable[[int], str], whole: Fraction, at: int) -> tuple[Fraction, int] | None:
    """A price read aloud, as in ``fourteen fifty``: 14.50; not a year (``nineteen ninety``), nor ``ten 50 mg``."""
    if not 10 <= whole < 100 or whole in (19, 20) or word(at) not in _TENS:
        return None
    cents, after = _small(word, at)
    return None if lookup(word(after)) or counted(word(after)) else (whole + cents / 100, after)


def _pronoun(before: str, after: str) -> bool:
    """Whether "one" stands for something, or for the start as in "from day one", and counts nothing."""
    return before in _BEFORE_PRONOUN or (before.isalpha() and before not in _BEFORE_COUNT and not after.isalpha())


def _with_part(word: Callable[[int], str], total: Fraction, at: int) -> tuple[Fraction, int]:
    """A whole number with what follows it: ``and a half``, ``thirds``, ``point five``."""
    dash = word(at) == "-"
    if word(at + dash) in ("thirds", "quarters"):
        return total * _PARTS[word(at + dash)], at + dash + 1
    if word(at) == "and" and word(at + 1) in ("a", "one") and word(at + 2) in _PARTS:
        return total + _PARTS[word(at + 2)], at + 3
    if word(at) in ("point", "dot"):
        return _decimals(word, total, at + 1) or (total, at)
    return total, at


def _decimals(word: Callable[[int], str], whole: Fraction, at: int) -> tuple[Fraction, int] | None:
    """A number with what is read after its point: ``two five``, ``fifty``."""
    if word(at) in _TENS or _ONES.get(word(at), 0) >= 10:
        cents, after = _small(word, at)
        return whole + cents / 100, after
    after = at
    while 0 <= _ONES.get(word(after), -1) < 10 and after - at < _MAX_EXPONENT:
        whole += Fraction(_ONES[word(after)], 10 ** (after - at + 1))
        after += 1
    return (whole, after) if after > at else None


def _small(word: Callable[[int], str], at: int) -> tuple[Fraction, int]:
    """A number word below one hundred, such as ``twenty-five``."""
    first = word(at)
    if first in _TENS:
        gap = 1 if word(at + 1) == "-" else 0
        ones = _ONES.get(word(at + 1 + gap), 0)
        if 0 < ones < 10:
            return Fraction(_TENS[first] + ones), at + 2 + gap
        return Fraction(_TENS[first]), at + 1
    return Fraction(_ONES[first]), at + 1
