"""Compares a measure with its baseline in decimals, as people write them down."""

from decimal import Context, Decimal, InvalidOperation

from primum.errors import UsageError

# Measures are computed in binary floats; what is left of them past this many places is noise, not a result.
_PLACES = Decimal("1e-12")
# Wide enough that no input is ever rounded while it is compared.
_EXACT = Context(prec=400)

DEFAULT_TOLERANCE = Decimal("0.03")


def within_tolerance(
    current: Decimal | float | str | None,
    baseline: Decimal | float | str | None,
    tolerance: Decimal | float | str = DEFAULT_TOLERANCE,
) -> bool:
    """Whether ``current >= baseline - tolerance``, exactly: a drop of just the tolerance passes.

    Binary floats get this wrong for one in ten two-decimal points. Texts and decimals are taken as they are; floats are
    read as they print, rounded to 12 places.

    Args:
        current: The measure now; None and NaN, a measure that was not computed, never pass.
        baseline: The measure before; None and NaN never pass either, there is nothing to compare with.
        tolerance: How far it may fall, 0 or more.

    Raises:
        UsageError: When a text is not a number or the tolerance is negative or not finite.
    """
    allowed = _decimal(tolerance)
    if allowed is None or allowed < 0:
        raise UsageError(f"a tolerance is a number from 0 up, not {tolerance!r}")
    now, before = _decimal(current), _decimal(baseline)
    if now is None or before is None:
        return False
    return now >= _EXACT.subtract(before, allowed)


def _decimal(value: Decimal | float | str | None) -> Decimal | None:
    """A finite decimal, or None for what was not computed."""
    if value is None or isinstance(value, bool):
        return None
    try:
        number = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
    except InvalidOperation:
        raise UsageError(f"{value!r} is not a number") from None
    if not number.is_finite():
        return None
    return _EXACT.quantize(number, _PLACES) if isinstance(value, float) else number
