"""What changed since the last accepted run, in lines for a terminal or a log."""

from collections.abc import Iterator
from typing import Final

from primum.records.comparison import Comparison, FlipKind
from primum.report.numbers import counted

FLIPS: Final = 10
"""Flips that are listed; the rest is counted."""
_WORDS: Final = {
    FlipKind.WORSE: "got worse",
    FlipKind.UNMEASURED: "are not measured now",
    FlipKind.BETTER: "got better",
}


def comparison_lines(comparison: Comparison) -> Iterator[str]:
    """The comparison in lines of plain text, what matters most first."""
    kinds = [flip.kind for flip in comparison.flips]
    flipped = ", ".join(f"{kinds.count(kind)} {words}" for kind, words in _WORDS.items() if kind in kinds)
    yield (
        f"{comparison.pairs} {comparison.role} cases beside run {comparison.base_run}: {flipped or 'none flipped'} "
        f"(exact McNemar p {comparison.two_sided_p:.3f})"
    )
    apart = {"added": comparison.added, "removed": comparison.removed, "changed": comparison.changed}
    if any(apart.values()):
        yield "not paired: " + ", ".join(f"{len(ids)} {what}" for what, ids in apart.items() if ids)
    for difference in comparison.differences:
        interval = f" {difference.interval}" if difference.interval else ""
        found = f": {difference.finding.replace('_', ' ')} at {difference.margin:g}" if difference.finding else ""
        yield (
            f"{difference.measure} {difference.before:.3f} -> {difference.after:.3f} "
            f"({difference.difference:+.3f}{interval}, {counted(difference.families, 'family', 'families')}){found}"
        )
    for change in comparison.families:
        yield f"family {change.family} ({change.consequence}): {change.before} -> {change.after} acceptable"
    for flip in comparison.flips[:FLIPS]:
        before, after = (standing.replace("_", " ") for standing in (flip.before, flip.after))
        yield f"{flip.kind}: {flip.case_id} ({flip.consequence}) {before} -> {after}"
    if len(comparison.flips) > FLIPS:
        yield f"and {counted(len(comparison.flips) - FLIPS, 'more flip')}; the page report.html lists all"
