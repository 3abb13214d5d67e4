"""One case through the stages. It knows only protocols: what retrieves, generates and judges is handed in."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from primum.digest import digest
from primum.errors import AuthenticationError
from primum.failures import failure_of
from primum.protocols import Generator, Judge, Retriever
from primum.records import (
    Case,
    Exchange,
    Failure,
    Generation,
    Hit,
    Observation,
    Passage,
    Person,
    Ranking,
    Retrieval,
    Scope,
    Timing,
    Verdict,
)


@dataclass(frozen=True, kw_only=True)
class System:
    """A retriever and a generator that are evaluated together."""

    id: str
    retriever: Retriever
    generator: Generator
    limit: int
    """Passages that are retrieved."""
    context: int
    """Best of them, which reach the generator."""
    corpus_digest: str
    roster: Callable[[Scope], tuple[Person, ...]]
    """Known patients other than the active one."""

    @property
    def config_digest(self) -> str:
        """Digest of everything that shapes an observation, apart from the case."""
        return digest(
            [self.corpus_digest, self.retriever.fingerprint, self.generator.fingerprint, self.limit, self.context]
        )


@dataclass(frozen=True, kw_only=True)
class Retrieved:
    """What retrieval came to for one case: passages, or the failure; and how long it took."""

    case: Case
    started_at: str
    seconds: float
    retrieval: Retrieval | None
    failure: Failure | None = None


async def retrieve(retriever: Retriever, case: Case, limit: int) -> Retrieved:
    """Asks the retriever once; its failure is a value."""
    started_at = datetime.now(UTC).isoformat(timespec="milliseconds")
    start = time.perf_counter()
    retrieval, failure = None, None
    try:
        retrieval = await retriever.retrieve(case.question, case.scope, limit)
    except AuthenticationError:
        raise
    except Exception as error:  # noqa: BLE001 - the system under test may raise anything; it is counted, not lost
        failure = failure_of(error, "retrieve")
    return Retrieved(
        case=case,
        started_at=started_at,
        seconds=time.perf_counter() - start,
        retrieval=retrieval,
        failure=failure,
    )


async def observe(system: System, retrieved: Retrieved, repetition: int) -> Observation:
    """Generates an answer from what was retrieved and records all of it; a failure is an observation too."""
    case = retrieved.case
    start = time.perf_counter()
    generation: Generation | None = None
    failure = retrieved.failure
    passages: Sequence[Passage] = ()
    context: Sequence[Passage] = ()
    ranking: Ranking | None = None
    if retrieved.retrieval is not None:
        passages, ranking = retrieved.retrieval.passages, retrieved.retrieval.ranking
        context = passages[: system.context]
        generation = await _generate(system, case, context, repetition)
        failure = generation.failure
        if generation.retrieved is not None:  # a recorded system that retrieved for itself
            passages = generation.retrieved
            ranking = Ranking(hits=tuple(Hit(chunk_id=passage.id) for passage in passages))
        context = context if generation.context is None else generation.context
    return Observation(
        system=system.id,
        case_id=case.id,
        repetition=repetition,
        case_digest=case.digest(),
        config_digest=system.config_digest,
        ranking=ranking,
        exchange=Exchange(
            id=f"{system.id}/{case.id}/{repetition}",
            question=case.question,
            scope=case.scope,
            retrieved=tuple(passages),
            context=tuple(context),
            answer=generation.answer if generation else None,
            roster=system.roster(case.scope),
            disclaimer_required=case.disclaimer_required,
            output_schema=case.output_schema,
        ),
        call=generation.call if generation else None,
        failure=failure,
        timing=Timing(
            started_at=retrieved.started_at,
            retrieval_seconds=retrieved.seconds,
            generation_seconds=time.perf_counter() - start if generation else None,
        ),
    )


async def _generate(system: System, case: Case, context: Sequence[Passage], repetition: int) -> Generation:
    try:
        return await system.generator.generate(
            case.question, case.scope, context, case_id=case.id, repetition=repetition
        )
    except AuthenticationError:
        raise
    except Exception as error:  # noqa: BLE001 - the system under test may raise anything; it is counted, not lost
        return Generation(answer=None, failure=failure_of(error, "generate"))


async def judge(judge_: Judge, case: Case, observation: Observation, repetition: int) -> Verdict:
    """One verdict; the judge is shown the exchange and the parts of the answer key that it declared."""
    return await judge_.judge(observation.exchange, case.key(judge_.needs), repetition=repetition)
