"""For whom a question is asked."""

from primum.records.base import Record


class Scope(Record):
    """Whose data may be seen and which version must be used."""

    tenant: str
    """The organisation that asks."""
    patient_id: str | None = None
    """The active patient (the MRN), or None when the question is about no patient."""
    required_version: str | None = None
    """The document version that the answer must be about, when the question fixes one."""


class Person(Record):
    """Identifiers of a patient, used to recognise a leak; each may be unknown."""

    mrn: str
    name: str | None = None
    birth_date: str | None = None
    """ISO 8601, ``YYYY-MM-DD``."""
    room: str | None = None
