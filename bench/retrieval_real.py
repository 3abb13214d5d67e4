"""Lexical, dense and hybrid retrieval on real medical text.

Usage: python bench/retrieval_real.py [--data ../shared/data/ir] [--work FOLDER] [--queries 1000] [--seed 7]

Reads PubMedQA and MedQuAD as they lie beside the checkout, embeds their passages with the packaged MiniLM into an
embedded Qdrant in the work folder (kept, so that a second run is quicker), retrieves 100 passages for a seeded sample
of the answerable questions with each retriever, and prints a Markdown table: means over families with 95% intervals of
a family bootstrap. A family is a document, so that questions about one abstract or one focus count once.
Exits with 2 when the data is not there.
"""

import argparse
import asyncio
import json
import random
import sys
from collections import defaultdict
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import gettempdir

from primum.corpus import QdrantSettings
from primum.corpus.build import Progress, build_index
from primum.corpus.embedders.cache import CachedEmbedder
from primum.corpus.embedders.minilm import MiniLMEmbedder
from primum.corpus.open import open_index
from primum.metrics import CaseScores, Judgments, Unjudged, aggregate_families, parse_measure, score_ranking
from primum.protocols import Retriever
from primum.records import Chunk, ChunkKey, PublicationState, Retrieval, Scope
from primum.retrieval.hybrid import HybridRetriever
from primum.retrieval.lexical import BM25Retriever, JaccardRetriever
from primum.retrieval.qdrant import DenseRetriever, FusedRetriever, SparseRetriever
from primum.statistics import family_bootstrap

DATA = Path(__file__).parents[2] / "shared" / "data" / "ir"
DEPTH = 100
MEASURES = tuple(
    parse_measure(text)
    for text in (
        "P@1",
        "Hit@5",
        "Recall@5",
        "Recall@100",
        "RR@10",
        "nDCG(gain=exp)@10",
        "nDCG(gain=linear)@10",
        "AP@100",
    )
)
ANYBODY = Scope(tenant="shared")


@dataclass(frozen=True, kw_only=True)
class Collection:
    """A retrieval collection as it lies on disk."""

    name: str
    chunks: tuple[Chunk, ...]
    questions: Mapping[str, str]
    """Answerable ones, by id."""
    grades: Mapping[str, Mapping[str, int]]
    families: Mapping[str, str]
    """The document that a question is about, by question."""


def read_collection(folder: Path) -> Collection:
    """The passages, answerable questions and judgments in `folder`."""
    passages = list(_rows(folder / "passages.jsonl"))
    document = {str(row["id"]): str(row["doc"]) for row in passages}
    grades: dict[str, dict[str, int]] = defaultdict(dict)
    for row in _rows(folder / "qrels.jsonl"):
        grades[str(row["query"])][str(row["passage"])] = int(str(row["grade"]))
    questions = {
        str(row["id"]): str(row["text"]) for row in _rows(folder / "queries.jsonl") if row.get("answerable", True)
    }
    best = {query: max(sorted(judged), key=judged.__getitem__) for query, judged in grades.items()}
    return Collection(
        name=folder.name,
        chunks=tuple(_chunk(row, ordinal) for ordinal, row in enumerate(passages)),
        questions=questions,
        grades=grades,
        families={query: document[passage] for query, passage in best.items()},
    )


def _rows(path: Path) -> Iterator[dict[str, object]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def _chunk(row: Mapping[str, object], ordinal: int) -> Chunk:
    text, document = str(row["text"]), str(row["doc"])
    return Chunk(
        key=ChunkKey(
            document_id=document, document_version="1", chunk_id=str(row["id"]), chunking_version="as published"
        ),
        ordinal=ordinal,
        start=0,
        end=len(text),
        heading="",
        text=text,
        title="",
        type="passage",
        state=PublicationState.PUBLISHED,
        tenant="shared",
        patient_id=None,
    )


class Remembered:
    """A retriever that is asked each question once, for use alone and in a hybrid."""

    def __init__(self, retriever: Retriever) -> None:
        self._retriever = retriever
        self._found: dict[str, Retrieval] = {}

    @property
    def fingerprint(self) -> str:
        """That of the retriever."""
        return self._retriever.fingerprint

    async def retrieve(self, question: str, scope: Scope, limit: int) -> Retrieval:
        """The first `DEPTH` passages, whatever the limit."""
        if question not in self._found:
            self._found[question] = await self._retriever.retrieve(question, scope, max(limit, DEPTH))
        return self._found[question]


@contextmanager
def retrievers(collection: Collection, work: Path) -> Generator[dict[str, Retriever]]:
    """Every retriever by its name, over one verified index."""
    embedder = MiniLMEmbedder()
    settings = QdrantSettings(path=work / collection.name)
    build_index(settings, collection.chunks, embedder, progress=_progress(collection.name), reuse=True)
    with (
        open_index(settings, embedder, collection.chunks) as index,
        CachedEmbedder(embedder, work / "questions.sqlite") as questions,
    ):
        bm25, dense = Remembered(BM25Retriever(collection.chunks)), Remembered(DenseRetriever(index, questions))
        yield {
            "Jaccard": JaccardRetriever(collection.chunks),
            "BM25": bm25,
            "sparse, in Qdrant": SparseRetriever(index),
            "dense, MiniLM": dense,
            "hybrid, RRF": HybridRetriever((dense, bm25), depth=DEPTH),
            "fused, in Qdrant": FusedRetriever(index, questions),
        }


def score(collection: Collection, sample: Sequence[str], retriever: Retriever) -> list[CaseScores]:
    """Each sampled question, scored from one retrieval."""
    return [
        CaseScores(
            family=collection.families[query],
            variant=query,
            kind=collection.name,
            values=score_ranking(
                MEASURES,
                asyncio.run(retriever.retrieve(collection.questions[query], ANYBODY, DEPTH)).ranking.ids,
                Judgments(grades=collection.grades[query], unjudged=Unjudged.IRRELEVANT),
            ),
        )
        for query in sample
    ]


def row(name: str, scores: Sequence[CaseScores], seed: int) -> str:
    """A line of the table: each mean over families with its interval."""
    table = aggregate_families(scores)
    cells: list[str] = []
    for position, overall in enumerate(table.overall):
        means = {
            family: mean.value for family, of in table.by_family.items() if (mean := of[position]).value is not None
        }
        interval = family_bootstrap(means, seed=seed).interval
        cells.append(f"{overall.value:.3f} {interval}")
    return f"| {name} | {' | '.join(cells)} |"


def _progress(name: str) -> Progress:
    def told(done: int, in_all: int) -> None:
        end = "\n" if done == in_all else "\r"
        print(f"{name}: {done}/{in_all} passages embedded", end=end, file=sys.stderr)

    return told


def main() -> int:
    """Prints a table for each collection."""
    parser = argparse.ArgumentParser(description="Lexical, dense and hybrid retrieval on real medical text.")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--work", type=Path, default=Path(gettempdir()) / "primum-retrieval-real")
    parser.add_argument("--queries", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    if not options.data.is_dir():
        print(f"{options.data}: no such folder; the data sets lie beside the checkout", file=sys.stderr)
        return 2
    for folder in sorted(path for path in options.data.iterdir() if path.is_dir()):
        collection = read_collection(folder)
        drawn = random.Random(options.seed).sample(  # noqa: S311 - a sample, not a secret
            sorted(collection.questions), len(collection.questions)
        )
        sample = sorted(drawn[: options.queries])
        families = len({collection.families[query] for query in sample})
        print(f"\n### {collection.name}\n")
        print(
            f"{len(collection.chunks):,} passages; {len(sample):,} questions of {families:,} documents, "
            f"seed {options.seed}.\n"
        )
        print(f"| retriever | {' | '.join(map(str, MEASURES))} |")
        print(f"| --- |{' --- |' * len(MEASURES)}")
        with retrievers(collection, options.work) as systems:
            for name, retriever in systems.items():
                print(row(name, score(collection, sample, retriever), options.seed), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
