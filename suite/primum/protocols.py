"""The plug-in points. Each is as small as it can be; `primum.testing` has a fake and a conformance kit for each."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

from primum.records import (
    AnswerKey,
    Exchange,
    GateReport,
    GateResult,
    Generation,
    KeyField,
    Observation,
    Passage,
    Retrieval,
    Scope,
    Verdict,
)

if TYPE_CHECKING:  # whoever writes a gate or a judge need not load it
    import numpy as np
    from numpy.typing import NDArray

T = TypeVar("T")
U = TypeVar("U")


class Embedder(Protocol):
    """Turns texts into vectors."""

    @property
    def fingerprint(self) -> str:
        """Identity of model, weights and settings: two embedders with one fingerprint give the same vectors."""
        ...

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        ...

    def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Unit vectors of shape ``(len(texts), dimension)``, in the order of `texts`."""
        ...


class Retriever(Protocol):
    """Finds passages for a question."""

    @property
    def fingerprint(self) -> str:
        """Identity of the index and every setting that can change a ranking."""
        ...

    async def retrieve(self, question: str, scope: Scope, limit: int) -> Retrieval:
        """At most `limit` passages that `scope` may see, best first; raises EndpointError when it cannot."""
        ...


class Generator(Protocol):
    """Answers a question from passages. It is never given the answer key."""

    @property
    def fingerprint(self) -> str:
        """Identity of the model and every setting that can change an answer."""
        ...

    async def generate(
        self, question: str, scope: Scope, context: Sequence[Passage], *, case_id: str, repetition: int
    ) -> Generation:
        """An answer, or a failure as a value. `case_id` and `repetition` serve recordings and caches only."""
        ...


class Gate(Protocol):
    """A deterministic check of a hard rule: a pure function of the exchange."""

    @property
    def id(self) -> str:
        """Short name, such as ``dose``."""
        ...

    @property
    def version(self) -> str:
        """Raised whenever a verdict could change."""
        ...

    @property
    def needs(self) -> frozenset[KeyField]:
        """The parts of the answer key that the gate is shown."""
        ...

    def check(self, exchange: Exchange, key: AnswerKey) -> GateResult:
        """Whether the rule holds; a gate that raises is turned into an error that blocks."""
        ...


class Judge(Protocol):
    """Scores one rubric on one exchange."""

    @property
    def id(self) -> str:
        """Name of the judge, such as a model name or ``lexical``."""
        ...

    @property
    def rubric(self) -> str:
        """Id of the rubric that it scores."""
        ...

    @property
    def needs(self) -> frozenset[KeyField]:
        """The parts of the answer key that the judge is shown."""
        ...

    async def judge(self, exchange: Exchange, key: AnswerKey, *, repetition: int) -> Verdict:
        """A verdict; trouble with the model is a verdict too (``inconclusive`` or ``error``)."""
        ...


class Store(Protocol):
    """Keeps a run. Rows are only ever added; an observation is written whole or not at all."""

    def add_observation(self, run: str, observation: Observation) -> None:
        """Keeps one observation; raises StoreError when it is there already."""
        ...

    def observations(self, run: str, *, system: str | None = None) -> Iterator[Observation]:
        """Streams the observations of a run, ordered by id."""
        ...

    def observed(self, run: str) -> frozenset[str]:
        """Ids of the observations that are stored, for resuming."""
        ...

    def add_gate_report(self, run: str, report: GateReport) -> None:
        """Keeps the gates' results on one observation; a later report on the same observation supersedes it."""
        ...

    def gate_reports(self, run: str) -> Iterator[GateReport]:
        """The newest report of each observation, ordered by observation id."""
        ...

    def add_verdict(self, run: str, verdict: Verdict) -> None:
        """Keeps one verdict; a later one of the same judge, rubric and repetition supersedes it."""
        ...

    def verdicts(self, run: str) -> Iterator[Verdict]:
        """The newest verdict of each (observation, judge, rubric, repetition), in that order."""
        ...


class Engine(Protocol):
    """Runs units of work, as many at once as it may, and hands results on in the order of the units."""

    def run(self, units: Iterable[U], work: Callable[[U], Awaitable[T]]) -> AsyncIterator[T]:
        """Results in unit order. `work` returns failures as values; an exception from it stops the run."""
        ...
