"""Concentrations that follow from an amount and the volume that holds it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from primum_safety.text.quantity import Quantity
from primum_safety.text.units import Dimension

_DISSOLVED: Final = re.compile(
    r"\s*(?:\(?(?:in|per|/|diluted\s+(?:in|to)|made\s+up\s+(?:to|in|with)|dissolved\s+in|in\s+a\s+total\s+of|mixed\s+with)\)?)\s*",
    re.IGNORECASE,
)


def concentrations(text: str, read: Sequence[Quantity]) -> Iterator[Quantity]:
    """The concentrations that follow from an amount and the volume that holds it."""
    for amount, volume in pairwise(read):
        dissolved = (
            volume.dimension == Dimension.VOLUME and amount.dimension in _SOLUTES and not amount.per and not volume.per
        )
        if (
            dissolved
            and volume.low
            and not volume.is_range
            and _DISSOLVED.fullmatch(text, amount.where.end, volume.where.start)
        ):
            yield replace(amount, per=((Dimension.VOLUME, volume.low),), derived=True)


_SOLUTES: Final = frozenset({Dimension.MASS, Dimension.ACTIVITY, Dimension.SUBSTANCE, Dimension.EQUIVALENT})
