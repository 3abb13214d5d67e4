"""Makes the retriever that the settings name, over the project's chunks."""

from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from primum.app import parts
from primum.app.project import Project
from primum.config.retrieval import (
    CallableRetrieval,
    DenseRetrieval,
    FusedRetrieval,
    HTTPRetrieval,
    HybridRetrieval,
    LexicalRetrieval,
    RecordedRetrieval,
    RetrievalSettings,
    SearchSection,
    SparseRetrieval,
)
from primum.corpus import FusionSettings, QdrantSettings, SearchSettings
from primum.progress import Progress
from primum.protocols import Embedder, Retriever

if TYPE_CHECKING:  # Qdrant's client takes long to load
    from primum.corpus.open import QdrantIndex

QUESTIONS_FILE = "questions.sqlite"
"""Vectors of questions, in the output folder; it can be deleted at any time."""
INDEXED = (DenseRetrieval, SparseRetrieval, FusedRetrieval, HybridRetrieval)
"""Kinds that search the Qdrant collection."""


@dataclass(frozen=True, kw_only=True)
class OpenRetriever:
    """A retriever ready to be asked."""

    retriever: Retriever
    index: "QdrantIndex | None" = None
    """Verified; None for a retriever without an index of ours."""
    embedder: Embedder | None = None
    """Embeds questions; None for a retriever that needs no vectors of ours."""


@contextmanager
def open_retriever(
    project: Project, output: Path, progress: Progress, place: QdrantSettings | None = None
) -> Generator[OpenRetriever]:
    """The configured retriever; a vector index is verified before it is used.

    Args:
        project: What names it.
        output: Folder of the index and of the vectors of questions.
        progress: Shows how far long work is.
        place: Where the collection is, instead of where the settings say.

    Raises:
        IndexMismatchError: the index does not hold what it should, or was built with another embedder.
    """
    settings = project.settings.retrieval
    with ExitStack() as closing:
        index, embedder = None, None
        if isinstance(settings, INDEXED):
            from primum.corpus.open import open_index

            model = parts.embedder(project)
            with progress.track("verify the index", len(project.chunks)) as advance:
                place = place or parts.index_place(project, output)
                index = closing.enter_context(open_index(place, model, project.chunks))
                advance(len(project.chunks))
            embedder = _questions(settings, model, output, closing)
            retriever = _indexed(project, settings, index, embedder)
        else:
            retriever = _unindexed(project, settings, closing)
        yield OpenRetriever(retriever=_reranked(project, retriever), index=index, embedder=embedder)


def approximate_search(settings: RetrievalSettings) -> bool:
    """Whether the search may miss what an exact one finds."""
    return isinstance(settings, DenseRetrieval | FusedRetrieval | HybridRetrieval) and not settings.search.exact


def exact_twin(project: Project, opened: OpenRetriever) -> Retriever:
    """The same retriever with an exact search; needs an index."""
    settings = project.settings.retrieval
    if opened.index is None or opened.embedder is None or not isinstance(settings, INDEXED):
        raise ValueError("only a retriever with an index has an exact twin")
    exact = settings.model_copy(update={"search": SearchSection(exact=True)})
    return _reranked(project, _indexed(project, exact, opened.index, opened.embedder))


def _questions(
    settings: DenseRetrieval | SparseRetrieval | FusedRetrieval | HybridRetrieval,
    model: Embedder,
    output: Path,
    closing: ExitStack,
) -> Embedder:
    """The embedder of questions. The index was opened with the embedder itself: a cache could hide its change."""
    if isinstance(settings, SparseRetrieval) or not settings.cache_questions:
        return model
    from primum.corpus.embedders.cache import CachedEmbedder

    return closing.enter_context(CachedEmbedder(model, output / QUESTIONS_FILE))


def _indexed(
    project: Project,
    settings: DenseRetrieval | SparseRetrieval | FusedRetrieval | HybridRetrieval,
    index: "QdrantIndex",
    embedder: Embedder,
) -> Retriever:
    from primum.retrieval.qdrant import DenseRetriever, FusedRetriever, SparseRetriever

    if isinstance(settings, SparseRetrieval):
        return SparseRetriever(index, SearchSettings(min_score=settings.min_score))
    search = SearchSettings(**settings.search.content(), min_score=settings.min_score)
    if isinstance(settings, FusedRetrieval):
        return FusedRetriever(index, embedder, search, FusionSettings(**settings.fusion.content()))
    dense = DenseRetriever(index, embedder, search)
    if isinstance(settings, DenseRetrieval):
        return dense
    from primum.retrieval.hybrid import HybridRetriever
    from primum.retrieval.lexical import BM25Retriever

    both: Sequence[Retriever] = (dense, BM25Retriever(project.chunks))
    return HybridRetriever(both, weights=settings.weights, k=settings.k, depth=settings.depth)


def _unindexed(
    project: Project,
    settings: LexicalRetrieval | CallableRetrieval | HTTPRetrieval | RecordedRetrieval,
    closing: ExitStack,
) -> Retriever:
    match settings:
        case LexicalRetrieval(kind=kind):
            from primum.retrieval.lexical import BM25Retriever, JaccardRetriever

            return BM25Retriever(project.chunks) if kind == "bm25" else JaccardRetriever(project.chunks)
        case CallableRetrieval():
            return _callable(project, settings)
        case HTTPRetrieval(url=url, api_key_env=key, timeout_seconds=seconds):
            from primum.retrieval.http import HTTPRetriever, HTTPRetrieverSettings

            asked = HTTPRetrieverSettings(url=url, api_key_env=key, timeout_seconds=seconds)
            return closing.enter_context(HTTPRetriever(asked, project.chunks))
        case RecordedRetrieval(path=path, format=form):
            from primum.metrics import read_run
            from primum.retrieval.recorded import RecordedRetriever, read_rankings

            read = read_run if form == "trec" else read_rankings
            return RecordedRetriever(read(project.root / path), project.cases, project.chunks)


def _callable(project: Project, settings: CallableRetrieval) -> Retriever:
    from primum.retrieval.callable import CallableRetriever
    from primum.retrieval.frameworks import from_langchain, from_llama_index
    from primum.usercode import load_function

    path, version, seconds = settings.function, settings.version, settings.timeout_seconds
    if settings.framework == "none":
        return CallableRetriever.from_path(
            path, project.chunks, folder=project.root, version=version, timeout_seconds=seconds
        )
    make = load_function(path, folder=project.root, takes=("scope", "limit"))
    wrap = from_langchain if settings.framework == "langchain" else from_llama_index
    return wrap(make, project.chunks, name=path, version=version, id_field=settings.id_field, timeout_seconds=seconds)


def _reranked(project: Project, retriever: Retriever) -> Retriever:
    rerank = project.settings.retrieval.rerank
    if rerank is None:
        return retriever
    from primum.retrieval.rerank import RerankedRetriever
    from primum.usercode import load_function

    function = load_function(rerank.function, folder=project.root, takes=("question", "passages"))
    return RerankedRetriever(retriever, function, name=rerank.function, version=rerank.version, depth=rerank.depth)


def describe(project: Project) -> str:
    """What finds passages, in words for people."""
    rerank = project.settings.retrieval.rerank
    said = _described(project.settings.retrieval)
    return said if rerank is None else f"{said}, reranked by {rerank.function}"


def _described(settings: RetrievalSettings) -> str:
    match settings:
        case LexicalRetrieval(kind=kind):
            return {"bm25": "BM25 over words", "jaccard": "share of common words"}[kind]
        case CallableRetrieval(function=function):
            return f"Python function {function}"
        case HTTPRetrieval():
            return "an HTTP endpoint"
        case RecordedRetrieval(path=path):
            return f"recorded rankings ({path})"
        case DenseRetrieval() | SparseRetrieval() | FusedRetrieval() | HybridRetrieval():
            return f"{settings.kind} search in Qdrant"
