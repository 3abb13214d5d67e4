"""Chunks for several audiences, built directly."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from primum.corpus.embedders.minilm import MiniLMEmbedder
from primum.records import SHARED_TENANT, Chunk, ChunkKey, PublicationState

MakeChunk = Callable[..., Chunk]


def build(chunk_id: str, text: str, **fields: Any) -> Chunk:
    values: Mapping[str, Any] = {
        "ordinal": 0,
        "start": 0,
        "end": len(text),
        "heading": "",
        "title": "",
        "type": "monograph",
        "state": PublicationState.PUBLISHED,
        "tenant": SHARED_TENANT,
        "patient_id": None,
        **fields,
    }
    key = ChunkKey(document_id=f"doc-{chunk_id}", document_version="1", chunk_id=chunk_id, chunking_version="test-1")
    return Chunk(key=key, text=text, **values)


@pytest.fixture(scope="session")
def embedder() -> MiniLMEmbedder:
    return MiniLMEmbedder()


@pytest.fixture(scope="session")
def make_chunk() -> MakeChunk:
    return build


@pytest.fixture(scope="session")
def ward() -> Sequence[Chunk]:
    """Shared monographs, a policy of tenant north, a draft, and notes of two patients."""
    return (
        build("dose", "Adults take 25 mg of velatrine twice a day with food.", title="Velatrine"),
        build("renal", "Halve the dose of velatrine when kidney function is poor.", title="Velatrine"),
        build("storage", "Keep the orvexa inhaler below 25 degrees.", title="Orvexa"),
        build("policy", "Velatrine is ordered through the north pharmacy.", title="Ordering", tenant="north"),
        build("draft", "Velatrine dose under review: 250 mg.", title="Velatrine", state=PublicationState.DRAFT),
        build("old", "Adults take 20 mg of velatrine.", title="Velatrine", state=PublicationState.SUPERSEDED),
        build("note-a", "Velatrine was stopped after a rash.", title="Note", tenant="north", patient_id="A"),
        build("note-b", "Velatrine 25 mg twice a day, well tolerated.", title="Note", tenant="north", patient_id="B"),
    )
