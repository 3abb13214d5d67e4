"""Hypothesis strategies that several test modules share."""

from collections.abc import Mapping
from dataclasses import dataclass

from hypothesis import strategies as st

from primum.metrics import (
    NDCG,
    AveragePrecision,
    EvidenceComplete,
    Forbidden,
    Gain,
    HitRate,
    Judged,
    Judgments,
    Measure,
    Precision,
    Recall,
    ReciprocalRank,
    RPrecision,
    Unjudged,
)

cutoffs = st.integers(min_value=1, max_value=30)
grades = st.integers(min_value=0, max_value=2)
# Any text may be an id, as long as it is not empty.
chunk_ids = st.text(st.characters(codec="utf-8"), min_size=1, max_size=8)

measures: st.SearchStrategy[Measure] = st.one_of(
    *(
        st.builds(kind, cutoffs)
        for kind in (Precision, Recall, HitRate, ReciprocalRank, Judged, EvidenceComplete, Forbidden)
    ),
    st.builds(NDCG, cutoffs, st.sampled_from(Gain)),
    st.builds(AveragePrecision, st.none() | cutoffs),
    st.just(RPrecision()),
)


@dataclass(frozen=True)
class Scorable:
    """A ranking that can be scored with its judgments."""

    ranked: tuple[str, ...]
    grades: Mapping[str, int]

    def judgments(self, unjudged: Unjudged = Unjudged.IRRELEVANT) -> Judgments:
        """The labels; unjudged results are not relevant unless said otherwise."""
        return Judgments(grades=self.grades, unjudged=unjudged)


@st.composite
def scorables(draw: st.DrawFn) -> Scorable:
    """Rankings of up to 12 chunks, some judged, some judged chunks not returned, at least one relevant."""
    ids = draw(st.lists(chunk_ids, min_size=1, max_size=16, unique=True))
    judged = draw(st.lists(st.sampled_from(ids), min_size=1, unique=True))
    labels = {chunk_id: draw(grades) for chunk_id in judged} | {judged[0]: draw(st.integers(1, 2))}
    ranked = draw(st.lists(st.sampled_from(ids), max_size=12, unique=True))
    return Scorable(tuple(ranked), labels)


@st.composite
def outcomes(draw: st.DrawFn, min_families: int = 1) -> dict[str, list[list[int]]]:
    """Acceptable (1) or not (0), by family, variant and repetition."""
    variants = st.lists(st.lists(st.integers(0, 1), min_size=1, max_size=3), min_size=1, max_size=3)
    count = draw(st.integers(min_families, 6))
    return {f"family-{number}": draw(variants) for number in range(count)}
