"""What a score threshold would do, as inline SVG: recall of supported questions, and unsupported ones accepted."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from primum.records.base import Rate
from primum.records.retrieval_diagnostics import Sweep

_WIDTH: Final = 640
_HEIGHT: Final = 280
_LEFT: Final = 46
_RIGHT: Final = 14
_TOP: Final = 34
_BOTTOM: Final = 46
_TICKS: Final = 5

Point = tuple[float, float]


def sweep_plot(sweep: Sweep) -> str:
    """SVG markup of a sweep. It holds numbers and words of ours only, no text from anywhere.

    The solid line is the recall, the dashed one the share of unsupported questions that still get a passage; upright
    strokes stand where either breaks. The same numbers stand in the table beside it.
    """
    thresholds = [row.threshold for row in sweep.rows]
    low, high = min(thresholds), max(thresholds)
    recall = [(row.threshold, row.recall) for row in sweep.rows if row.recall is not None]
    accepted = [(row.threshold, share) for row in sweep.rows if (share := _share(row.accepted)) is not None]
    parts = [*_axes(low, high), *_breaks(sweep, low, high)]
    parts += _line("recall", recall, low, high)
    parts += _line("accepted", accepted, low, high)
    parts += _legend()
    size = f'viewBox="0 0 {_WIDTH} {_HEIGHT}"'
    return f'<svg class="plot" {size} role="img" aria-label="{_described(sweep)}">{"".join(parts)}</svg>'


def _described(sweep: Sweep) -> str:
    holds = "no relevant chunk was found" if sweep.recall_holds_to is None else f"{sweep.recall_holds_to:.3f}"
    accepts = "none is accepted" if sweep.accepts_to is None else f"{sweep.accepts_to:.3f}"
    return (
        "Recall and accepted unsupported questions by score threshold. "
        f"Recall holds to: {holds}. Unsupported questions are accepted to: {accepts}."
    )


def _share(rate: Rate) -> float | None:
    return rate.value


def _x(value: float, low: float, high: float) -> float:
    span = high - low or 1.0
    return _LEFT + (value - low) / span * (_WIDTH - _LEFT - _RIGHT)


def _y(share: float) -> float:
    return _TOP + (1 - share) * (_HEIGHT - _TOP - _BOTTOM)


def _axes(low: float, high: float) -> Iterable[str]:
    floor = _HEIGHT - _BOTTOM
    yield f'<line class="axis" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{floor}" y2="{floor}"/>'
    for share in (0.0, 0.5, 1.0):
        y = _y(share)
        yield f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
        yield f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{share:.0%}</text>'
    for step in range(_TICKS):
        value = low + (high - low) * step / (_TICKS - 1)
        anchor = "start" if not step else "end" if step == _TICKS - 1 else "middle"
        yield f'<text x="{_x(value, low, high):.1f}" y="{floor + 16}" text-anchor="{anchor}">{value:.2f}</text>'
        if low == high:
            break
    yield f'<text x="{_WIDTH - _RIGHT}" y="{floor + 36}" text-anchor="end">score threshold</text>'


def _breaks(sweep: Sweep, low: float, high: float) -> Iterable[str]:
    for name, value in (("recall", sweep.recall_holds_to), ("accepted", sweep.accepts_to)):
        if value is not None and low <= value <= high:
            x = _x(value, low, high)
            yield f'<line class="break {name}" x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP}" y2="{_HEIGHT - _BOTTOM}"/>'


def _line(name: str, points: Sequence[Point], low: float, high: float) -> Iterable[str]:
    if points:
        steps = " ".join(f"{_x(at, low, high):.1f},{_y(share):.1f}" for at, share in _stepped(points))
        yield f'<polyline class="curve {name}" points="{steps}"/>'


def _stepped(points: Sequence[Point]) -> Iterable[Point]:
    """A share holds up to the next threshold and changes there at once."""
    yield points[0]
    for (_, before), (at, after) in pairwise(points):
        yield at, before
        yield at, after


def _legend() -> Iterable[str]:
    for name, x, words in (("recall", _LEFT, "recall, supported"), ("accepted", 220, "accepted, unsupported")):
        yield f'<line class="curve {name}" x1="{x}" x2="{x + 28}" y1="14" y2="14"/>'
        yield f'<text x="{x + 34}" y="18">{words}</text>'
