"""What goes into a store comes out of it, whole, in order, and once."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from primum.errors import StoreError
from primum.protocols import Store
from primum.records import (
    Answer,
    Decision,
    DecisionKind,
    Exchange,
    Failure,
    FailureKind,
    GateReport,
    ModelCall,
    Observation,
    Scope,
    Timing,
    Verdict,
)
from primum.records.manifest import RunManifest, RunStatus
from primum.store import SqliteStore
from primum.store.sql import PAGE

RUN = "20261130-074512-ab12cd"
Observe = Callable[..., Observation]


def test_a_sqlite_store_is_a_store(store: SqliteStore) -> None:
    """It fits the protocol that the stages know."""
    as_protocol: Store = store
    assert as_protocol.observed(RUN) == frozenset()


def test_observations_come_back_equal_and_ordered_by_id(store: SqliteStore, observe: Observe) -> None:
    """The order of writing does not show."""
    written = [observe(family) for family in ("b", "c", "a")]
    for observation in written:
        store.add_observation(RUN, observation)
    assert list(store.observations(RUN)) == sorted(written, key=lambda one: one.id)
    assert store.observed(RUN) == {one.id for one in written}
    assert store.observation(RUN, written[0].id) == written[0]


def test_observations_of_one_system_can_be_asked_for(store: SqliteStore, observe: Observe) -> None:
    """Two systems in a run do not mix."""
    ours, theirs = observe("a"), observe("a", system="candidate")
    store.add_observation(RUN, ours)
    store.add_observation(RUN, theirs)
    assert list(store.observations(RUN, system="candidate")) == [theirs]


def test_a_stream_longer_than_a_page_is_whole_and_ordered(store: SqliteStore, observe: Observe) -> None:
    """No row is lost or doubled where two pages meet."""
    ids = [f"f{number:05d}" for number in range(2 * PAGE + 1)]
    for family in ids:
        store.add_observation(RUN, observe(family))
    assert [one.case_id for one in store.observations(RUN)] == [f"{family}/plain" for family in ids]


def test_a_stream_shows_the_moment_when_it_began(
    store: SqliteStore, observe: Observe, report: Callable[..., GateReport]
) -> None:
    """A caller may add reports while it reads them, and reads the old ones."""
    observations = [observe(f"f{number:05d}") for number in range(PAGE + 5)]
    for observation in observations:
        store.add_observation(RUN, observation)
        store.add_gate_report(RUN, report(observation, "old"))
    seen: list[str] = []
    for number, found in enumerate(store.gate_reports(RUN)):
        seen.append(found.results[0].detail)
        store.add_gate_report(RUN, report(observations[-1 - number], "new"))
    assert seen == ["old"] * len(observations)
    assert [found.results[0].detail for found in store.gate_reports(RUN)] == ["new"] * len(observations)


def test_a_second_observation_of_the_same_id_is_refused(store: SqliteStore, observe: Observe) -> None:
    """What was observed is not observed again over it."""
    store.add_observation(RUN, observe("a", text="first"))
    with pytest.raises(StoreError, match="base/a/plain/0' is already stored"):
        store.add_observation(RUN, observe("a", text="second"))
    assert [one.exchange.answer for one in store.observations(RUN)] == [Answer(text="first")]


def test_a_failure_is_kept_like_any_observation(store: SqliteStore, observe: Observe) -> None:
    """A timeout is a row, not a gap."""
    failure = Failure(stage="generate", kind=FailureKind.TIMEOUT, message="no reply within 30 s")
    failed = observe("a").model_copy(update={"failure": failure})
    store.add_observation(RUN, failed)
    assert list(store.observations(RUN)) == [failed]


def test_the_newest_verdict_of_each_key_counts(
    store: SqliteStore, observe: Observe, judged: Callable[..., Verdict]
) -> None:
    """Other judges and repetitions are other keys."""
    observation = observe("a")
    store.add_observation(RUN, observation)
    for score in (0.25, 0.5):
        for judge in ("model", "lexical"):
            for repetition in (1, 0):
                store.add_verdict(RUN, judged(observation, judge=judge, repetition=repetition, score=score))
    assert [(one.judge, one.repetition, one.score) for one in store.verdicts(RUN)] == [
        ("lexical", 0, 0.5),
        ("lexical", 1, 0.5),
        ("model", 0, 0.5),
        ("model", 1, 0.5),
    ]


def test_the_newest_decision_about_each_system_counts(store: SqliteStore) -> None:
    """Deciding again supersedes."""
    for kind in (DecisionKind.BLOCK, DecisionKind.PASS):
        for system in ("b", "a"):
            store.add_decision(RUN, Decision(system=system, kind=kind, headline=f"{kind}: said so", reasons=()))
    assert [(one.system, one.kind) for one in store.decisions(RUN)] == [
        ("a", DecisionKind.PASS),
        ("b", DecisionKind.PASS),
    ]


def test_runs_do_not_mix(store: SqliteStore, manifest: RunManifest, observe: Observe) -> None:
    """Two runs may hold observations of one id."""
    other = store.start_run(manifest.model_copy(update={"run": "20261130-080000-000000"}))
    store.add_observation(RUN, observe("a"))
    store.add_observation(other.run, observe("a", text="another"))
    assert [one.run for one in store.runs()] == [RUN, other.run]
    assert [one.exchange.answer for one in store.observations(other.run)] == [Answer(text="another")]


def test_a_run_is_started_once(store: SqliteStore, manifest: RunManifest) -> None:
    """A run id names one manifest."""
    with pytest.raises(StoreError, match="already stored in runs"):
        store.start_run(manifest)


def test_an_unknown_run_is_an_error_and_not_an_empty_one(
    store: SqliteStore, observe: Observe, judged: Callable[..., Verdict]
) -> None:
    """A mistyped run id does not read as a run without observations."""
    with pytest.raises(StoreError, match="no run 'nope'"):
        store.observations("nope")
    with pytest.raises(StoreError, match="no run 'nope'"):
        store.manifest("nope")
    with pytest.raises(StoreError, match="run nope is not stored"):
        store.add_observation("nope", observe("a"))
    with pytest.raises(StoreError, match=r"base/a/plain/0' of run .* is not stored"):
        store.add_verdict(RUN, judged(observe("a")))


def test_a_manifest_is_stored_without_secrets(path: Path, manifest: RunManifest) -> None:
    """No byte of the file holds the key."""
    secret = "correct-horse-battery"  # noqa: S105 - the fact under test
    spoken = manifest.model_copy(
        update={
            "command": ("primum", "run", "--api-key", secret, f"--judge-token={secret}", f"https://u:{secret}@h/v1"),
            "settings": {"judge": {"api_key": secret, "max_tokens": 512}, "headers": [{"Authorization": secret}]},
        }
    )
    with SqliteStore(path) as store:
        stored = store.start_run(spoken)
        assert store.manifest(RUN) == stored
        store.finish_run(RUN)
    assert stored.settings["judge"] == {"api_key": "[redacted]", "max_tokens": 512}
    assert all(secret.encode() not in file.read_bytes() for file in path.parent.iterdir())


def test_nothing_about_a_model_is_stored_with_its_secrets(
    path: Path, manifest: RunManifest, observe: Observe, judged: Callable[..., Verdict]
) -> None:
    """Neither in fingerprints nor in calls; what is not secret stays."""
    secret = "sk-Zx9fakeSecret77"  # noqa: S105 - the fact under test
    plan = manifest.systems[0].model_copy(update={"generator": f"chat:openai/{secret}", "retriever": secret})
    call = ModelCall(
        model_requested=f"openai/{secret}",
        parameters={"seed": 7, "extra_headers": {"X-Auth": secret}, "base": f"http://h?key={secret}"},
        prompt_hash="0",
    )
    observation = observe("a").model_copy(update={"call": call})
    with SqliteStore(path) as store:
        store.start_run(manifest.model_copy(update={"systems": (plan,), "index_fingerprint": secret}))
        store.add_observation(RUN, observation)
        store.add_verdict(RUN, judged(observation).model_copy(update={"call": call}))
        store.finish_run(RUN)
        kept = store.observation(RUN, observation.id).call
    assert kept is not None
    assert kept.parameters["seed"] == 7
    assert all(secret.encode() not in file.read_bytes() for file in path.parent.iterdir())


def test_a_finished_run_says_how_it_ended_and_an_unfinished_one_does_not(store: SqliteStore, observe: Observe) -> None:
    """A run that stopped half-way is never taken for a complete one."""
    store.add_observation(RUN, observe("a"))
    assert store.end(RUN) is None
    store.finish_run(RUN, RunStatus.INTERRUPTED)
    store.add_observation(RUN, observe("b"))
    end = store.finish_run(RUN)
    assert (end.status, end.observations) == (RunStatus.COMPLETED, 2)
    assert store.end(RUN) == end


def test_a_finished_store_is_whole_in_its_main_file(store: SqliteStore, path: Path, observe: Observe) -> None:
    """Copying the one file, without its -wal, loses nothing."""
    store.add_observation(RUN, observe("a"))
    store.finish_run(RUN)
    copy = path.with_name("copy.db")
    copy.write_bytes(path.read_bytes())
    with SqliteStore(copy, create=False) as copied:
        assert copied.observed(RUN) == {"base/a/plain/0"}


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(st.characters(codec=None, categories=None)), min_size=1, max_size=4))
def test_any_text_survives_to_the_letter(texts: list[str]) -> None:
    """Also control characters, astral characters and lone surrogates."""
    with TemporaryDirectory() as folder, SqliteStore(Path(folder) / "primum.db") as store:
        manifest = {"run": RUN, "created_at": "", "primum_version": "", "seed": 0, "index_fingerprint": ""}
        digests = dict.fromkeys(("config_digest", "dataset_digest", "corpus_digest", "policy_digest"), "")
        systems = [{"id": "s", "retriever": "", "generator": "", "planned": len(texts)}]
        store.start_run(RunManifest.model_validate({**manifest, **digests, "systems": systems}))
        for number, text in enumerate(texts):
            answered = Exchange(id="x", question="What?", scope=Scope(tenant="t"), answer=Answer(text=text))
            store.add_observation(
                RUN,
                Observation(
                    system="s",
                    case_id="f/v",
                    repetition=number,
                    case_digest="",
                    config_digest="",
                    ranking=None,
                    exchange=answered,
                    timing=Timing(started_at=""),
                ),
            )
        found = {one.repetition: one.exchange.answer for one in store.observations(RUN)}
    assert found == {number: Answer(text=text) for number, text in enumerate(texts)}
