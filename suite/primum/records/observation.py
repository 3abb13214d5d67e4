"""What was observed when a system was asked one case once. Failures are observations too."""

from collections.abc import Mapping
from decimal import Decimal
from enum import StrEnum
from typing import Self

from pydantic import Field, JsonValue, model_validator

from primum.records.base import Record
from primum.records.corpus import Passage
from primum.records.exchange import Answer, Exchange


class Hit(Record):
    """One place in a ranking."""

    chunk_id: str
    score: float | None = None
    """The retriever's score; None when it gives none."""


class Ranking(Record):
    """Chunk ids in the order that the retriever returned them, best first."""

    hits: tuple[Hit, ...] = ()

    @property
    def ids(self) -> tuple[str, ...]:
        """The ranked chunk ids."""
        return tuple(hit.chunk_id for hit in self.hits)


class Retrieval(Record):
    """What a retriever returned for one query: the ranking and the passages behind it, in the same order."""

    ranking: Ranking
    passages: tuple[Passage, ...]


class FailureKind(StrEnum):
    """Why a stage gave no result."""

    TIMEOUT = "timeout"
    EXCEPTION = "exception"
    CANCELLED = "cancelled"
    MALFORMED = "malformed"
    CONTRADICTORY = "contradictory"
    """A reply of the right form whose parts cannot be true together."""
    TRUNCATED = "truncated"
    CONTENT_FILTER = "content_filter"
    REFUSED_BY_PROVIDER = "refused_by_provider"
    RATE_LIMITED = "rate_limited"
    UNAVAILABLE = "unavailable"
    AUTHENTICATION = "authentication"
    WRONG_MODEL = "wrong_model"
    TOO_LONG = "too_long"
    MISSING = "missing"
    """A recorded answer that is not in the recording."""
    SCOPE_LEAK = "scope_leak"
    """Our own search returned what its filter forbids (`ScopeLeakError`); blocks."""


class Failure(Record):
    """A failure, kept as an observation and counted in every denominator."""

    stage: str
    """retrieve, generate or judge."""
    kind: FailureKind
    message: str
    """What went wrong, without patient data or keys."""


class Attempt(Record):
    """One request that was sent, whether it worked or not."""

    number: int = Field(ge=1)
    failure: Failure | None = None
    raw_reply: str | None = None
    """What was replied and rejected, to the letter; None when nothing came or it was taken."""
    seconds: float | None = Field(default=None, ge=0)


class Usage(Record):
    """Tokens that a provider says it counted."""

    prompt_tokens: int = Field(ge=0)
    completion_tokens: int = Field(ge=0)


class ModelCall(Record):
    """How a model was asked and what it said of itself."""

    model_requested: str
    model_returned: str | None = None
    fingerprint: str | None = None
    """The provider's own mark of the system that answered, when it gives one."""
    parameters: Mapping[str, JsonValue] = {}
    prompt_hash: str
    """SHA-256 of the messages."""
    usage: Usage | None = None
    cost_usd: Decimal | None = None
    """US dollars; None when the price is unknown."""
    finish_reason: str | None = None
    raw_reply: str | None = None
    attempts: tuple[Attempt, ...] = ()


class Generation(Record):
    """What a generator returned."""

    answer: Answer | None
    call: ModelCall | None = None
    """None for generators that ask no model."""
    failure: Failure | None = None
    context: tuple[Passage, ...] | None = None
    """The passages that the generator really used, when it says so; else those it was given."""
    retrieved: tuple[Passage, ...] | None = None
    """What the generator retrieved by itself, best first, when it did; else the run's own retrieval counts."""

    @model_validator(mode="after")
    def _answer_or_failure(self) -> Self:
        if (self.answer is None) == (self.failure is None):
            raise ValueError("a generation has either an answer or a failure")
        return self


class Timing(Record):
    """When and how long; the only fields of an observation that differ between two equal runs."""

    started_at: str
    """UTC, ISO 8601."""
    retrieval_seconds: float | None = Field(default=None, ge=0)
    generation_seconds: float | None = Field(default=None, ge=0)


class Observation(Record):
    """One (system, case, repetition), observed once; everything after it can be computed again from it."""

    system: str
    case_id: str
    repetition: int = Field(ge=0)
    case_digest: str
    config_digest: str
    """Digest of the settings that shape an observation: corpus, index, retriever and generator."""
    ranking: Ranking | None
    """None when retrieval failed."""
    exchange: Exchange
    call: ModelCall | None = None
    failure: Failure | None = None
    timing: Timing

    @property
    def id(self) -> str:
        """``system/family/variant/repetition``, unique in a run."""
        return observation_id(self.system, self.case_id, self.repetition)


def observation_id(system: str, case_id: str, repetition: int) -> str:
    """The id of an observation, known before it is made."""
    return f"{system}/{case_id}/{repetition}"
