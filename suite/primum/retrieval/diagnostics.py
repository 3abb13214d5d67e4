"""What only the filter keeps away, and what the index itself loses. Counts for people; they decide nothing."""

import asyncio
from collections.abc import Sequence

from primum.corpus.open import QdrantIndex
from primum.corpus.qdrant import Query
from primum.errors import ScopeLeakError
from primum.protocols import Embedder, Retriever
from primum.records import Case, Rate
from primum.records.retrieval_diagnostics import Exposure, IndexRecall, PrefixBreak


async def exposure(index: QdrantIndex, embedder: Embedder, cases: Sequence[Case], limit: int) -> Exposure:
    """Searches without the filter and counts what the scopes forbid; slots, cases and documents are counted apart.

    Raises:
        ScopeLeakError: a point that is not of the corpus.
        EndpointError: the server or the embedding endpoint failed.
    """
    slots = forbidden = touched = 0
    documents: set[str] = set()
    for case in cases:
        vector = (await asyncio.to_thread(embedder.embed, [case.question]))[0]
        found = await asyncio.to_thread(index.search_unfiltered, Query(dense=vector), limit)
        before = forbidden
        for point in found:
            chunk = index.chunks.get(str(point.payload.get("chunk_id")))
            if chunk is None:
                raise ScopeLeakError("the search returned a point that is not of this corpus; run: primum index")
            if not chunk.passage().eligible(case.scope):
                forbidden += 1
                documents.add(chunk.key.document_id)
        slots += len(found)
        touched += forbidden > before
    return Exposure(
        limit=limit,
        slots=Rate(numerator=forbidden, denominator=slots),
        cases=Rate(numerator=touched, denominator=len(cases)),
        documents=len(documents),
    )


async def index_recall(approximate: Retriever, exact: Retriever, cases: Sequence[Case], limit: int) -> IndexRecall:
    """Compares two retrievers over one index, such as one with ``exact: false`` against one with ``exact: true``."""
    slots = same = 0
    differing: list[str] = []
    for case in cases:
        found = set((await approximate.retrieve(case.question, case.scope, limit)).ranking.ids)
        expected = set((await exact.retrieve(case.question, case.scope, limit)).ranking.ids)
        slots += len(expected)
        same += len(found & expected)
        if found != expected:
            differing.append(case.id)
    return IndexRecall(
        limit=limit,
        slots=Rate(numerator=same, denominator=slots),
        cases=Rate(numerator=len(cases) - len(differing), denominator=len(cases)),
        differing=tuple(differing),
    )


async def prefix_breaks(retriever: Retriever, cases: Sequence[Case], limits: Sequence[int]) -> tuple[PrefixBreak, ...]:
    """The rankings at each limit that are not the start of the ranking at the largest.

    Where there are any, measures at several k cannot be read from one retrieval.
    """
    longest = max(limits)
    breaks: list[PrefixBreak] = []
    for case in cases:
        whole = (await retriever.retrieve(case.question, case.scope, longest)).ranking.ids
        shorter = sorted(set(limits) - {longest})
        rankings = [(limit, await retriever.retrieve(case.question, case.scope, limit)) for limit in shorter]
        breaks += [
            PrefixBreak(case_id=case.id, limit=limit, longer=longest)
            for limit, found in rankings
            if found.ranking.ids != whole[:limit]
        ]
    return tuple(breaks)
