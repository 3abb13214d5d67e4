"""A reranker that keeps the order."""

from collections.abc import Sequence


def rerank(question: str, passages: Sequence[object]) -> list[float]:  # noqa: ARG001 - as it is called
    return [-float(rank) for rank in range(len(passages))]
