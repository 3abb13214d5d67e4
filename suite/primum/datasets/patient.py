"""The patients that a dataset knows."""

from primum.records import Person, Record


class Patient(Record):
    """One line of ``patients.jsonl``: a person and the tenant whose patient it is."""

    mrn: str
    """The medical record number, the ``patient_id`` of scopes and documents; unique within a tenant."""
    name: str | None = None
    birth_date: str | None = None
    """ISO 8601, ``YYYY-MM-DD``."""
    room: str | None = None
    tenant: str

    def person(self) -> Person:
        """The identifiers that gates recognise a leak by."""
        return Person(mrn=self.mrn, name=self.name, birth_date=self.birth_date, room=self.room)
