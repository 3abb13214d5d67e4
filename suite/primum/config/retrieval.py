"""How passages are found: the section ``retrieval`` of ``primum.yaml``, one class for each kind of retriever."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, StringConstraints, field_validator, model_validator

from primum.records.base import Record

EnvironmentVariable = Annotated[str, StringConstraints(pattern=r"^[A-Z_][A-Z0-9_]*$")]
"""The name of an environment variable, in capitals, so that a key that is put here by mistake is refused."""

FunctionPath = Annotated[str, StringConstraints(pattern=r"^\w+(\.\w+)*:\w+(\.\w+)*$")]

DEFAULT_CUTOFFS = (1, 3, 5, 10)


class SearchSection(Record):
    """How Qdrant searches; stored with each run, since each of these can change a ranking."""

    exact: bool = True
    """Compare with every eligible vector rather than through the approximate graph."""
    hnsw_ef: int | None = Field(default=None, ge=1)
    """Size of the beam when the search is approximate."""

    @model_validator(mode="after")
    def _beam_is_approximate(self) -> Self:
        if self.exact and self.hnsw_ef is not None:
            raise ValueError("hnsw_ef has no effect on an exact search; set exact: false or leave it out")
        return self


class FusionSection(Record):
    """How Qdrant fuses the dense and the sparse ranking."""

    method: Literal["rrf", "dbsf"] = "rrf"
    """Reciprocal rank fusion, or distribution-based score fusion."""
    k: int = Field(default=60, ge=1)
    """For rrf: how little the first ranks stand out."""
    weights: tuple[float, float] | None = None
    """For rrf: of the dense and of the sparse ranking, above 0."""
    depth: int = Field(default=100, ge=1)
    """Passages asked of each ranking, or as many as are wanted in the end, if that is more."""

    @model_validator(mode="after")
    def _weights_fit(self) -> Self:
        if self.weights is not None and (self.method != "rrf" or min(self.weights) <= 0):
            raise ValueError("weights are two numbers above 0, and go with method: rrf")
        return self


class RerankSection(Record):
    """A second look at what was found, by a function of the user's own, ``module:function``."""

    function: FunctionPath
    """Called with the question and the passages; returns a score for each."""
    version: str = "1"
    """To be changed whenever the function could score otherwise."""
    depth: int = Field(default=50, ge=1)
    """Passages that are scored, or as many as are wanted in the end, if that is more."""


class RetrievalBase(Record):
    """How passages are found, measured and handed on; the kind of retriever adds its own settings."""

    limit: int = Field(default=10, ge=1, le=1000)
    """Passages that are retrieved, scored and checked for isolation."""
    context: int = Field(default=4, ge=1, le=100)
    """Best passages that reach the generator."""
    measures: tuple[str, ...] = ("P@5", "Recall@5", "Hit@5", "RR@10", "nDCG(gain=exp)@10")
    """Rank measures that a run shows and that `policy.retrieval_minimum` may name."""
    cutoffs: Annotated[tuple[Annotated[int, Field(ge=1)], ...], Field(min_length=1)] = DEFAULT_CUTOFFS
    """Values of k at which `primum retrieval` shows every measure, all read from one retrieval."""
    rerank: RerankSection | None = None
    """Orders what was found anew."""
    baseline: str | None = None
    """File of the accepted retrieval, which ``primum baseline update --retrieval`` writes."""
    tolerance: Decimal = Field(default=Decimal("0.03"), ge=0, le=1)
    """How far the mean of each measure may fall below the baseline; a fall of exactly this passes."""
    tolerances: Mapping[str, Annotated[Decimal, Field(ge=0, le=1)]] = {}
    """The same for single measures."""

    @model_validator(mode="after")
    def _settings_go_together(self) -> Self:
        if self.context > self.limit:
            raise ValueError(f"context ({self.context}) cannot be more than limit ({self.limit})")
        beyond = [k for k in self.cutoffs if k > self.limit]
        if beyond and "cutoffs" in self.model_fields_set:
            raise ValueError(f"the cutoff {beyond[0]} cannot be more than limit ({self.limit})")
        return self

    @property
    def shown_cutoffs(self) -> tuple[int, ...]:
        """The cutoffs that so many passages can show, rising."""
        return tuple(sorted({k for k in self.cutoffs if k <= self.limit})) or (self.limit,)


class DenseRetrieval(RetrievalBase):
    """By meaning: the nearest vectors in the Qdrant collection."""

    kind: Literal["dense"] = "dense"
    min_score: float | None = None
    """Cosine below which a passage is not returned."""
    search: SearchSection = SearchSection()
    """How Qdrant searches."""
    cache_questions: bool = True
    """Keep the vectors of questions in the output folder, by embedder and text."""


class SparseRetrieval(RetrievalBase):
    """By words: BM25 through Qdrant's sparse vectors."""

    kind: Literal["sparse"]
    min_score: float | None = None
    """BM25 score below which a passage is not returned."""


class FusedRetrieval(RetrievalBase):
    """By meaning and words: both searches in one request, fused by Qdrant."""

    kind: Literal["fused"]
    min_score: float | None = None
    """Fused score below which a passage is not returned."""
    search: SearchSection = SearchSection()
    """How Qdrant searches its vectors."""
    fusion: FusionSection = FusionSection()
    """How the two rankings become one."""
    cache_questions: bool = True
    """Keep the vectors of questions in the output folder, by embedder and text."""


class LexicalRetrieval(RetrievalBase):
    """By words, without an index: BM25 or the share of common words."""

    kind: Literal["bm25", "jaccard"]
    """Which of the two."""


class HybridRetrieval(RetrievalBase):
    """By meaning and words: dense and BM25, fused by Primum by reciprocal rank."""

    kind: Literal["hybrid"]
    min_score: float | None = None
    """Cosine below which the dense side returns nothing."""
    search: SearchSection = SearchSection()
    """How Qdrant searches."""
    weights: tuple[Annotated[float, Field(gt=0)], Annotated[float, Field(gt=0)]] = (1.0, 1.0)
    """Of the dense and of the BM25 ranking."""
    k: int = Field(default=60, ge=1)
    """How little the first ranks stand out."""
    depth: int = Field(default=100, ge=1)
    """Passages asked of each ranking, or as many as are wanted in the end, if that is more."""
    cache_questions: bool = True
    """Keep the vectors of questions in the output folder, by embedder and text."""


class CallableRetrieval(RetrievalBase):
    """A Python function of the user's own, ``module:function``, or a retriever object of LangChain or LlamaIndex."""

    kind: Literal["callable"]
    function: FunctionPath
    """Finds passages; for `langchain` and `llama_index` gives the retriever object for a scope and a limit."""
    framework: Literal["none", "langchain", "llama_index"] = "none"
    """Whose object the function gives."""
    id_field: str = Field(default="chunk_id", min_length=1)
    """Metadata field of the framework's documents that holds the chunk id."""
    version: str = "1"
    """To be changed whenever what the function uses could make it rank otherwise."""
    timeout_seconds: float = Field(default=120, gt=0)
    """Deadline of one search; a later one is a failure."""


class HTTPRetrieval(RetrievalBase):
    """A retriever behind an HTTP endpoint."""

    kind: Literal["http"]
    url: str
    """Takes a POST of ``{"question", "tenant", "patient_id", "limit"}``."""
    api_key_env: EnvironmentVariable | None = None
    """The variable whose value is sent as a bearer token."""
    timeout_seconds: float = Field(default=30, gt=0)
    """Until the reply is complete."""

    @field_validator("url")
    @classmethod
    def _url_is_an_address(cls, url: str) -> str:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("url must be like http://localhost:8000/search")
        return url


class RecordedRetrieval(RetrievalBase):
    """Rankings that another system made earlier."""

    kind: Literal["recorded"]
    path: str
    """A file of rankings by case id."""
    format: Literal["jsonl", "trec"] = "jsonl"
    """JSON Lines of ``{"case_id", "hits": [{"chunk_id", "score"}]}``, or a TREC run."""


RetrievalSettings = Annotated[
    DenseRetrieval
    | SparseRetrieval
    | FusedRetrieval
    | LexicalRetrieval
    | HybridRetrieval
    | CallableRetrieval
    | HTTPRetrieval
    | RecordedRetrieval,
    Field(discriminator="kind"),
]
