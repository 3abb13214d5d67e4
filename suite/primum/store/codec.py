"""Records to the bytes that are stored, and back with proof that they are the same."""

import hashlib
import json
from typing import TypeVar

from pydantic import ValidationError

from primum.digest import canonical_json
from primum.errors import StoreError
from primum.records import Record

R = TypeVar("R", bound=Record)


def encode(record: Record) -> tuple[str, bytes]:
    """Digest and canonical JSON of a record; the digest is the record's own."""
    data = canonical_json(record.content()).encode("utf-8", "surrogatepass")
    return hashlib.sha256(data).hexdigest(), data


def decode(kind: type[R], digest: str, data: bytes, *, place: str) -> R:
    """The record behind the bytes; raises StoreError when they are not what was written."""
    if hashlib.sha256(data).hexdigest() != digest:
        raise StoreError(f"{place}: a {kind.__name__} is damaged; restore the store from a copy or make a new run")
    try:
        return kind.model_validate(json.loads(data.decode("utf-8", "surrogatepass")))
    except (ValueError, ValidationError):
        # The cause would quote the record, which may hold patient data.
        raise StoreError(
            f"{place}: a {kind.__name__} cannot be read by this version of Primum; use the version that wrote it"
        ) from None
