"""How numbers are written: a share never stands without what it rests on, and rounding never hides a miss."""

from primum.records.base import Rate


def percent(rate: Rate) -> str:
    """The share in percent with one digit; 0% and 100% only when they are exact, nothing when none was counted."""
    if not rate.denominator:
        return ""
    if rate.numerator in (0, rate.denominator):
        return "0%" if rate.numerator == 0 else "100%"
    share = min(max(100 * rate.numerator / rate.denominator, 0.1), 99.9)
    return f"{share:.1f}%"


def rate(value: Rate) -> str:
    """Such as ``3/40 (7.5%)``, or ``0/0`` when nothing was counted."""
    share = percent(value)
    return f"{value} ({share})" if share else f"{value}"


def score(value: float | None) -> str:
    """Three digits; 0.000 and 1.000 only when they are exact; words when there is no value."""
    if value is None:
        return "no value"
    if value in (0, 1):
        return f"{value:.3f}"
    near = min(max(value, 0.001), 0.999) if 0 < value < 1 else value
    return f"{near:.3f}"


def counted(count: int, noun: str, plural: str = "") -> str:
    """Such as ``1 family`` or ``12 families``."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"
