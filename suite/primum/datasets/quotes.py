"""Finds the chunks that hold some words of a document."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from primum.errors import DatasetError
from primum.records import Chunk

_SPACE = re.compile(r"\s+")


class PointerError(ValueError):
    """A quote or chunk id points at nothing, or at more than one place."""

    def __init__(self, message: str, fix: str) -> None:
        super().__init__(message)
        self.message = message
        self.fix = fix


@dataclass(frozen=True, kw_only=True)
class _Text:
    """A document's chunks as one text with single spaces, and where in it each chunk starts."""

    chunks: tuple[Chunk, ...]
    text: str
    starts: tuple[int, ...]

    def touched(self, start: int, end: int) -> tuple[Chunk, ...]:
        return self.chunks[bisect_right(self.starts, start) - 1 : bisect_right(self.starts, end - 1)]


class ChunkFinder:
    """Chunks by their id or by words that they hold; white space does not count."""

    def __init__(self, chunks: Iterable[Chunk]) -> None:
        self._by_id: dict[str, Chunk] = {}
        grouped: dict[tuple[str, str], list[Chunk]] = defaultdict(list)
        for chunk in chunks:
            if self._by_id.setdefault(chunk.id, chunk) is not chunk:
                raise DatasetError(f"the chunk id {chunk.id!r} is there twice; chunk each document once")
            grouped[chunk.key.document_id, chunk.key.document_version].append(chunk)
        self._texts = {key: _joined(sorted(group, key=lambda chunk: chunk.ordinal)) for key, group in grouped.items()}

    def find(
        self, document_id: str, document_version: str, *, quote: str | None = None, chunk_id: str | None = None
    ) -> tuple[Chunk, ...]:
        """The chunk with this id, or the one that holds the quote; several when the quote only stands across chunks.

        Raises:
            PointerError: no such document, chunk or words, or the words stand in several places.
        """
        document = self._texts.get((document_id, document_version))
        if document is None:
            versions = sorted(version for known, version in self._texts if known == document_id)
            fix = f"it has the version {', '.join(versions)}" if versions else "correct the id, or add the document"
            raise PointerError("there is no such document and version", fix)
        if chunk_id is not None:
            chunk = self._by_id.get(chunk_id)
            if chunk is None or chunk not in document.chunks:
                raise PointerError("the document has no chunk with this id", "point at it with a quote instead")
            return (chunk,)
        return _quoted(document, _SPACE.sub(" ", quote or "").strip())


def _joined(chunks: list[Chunk]) -> _Text:
    text, starts, end = "", list[int](), 0
    for chunk in chunks:
        if text and end < chunk.start:
            text += " "
        starts.append(len(text))
        text += _SPACE.sub(" ", chunk.text).strip()
        end = chunk.end
    return _Text(chunks=tuple(chunks), text=text, starts=tuple(starts))


def _quoted(document: _Text, quote: str) -> tuple[Chunk, ...]:
    if not quote:
        raise PointerError("the quote is empty", "quote some words of the document")
    inside: dict[tuple[str, ...], tuple[Chunk, ...]] = {}
    across: dict[tuple[str, ...], tuple[Chunk, ...]] = {}
    at = document.text.find(quote)
    while at >= 0:
        chunks = document.touched(at, at + len(quote))
        (inside if len(chunks) == 1 else across)[tuple(chunk.id for chunk in chunks)] = chunks
        at = document.text.find(quote, at + 1)
    found = inside or across
    if not found:
        raise PointerError(*_nearest(document, quote))
    if len(found) > 1:
        raise PointerError(f"the quote stands in {len(found)} chunks", "make it longer, so that it points at one place")
    return next(iter(found.values()))


def _nearest(document: _Text, quote: str) -> tuple[str, str]:
    """How far the quote can be followed, without repeating it: it may be about a patient."""
    low, high = 0, len(quote)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if quote[:middle] in document.text else (low, middle - 1)
    if low < min(12, len(quote) // 2):
        return "the quote is not in the document", "copy the words from the document to the letter"
    return (
        "the quote is not in the document",
        f"its first {low} of {len(quote)} characters are; copy the rest from the document to the letter",
    )
