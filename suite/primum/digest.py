"""Content digests: one canonical form, so that equal content has equal digests everywhere."""

import hashlib
import json
from typing import Any


def canonical_json(value: Any) -> str:
    """JSON with sorted keys, no spaces and text as is; raises ValueError on NaN and infinities."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest(value: Any) -> str:
    """Full SHA-256, in hexadecimal, of the canonical JSON of `value`."""
    return sha256_text(canonical_json(value))


def sha256_text(text: str) -> str:
    """SHA-256 of the UTF-8 text; lone surrogates, which recorded answers can hold, are kept as they are."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
