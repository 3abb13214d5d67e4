"""A small strip of dots, one for each score, as inline SVG: the spread inside a family at a glance."""

from collections.abc import Sequence
from typing import Final

from primum.report.numbers import counted, score

_WIDTH: Final = 132
_HEIGHT: Final = 24
_PAD: Final = 6
_BASE: Final = 19
_BINS: Final = 40
_ROOM: Final = 15
"""Height that a pile of dots may take, in pixels."""


def described(scores: Sequence[float]) -> str:
    """The spread in words, such as ``6 scores, 0.400 to 1.000, mean 0.833``."""
    if not scores:
        return "no scores"
    if len(scores) == 1:
        return f"1 score, {score(scores[0])}"
    mean = sum(scores) / len(scores)
    return f"{counted(len(scores), 'score')}, {score(min(scores))} to {score(max(scores))}, mean {score(mean)}"


def strip(scores: Sequence[float]) -> str:
    """SVG markup of scores in [0, 1] on an axis with marks at 0, ½ and 1 and a stroke at the mean.

    The markup holds numbers only, no text from anywhere; scores outside [0, 1] are drawn at the nearer end.
    """
    inner = [f'<line class="axis" x1="{_PAD}" x2="{_WIDTH - _PAD}" y1="{_BASE}.5" y2="{_BASE}.5"/>']
    inner += [f'<line class="axis" x1="{_x(at)}" x2="{_x(at)}" y1="{_BASE}" y2="{_BASE + 4}"/>' for at in (0, 0.5, 1)]
    piles: dict[int, int] = {}
    bins = [round(min(max(value, 0), 1) * _BINS) for value in sorted(scores)]
    tallest = max((bins.count(place) for place in set(bins)), default=0)
    rise = min(5.0, _ROOM / tallest) if tallest else 0
    for place in bins:
        y = _BASE - 2.5 - rise * piles.get(place, 0)
        piles[place] = piles.get(place, 0) + 1
        inner.append(f'<circle class="dot" cx="{_x(place / _BINS)}" cy="{y:.1f}" r="2.3"/>')
    if scores:
        x = _x(min(max(sum(scores) / len(scores), 0), 1))
        inner.append(f'<line class="mean" x1="{x}" x2="{x}" y1="2" y2="{_BASE + 4}"/>')
    size = f'width="{_WIDTH}" height="{_HEIGHT}" viewBox="0 0 {_WIDTH} {_HEIGHT}"'
    return f'<svg class="strip" {size} role="img" aria-label="{described(scores)}">{"".join(inner)}</svg>'


def _x(value: float) -> str:
    return f"{_PAD + value * (_WIDTH - 2 * _PAD):.1f}"
