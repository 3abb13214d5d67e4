"""A small corpus of invented medicines, and the real embedder."""

from collections.abc import Sequence

import pytest

from primum.corpus.embedders.minilm import MiniLMEmbedder
from primum.records import Chunk, ChunkKey, PublicationState

TEXTS = (
    ("Velatrine tablets", "Dose", "Adults take 25 mg of velatrine twice a day, with food, for two weeks."),
    ("Velatrine tablets", "Renal impairment", "Halve the dose of velatrine when the kidneys filter poorly."),
    ("Orvexa inhaler", "Storage", "Keep the inhaler below 25 degrees and away from children."),
    ("Hand hygiene policy", "When", "Clean your hands before and after you touch a patient."),
    ("Ward note", "Allergies", "The patient came out in a rash after penicillin as a child."),
)


@pytest.fixture(scope="session")
def embedder() -> MiniLMEmbedder:
    return MiniLMEmbedder()


@pytest.fixture(scope="session")
def chunks() -> Sequence[Chunk]:
    """Four chunks that everybody may read, and one about patient MRN-1 of tenant north."""
    made: list[Chunk] = []
    for number, (title, heading, text) in enumerate(TEXTS):
        note = title == "Ward note"
        made.append(
            Chunk(
                key=ChunkKey(
                    document_id=title.lower().replace(" ", "-"),
                    document_version="1",
                    chunk_id=f"chunk-{number}",
                    chunking_version="test-1",
                ),
                ordinal=number,
                start=0,
                end=len(text),
                heading=heading,
                text=text,
                title=title,
                type="patient_note" if note else "monograph",
                state=PublicationState.PUBLISHED,
                tenant="north" if note else "shared",
                patient_id="MRN-1" if note else None,
                payload={"room": "12", "tags": ["ward"]} if note else {},
            )
        )
    return made
