"""The check on what a filtered search came back with: the filter is not trusted to have worked."""

from collections.abc import Mapping, Sequence

from primum.corpus.index import point_id, point_payload
from primum.corpus.qdrant import FoundPoint
from primum.errors import ScopeLeakError
from primum.records import Chunk, Passage, Scope


def guarded(found: Sequence[FoundPoint], chunks: Mapping[str, Chunk], scope: Scope) -> tuple[Passage, ...]:
    """The passages behind the points, each exactly as in the corpus and each allowed in `scope`.

    Raises:
        ScopeLeakError: a point is not one of the corpus, its payload was changed, or `scope` may not see it. The
            message names at most a chunk of the corpus and no payload.
    """
    passages: list[Passage] = []
    for point in found:
        chunk = chunks.get(str(point.payload.get("chunk_id")))
        if chunk is None or point.id != point_id(chunk.id):
            raise ScopeLeakError("the search returned a point that is not of this corpus; run: primum index")
        if point.payload != point_payload(chunk):
            raise ScopeLeakError(f"the payload of chunk {chunk.id} is not as it was indexed; run: primum index")
        passage = chunk.passage()
        if not passage.eligible(scope):
            raise ScopeLeakError(
                f"the search returned chunk {chunk.id}, which is unpublished or of another tenant or patient: "
                "the eligibility filter did not work; do not use this index, and report how it was set up"
            )
        passages.append(passage)
    return tuple(passages)
