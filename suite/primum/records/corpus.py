"""What a system may retrieve: documents, their chunks, and passages as a retriever hands them on."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from pydantic import Field, JsonValue

from primum.records.base import Record
from primum.records.scope import Scope

SHARED_TENANT: Final = "shared"
"""The tenant of documents that every tenant may read."""


class PublicationState(StrEnum):
    """Where a document stands in its life; only published ones may be retrieved."""

    PUBLISHED = "published"
    DRAFT = "draft"
    SUPERSEDED = "superseded"
    WITHDRAWN = "withdrawn"


class Document(Record):
    """One version of one source text."""

    id: str = Field(min_length=1)
    version: str = Field(min_length=1)
    title: str
    type: str
    """Kind of document, such as monograph, guideline, policy or patient_note."""
    state: PublicationState
    tenant: str = SHARED_TENANT
    patient_id: str | None = None
    """The patient whom a note is about; None for documents that are about nobody."""
    text: str = Field(min_length=1)
    payload: Mapping[str, JsonValue] = {}
    """Further fields of the source, such as the patient's name and room on a note."""


class ChunkKey(Record):
    """Identity of a chunk that survives a re-index: it is derived from content, not from a counter."""

    document_id: str
    document_version: str
    chunk_id: str
    chunking_version: str


class Chunk(Record):
    """A consecutive piece of one document, as it is embedded and indexed."""

    key: ChunkKey
    ordinal: int = Field(ge=0)
    """Position among the document's chunks, from 0."""
    start: int = Field(ge=0)
    """Offset of the first character in the document's text."""
    end: int
    """Offset after the last character."""
    heading: str
    """The section that the chunk stands in; empty before the first heading."""
    text: str = Field(min_length=1)
    title: str
    type: str
    state: PublicationState
    tenant: str
    patient_id: str | None
    payload: Mapping[str, JsonValue] = {}

    @property
    def id(self) -> str:
        """The chunk id that rankings, judgments and citations use."""
        return self.key.chunk_id

    def passage(self) -> "Passage":
        """The chunk as a retriever hands it on."""
        return Passage(
            id=self.key.chunk_id,
            document_id=self.key.document_id,
            document_version=self.key.document_version,
            title=self.title,
            text=self.text,
            state=self.state,
            tenant=self.tenant,
            patient_id=self.patient_id,
            payload=self.payload,
        )


class Passage(Record):
    """A retrieved text with what is needed to judge whether it may be used here."""

    id: str = Field(min_length=1)
    document_id: str = Field(min_length=1)
    document_version: str
    title: str = ""
    text: str
    state: PublicationState = PublicationState.PUBLISHED
    tenant: str = SHARED_TENANT
    patient_id: str | None = None
    payload: Mapping[str, JsonValue] = {}

    def eligible(self, scope: Scope) -> bool:
        """Whether somebody in `scope` may see this passage: published, own or shared tenant, own patient or none."""
        return (
            self.state is PublicationState.PUBLISHED
            and self.tenant in (scope.tenant, SHARED_TENANT)
            and self.patient_id in (None, scope.patient_id)
        )
