"""What another system returned, tied to the corpus: who may see a chunk is told from the sources, not by the system."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import cast

from primum.errors import MalformedReplyError
from primum.records import Chunk, Hit, Passage


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One ranked result of another system."""

    chunk_id: str
    score: float | None = None
    text: str | None = None
    """What the system really used, when that is not the chunk's text."""


Returned = str | tuple[str, float | None] | Hit | Passage | Result
"""A chunk id, an id with its score, a hit, a passage whose text is what the system really used, or a result."""


def passage_of(item: object, chunks: Mapping[str, Chunk], source: str) -> tuple[Passage, float | None]:
    """The corpus's passage behind a result, which should be a `Returned`, and its score.

    Publication state, tenant and patient are those of the corpus, so that no system can call a note its own patient's.
    A passage that the system may not use is handed on all the same: the gates must see it.

    Raises:
        MalformedReplyError: the result is of another shape, or its id is not in the corpus.
    """
    result = _result(item, source)
    chunk = chunks.get(result.chunk_id)
    if chunk is None:
        raise MalformedReplyError(
            f"{source} returned an id that is no chunk of this corpus; "
            "index the same documents with the same chunking, and return the chunk ids"
        )
    passage = chunk.passage()
    return passage if result.text is None else passage.model_copy(update={"text": result.text}), result.score


def _result(item: object, source: str) -> Result:
    if isinstance(item, Passage):
        return Result(chunk_id=item.id, text=item.text)
    if isinstance(item, Hit):
        return Result(chunk_id=item.chunk_id, score=item.score)
    kind = type(item).__name__
    if isinstance(item, Result):
        return _checked(item.chunk_id, item.score, item.text, kind, source)
    parts: tuple[object, ...] = (
        tuple(cast("Sequence[object]", item)) if isinstance(item, tuple | list) else (item, None)
    )
    chunk_id, score = parts if len(parts) == 2 else (None, None)
    return _checked(chunk_id, score, None, kind, source)


def _checked(chunk_id: object, score: object, text: object, kind: str, source: str) -> Result:
    if not isinstance(chunk_id, str) or not isinstance(text, str | None):
        raise MalformedReplyError(
            f"{source} returned a {kind}; return chunk ids, (id, score) pairs, Hit or Passage records, best first"
        )
    return Result(chunk_id=chunk_id, score=_score(score, source), text=text)


def _score(score: object, source: str) -> float | None:
    if score is None:
        return None
    # Real covers the floats of numpy, which are no `float`.
    if not isinstance(score, Real) or not math.isfinite(score):
        raise MalformedReplyError(f"{source} returned a score that is no finite number; return a number or None")
    return float(score)
