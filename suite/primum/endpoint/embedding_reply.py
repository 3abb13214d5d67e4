"""What one embedding request brought back."""

from dataclasses import dataclass
from decimal import Decimal

from primum.records import Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingReply:
    """Vectors in the order of the texts."""

    vectors: tuple[tuple[float, ...], ...]
    model: str | None
    usage: Usage | None
    cost_usd: Decimal | None
