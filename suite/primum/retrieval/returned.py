"""What another system returned, tied to the corpus: who may see a chunk is told from the sources, not by the system."""

import math
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import cast

from primum.errors import MalformedReplyError
from primum.records import Chunk, Hit, Passage

Returned = str | tuple[str, float | None] | Hit | Passage
"""A ranked result: a chunk id, an id with its score, a hit, or a passage whose text is what the system really used."""


def passage_of(item: object, chunks: Mapping[str, Chunk], source: str) -> tuple[Passage, float | None]:
    """The corpus's passage behind a result, which should be a `Returned`, and its score.

    Publication state, tenant and patient are those of the corpus, so that no system can call a note its own patient's.
    A passage that the system may not use is handed on all the same: the gates must see it.

    Raises:
        MalformedReplyError: the result is of another shape, or its id is not in the corpus.
    """
    if isinstance(item, Passage):
        chunk_id, score = item.id, None
    elif isinstance(item, Hit):
        chunk_id, score = item.chunk_id, item.score
    else:
        chunk_id, score = _id_and_score(item, source)
    chunk = chunks.get(chunk_id)
    if chunk is None:
        raise MalformedReplyError(
            f"{source} returned an id that is no chunk of this corpus; "
            "index the same documents with the same chunking, and return the chunk ids"
        )
    passage = chunk.passage()
    return passage.model_copy(update={"text": item.text}) if isinstance(item, Passage) else passage, score


def _id_and_score(item: object, source: str) -> tuple[str, float | None]:
    kind = type(item).__name__
    parts: tuple[object, ...] = (
        tuple(cast("Sequence[object]", item)) if isinstance(item, tuple | list) else (item, None)
    )
    chunk_id, score = parts if len(parts) == 2 else (None, None)
    if not isinstance(chunk_id, str):
        raise MalformedReplyError(
            f"{source} returned a {kind}; return chunk ids, (id, score) pairs, Hit or Passage records, best first"
        )
    if score is None:
        return chunk_id, None
    # Real covers the floats of numpy, which are no `float`.
    if not isinstance(score, Real) or not math.isfinite(score):
        raise MalformedReplyError(f"{source} returned a score that is no finite number; return a number or None")
    return chunk_id, float(score)
