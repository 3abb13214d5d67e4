"""The stages of a run, each a command of its own. What they hand on is in the store."""

import asyncio
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from primum import __version__
from primum.app import parts
from primum.app.checks import check_keys
from primum.app.drift import binding_settings
from primum.app.retrieval import accepted_retrieval
from primum.app.retrievers import INDEXED, open_retriever
from primum.app.workspace import Workspace
from primum.digest import digest
from primum.errors import UsageError
from primum.execution import LocalEngine
from primum.pipeline import Retrieved, System
from primum.pipeline import judge as judge_once
from primum.pipeline import observe as observe_once
from primum.pipeline import retrieve as retrieve_once
from primum.protocols import Generator, Judge, Retriever
from primum.records import Case, Observation, Status, Verdict, observation_id
from primum.records.manifest import RunManifest, RunStatus, SystemPlan
from primum.store import new_run_id, redact_manifest


def build_index(work: Workspace, *, reuse: bool = False) -> str:
    """Fills the collection from the documents; returns what was made, in words."""
    from primum.corpus.build import build_index as build

    place = parts.index_place(work.project, work.output)
    if place.memory:
        return "the index is kept in memory and built by each command that needs it"
    with work.progress.track("index", len(work.project.chunks)) as advance:
        done = 0

        def progress(so_far: int, _total: int) -> None:
            nonlocal done
            advance(so_far - done)
            done = so_far

        info = build(place, work.project.chunks, parts.embedder(work.project), progress=progress, reuse=reuse)
    verb = "kept" if info.reused else "indexed"
    return f"{verb} {info.manifest.points} chunks of {info.documents} documents: {info.place}"


def ensure_index(work: Workspace) -> None:
    """Builds the collection unless a complete one of the same chunks and embedder is there."""
    if isinstance(work.project.settings.retrieval, INDEXED):
        build_index(work, reuse=True)


def observe(work: Workspace, *, resume: bool = False) -> str:
    """Retrieves for every case, then generates, and stores each observation; returns the id of the run."""
    generators = make_parts(work)
    with open_retriever(work.project, work.output, work.progress) as opened:
        retriever = opened.retriever
        systems = _systems(work, retriever, generators)
        run = _continue(work, systems, retriever) if resume else _start(work, systems, retriever)
        status = RunStatus.INTERRUPTED
        try:
            asyncio.run(_observe_all(work, systems, run))
            status = RunStatus.COMPLETED
        finally:
            work.store.finish_run(run, status)
    return run


def gate(work: Workspace, run: str) -> str:
    """Runs every gate on every observation of the run."""
    from primum_safety import check

    work.started_as(run)
    gates = parts.gates(work.project)
    needs = frozenset(need for gate in gates for need in gate.needs)  # `check` shows each gate its own parts
    count = failing = 0
    with work.progress.track("gate", len(work.store.observed(run))) as advance:
        for observation in work.store.observations(run):
            case = work.case_of(observation)
            report = check(observation.exchange, case.key(needs), gates=gates)
            work.store.add_gate_report(run, report)
            count += 1
            failing += any(result.status in (Status.FAIL, Status.ERROR) for result in report.results)
            advance(1)
    return f"gated {count} observations: {failing} with an objection"


def judge(work: Workspace, run: str) -> str:
    """Lets every judge score every observation of the run; only what was not reached yet is asked for, or again."""
    work.started_as(run)
    check_keys(work.project.path, work.project.settings)
    return asyncio.run(_judge_all(work, run))


def make_parts(work: Workspace) -> dict[str, Generator]:
    """The generator of each system. Whatever cannot be made, judges too, is told before anything is spent."""
    project = work.project
    check_keys(project.path, project.settings)
    parts.judges(project)
    accepted_retrieval(project)
    return {name: parts.generator(project, system.generator) for name, system in project.settings.systems.items()}


def _systems(work: Workspace, retriever: Retriever, generators: Mapping[str, Generator]) -> tuple[System, ...]:
    project = work.project
    retrieval = project.settings.retrieval
    return tuple(
        System(
            id=name,
            retriever=retriever,
            generator=generator,
            limit=retrieval.limit,
            context=retrieval.context,
            corpus_digest=project.corpus_digest,
            roster=project.dataset.roster,
        )
        for name, generator in sorted(generators.items())
    )


def _manifest(work: Workspace, systems: Sequence[System], retriever: Retriever) -> RunManifest:
    project = work.project
    planned = len(project.cases) * project.settings.repetitions
    return RunManifest(
        run=new_run_id(),
        created_at=datetime.now(UTC).isoformat(timespec="seconds"),
        primum_version=__version__,
        config_digest=digest(binding_settings(project.settings)),
        dataset_digest=project.dataset.digest,
        corpus_digest=project.corpus_digest,
        index_fingerprint=retriever.fingerprint,
        policy_digest=project.settings.policy.digest(),
        systems=tuple(
            SystemPlan(
                id=system.id,
                retriever=system.retriever.fingerprint,
                generator=system.generator.fingerprint,
                planned=planned,
            )
            for system in systems
        ),
        seed=project.settings.seed,
        command=("primum", *sys.argv[1:]),
        settings=binding_settings(project.settings),
    )


def _start(work: Workspace, systems: Sequence[System], retriever: Retriever) -> str:
    return work.store.start_run(_manifest(work, systems, retriever)).run


def _continue(work: Workspace, systems: Sequence[System], retriever: Retriever) -> str:
    """The newest run, if it set out to do what this project says now."""
    run = work.run_id()
    then, now = work.started_as(run), redact_manifest(_manifest(work, systems, retriever))
    parts_then = (then.corpus_digest, then.index_fingerprint, then.systems)
    if parts_then != (now.corpus_digest, now.index_fingerprint, now.systems):
        raise UsageError(
            f"run {run} cannot go on: the index, a generator's code or its recorded answers changed since it began; "
            "start a new run without --resume"
        )
    return run


@dataclass(frozen=True, kw_only=True)
class _Unit:
    """One observation that is to be made."""

    system: System
    retrieved: Retrieved
    repetition: int


async def _observe_all(work: Workspace, systems: Sequence[System], run: str) -> None:
    project = work.project
    stored = work.store.observed(run)
    engine = LocalEngine(project.settings.concurrency)
    missing = [
        (system, case, repetition)
        for system in systems
        for case in project.cases
        for repetition in range(project.settings.repetitions)
        if observation_id(system.id, case.id, repetition) not in stored
    ]
    wanted = {case.id for _, case, _ in missing}
    retrieved = await _retrieve_all(work, engine, systems[0], [case for case in project.cases if case.id in wanted])
    with work.progress.track("generate", len(missing)) as advance:
        units = (_Unit(system=system, retrieved=retrieved[case.id], repetition=rep) for system, case, rep in missing)
        made: AsyncIterator[Observation] = engine.run(
            units, lambda unit: observe_once(unit.system, unit.retrieved, unit.repetition)
        )
        async for observation in made:
            work.store.add_observation(run, observation)
            advance(1)


async def _retrieve_all(
    work: Workspace, engine: LocalEngine, system: System, cases: Sequence[Case]
) -> dict[str, Retrieved]:
    """Retrieves for all cases and scores the rankings before anything is generated; systems share the retriever."""
    found: dict[str, Retrieved] = {}
    with work.progress.track("retrieve", len(cases)) as advance:
        async for retrieved in engine.run(cases, lambda case: retrieve_once(system.retriever, case, system.limit)):
            if retrieved.retrieval is not None:
                work.project.rank_measures(retrieved.case, retrieved.retrieval.ranking.ids)
            found[retrieved.case.id] = retrieved
            advance(1)
    return found


async def _judge_all(work: Workspace, run: str) -> str:
    judges = parts.judges(work.project)
    repetitions = range(work.project.settings.judges.repetitions)
    reached_before = (Status.PASS, Status.FAIL, Status.NOT_APPLICABLE)
    done = {
        (v.observation_id, v.judge, v.rubric, v.repetition)
        for v in work.store.verdicts(run)
        if v.status in reached_before
    }
    units = (
        (judge_, observation, repetition)
        for observation in work.store.observations(run)
        for judge_ in judges
        for repetition in repetitions
        if (observation.id, judge_.id, judge_.rubric, repetition) not in done
    )

    async def verdict(unit: tuple[Judge, Observation, int]) -> Verdict:
        judge_, observation, repetition = unit
        return await judge_once(judge_, work.case_of(observation), observation, repetition)

    total = len(work.store.observed(run)) * len(judges) * len(repetitions) - len(done)
    count = 0
    with work.progress.track("judge", total) as advance:
        async for reached in LocalEngine(work.project.settings.concurrency).run(units, verdict):
            work.store.add_verdict(run, reached)
            count += 1
            advance(1)
    return f"reached {count} verdicts with {', '.join(dict.fromkeys(judge_.id for judge_ in judges))}"
