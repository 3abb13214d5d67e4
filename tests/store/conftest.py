"""Records that the tests of the store put in."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from primum.records import (
    Answer,
    Exchange,
    GateReport,
    GateResult,
    Observation,
    Outcome,
    Scope,
    Status,
    Timing,
    Verdict,
)
from primum.records.manifest import RunManifest, SystemPlan
from primum.store import SqliteStore

RUN = "20261130-074512-ab12cd"


@pytest.fixture
def manifest() -> RunManifest:
    """A plausible manifest."""
    return RunManifest(
        run=RUN,
        created_at="2026-11-30T07:45:12+00:00",
        primum_version="0.1.0",
        config_digest="c" * 64,
        dataset_digest="d" * 64,
        corpus_digest="e" * 64,
        index_fingerprint="index-1",
        policy_digest="f" * 64,
        systems=(SystemPlan(id="base", retriever="r", generator="g", planned=3),),
        seed=7,
        command=("primum", "run"),
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the store goes; its folder is not there yet."""
    return tmp_path / "runs" / "primum.db"


@pytest.fixture
def store(path: Path, manifest: RunManifest) -> Iterator[SqliteStore]:
    """A store in which one run was started."""
    with SqliteStore(path) as store:
        store.start_run(manifest)
        yield store


@pytest.fixture
def observe() -> Callable[..., Observation]:
    """Makes an observation of a family."""

    def make(family: str, *, system: str = "base", text: str = "An answer.") -> Observation:
        case = f"{family}/plain"
        return Observation(
            system=system,
            case_id=case,
            repetition=0,
            case_digest="1" * 64,
            config_digest="2" * 64,
            ranking=None,
            exchange=Exchange(
                id=f"{system}/{case}/0", question="What?", scope=Scope(tenant="north"), answer=Answer(text=text)
            ),
            timing=Timing(started_at="2026-11-30T07:45:13+00:00"),
        )

    return make


@pytest.fixture
def report() -> Callable[..., GateReport]:
    """Makes a gate report on an observation, recognised by its detail."""

    def make(observation: Observation, detail: str = "") -> GateReport:
        result = GateResult(gate="dose", gate_version="1", status=Status.NOT_APPLICABLE, detail=detail)
        return GateReport(observation_id=observation.id, outcome=Outcome.ANSWERED, results=(result,))

    return make


@pytest.fixture
def judged() -> Callable[..., Verdict]:
    """Makes a verdict on an observation."""

    def make(observation: Observation, *, judge: str = "lexical", repetition: int = 0, score: float = 1.0) -> Verdict:
        return Verdict(
            observation_id=observation.id,
            judge=judge,
            repetition=repetition,
            rubric="faithfulness",
            rubric_version="1",
            rubric_hash="3" * 64,
            status=Status.PASS,
            score=score,
            reason="All claims are supported.",
        )

    return make
