"""Our BM25 beside the published reference run of a real collection."""

import asyncio
import json
from collections import defaultdict
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from primum.records import Chunk, ChunkKey, PublicationState, Scope
from primum.retrieval.lexical import BM25Retriever

FOLDER = Path(__file__).parents[2].parent / "shared" / "data" / "ir" / "pubmedqa"


def rows(name: str) -> list[dict[str, Any]]:
    # Not splitlines(): some texts hold a Unicode line separator.
    lines = (FOLDER / name).read_text(encoding="utf-8").split("\n")
    return [json.loads(line) for line in lines if line]


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.skipif(not FOLDER.is_dir(), reason="../shared/data/ir/pubmedqa is not there")
def test_pubmedqa_scores_as_in_the_reference_run() -> None:
    """The collection's README has RR 0.958, Hit@5 0.978 and P@5 0.449 for bm25s, which drops stopwords; we do not."""
    chunks = [
        Chunk(
            key=ChunkKey(document_id=row["doc"], document_version="1", chunk_id=row["id"], chunking_version="1"),
            ordinal=0,
            start=0,
            end=len(row["text"]),
            heading="",
            text=row["text"],
            title="",
            type="abstract",
            state=PublicationState.PUBLISHED,
            tenant="shared",
            patient_id=None,
        )
        for row in rows("passages.jsonl")
    ]
    relevant: dict[str, set[str]] = defaultdict(set)
    for row in rows("qrels.jsonl"):
        relevant[row["query"]].add(row["passage"])
    retriever = BM25Retriever(chunks)

    async def rank() -> dict[str, tuple[str, ...]]:
        scope = Scope(tenant="anyone")
        return {
            row["id"]: (await retriever.retrieve(row["text"], scope, 100)).ranking.ids for row in rows("queries.jsonl")
        }

    found = asyncio.run(rank())
    hits = {query: [chunk_id in relevant[query] for chunk_id in ids] for query, ids in found.items()}
    assert len(hits) == 1000
    assert fmean(1 / (each.index(True) + 1) if True in each else 0 for each in hits.values()) == pytest.approx(
        0.958, abs=0.01
    )
    assert fmean(any(each[:5]) for each in hits.values()) == pytest.approx(0.978, abs=0.01)
    assert fmean(sum(each[:5]) / 5 for each in hits.values()) == pytest.approx(0.449, abs=0.01)
