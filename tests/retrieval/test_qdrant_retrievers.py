"""Dense retrieval finds meaning, and never what the scope may not see."""

import asyncio
from collections.abc import Callable, Iterator, Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from primum.corpus.embedders.minilm import MiniLMEmbedder
from primum.corpus.index import QdrantSettings, SearchSettings, point_id, point_payload
from primum.corpus.open import QdrantIndex, open_index
from primum.corpus.qdrant import FoundPoint
from primum.errors import IndexMismatchError, ScopeLeakError, UsageError
from primum.records import SHARED_TENANT, Chunk, PublicationState, Scope
from primum.retrieval.guard import guarded
from primum.retrieval.qdrant import DenseRetriever, FusedRetriever, SparseRetriever

MEMORY = QdrantSettings(memory=True)


@pytest.fixture(scope="module")
def index(ward: Sequence[Chunk], embedder: MiniLMEmbedder) -> Iterator[QdrantIndex]:
    with open_index(MEMORY, embedder, ward) as opened:
        yield opened


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How much velatrine should a grown-up swallow?", "dose"),
        ("Does someone with bad kidneys need less velatrine?", "renal"),
        ("At what temperature may the inhaler be kept?", "storage"),
    ],
)
def test_a_paraphrase_finds_its_chunk_first(
    index: QdrantIndex, embedder: MiniLMEmbedder, question: str, expected: str
) -> None:
    """Other words than the document's lead to the right place."""
    found = asyncio.run(DenseRetriever(index, embedder).retrieve(question, Scope(tenant="south"), 3))
    assert found.ranking.ids[0] == expected
    assert [passage.id for passage in found.passages] == list(found.ranking.ids)


def test_scores_fall_and_are_cosines(index: QdrantIndex, embedder: MiniLMEmbedder) -> None:
    """The score of a hit is a cosine, best first."""
    found = asyncio.run(DenseRetriever(index, embedder).retrieve("velatrine", Scope(tenant="north"), 10))
    scores = [hit.score for hit in found.ranking.hits if hit.score is not None]
    assert len(scores) == len(found.passages)
    assert scores == sorted(scores, reverse=True)
    assert all(-1 <= score <= 1.000001 for score in scores)


def test_each_scope_sees_all_and_only_its_own(index: QdrantIndex, embedder: MiniLMEmbedder) -> None:
    """Asked for everything, the search gives exactly the eligible chunks."""
    retriever = DenseRetriever(index, embedder)
    everything = {"dose", "renal", "storage"}
    for scope, own in (
        (Scope(tenant="south"), set[str]()),
        (Scope(tenant="south", patient_id="A"), set[str]()),
        (Scope(tenant="north"), {"policy"}),
        (Scope(tenant="north", patient_id="A"), {"policy", "note-a"}),
        (Scope(tenant="north", patient_id="B"), {"policy", "note-b"}),
    ):
        found = asyncio.run(retriever.retrieve("velatrine", scope, 100))
        assert set(found.ranking.ids) == everything | own


def test_a_minimum_score_leaves_out_what_is_below(index: QdrantIndex, embedder: MiniLMEmbedder) -> None:
    """A question about nothing in the corpus can come back empty."""
    strict = DenseRetriever(index, embedder, SearchSettings(min_score=0.5))
    scope = Scope(tenant="south")
    assert asyncio.run(strict.retrieve("When does the ward kitchen close?", scope, 5)).passages == ()
    assert asyncio.run(strict.retrieve("Which dose of velatrine?", scope, 5)).passages != ()


def test_the_search_settings_are_part_of_the_fingerprint(index: QdrantIndex, embedder: MiniLMEmbedder) -> None:
    """Whatever can change a ranking changes the fingerprint."""
    prints = {
        DenseRetriever(index, embedder, search).fingerprint
        for search in (SearchSettings(), SearchSettings(exact=False), SearchSettings(min_score=0.1))
    }
    assert len(prints) == 3


def test_an_index_of_another_embedder_is_refused(index: QdrantIndex) -> None:
    """Index and question must be embedded alike."""

    class Renamed(MiniLMEmbedder):
        @property
        def fingerprint(self) -> str:
            return "another"

    with pytest.raises(IndexMismatchError, match="another embedder"):
        DenseRetriever(index, Renamed())


def test_a_limit_below_one_is_refused(index: QdrantIndex, embedder: MiniLMEmbedder) -> None:
    """Asking for nothing is a mistake in the settings."""
    with pytest.raises(UsageError, match="at least one"):
        asyncio.run(DenseRetriever(index, embedder).retrieve("velatrine", Scope(tenant="north"), 0))


def test_retrievals_may_run_at_once(index: QdrantIndex, embedder: MiniLMEmbedder) -> None:
    """Questions asked together get what they get alone."""
    retriever = DenseRetriever(index, embedder)
    asked = [("kidneys", Scope(tenant="north")), ("inhaler", Scope(tenant="north", patient_id="A"))] * 5

    async def together() -> list[tuple[str, ...]]:
        found = await asyncio.gather(*(retriever.retrieve(question, scope, 4) for question, scope in asked))
        return [each.ranking.ids for each in found]

    alone = [asyncio.run(retriever.retrieve(question, scope, 4)).ranking.ids for question, scope in asked]
    assert asyncio.run(together()) == alone


TENANTS = st.sampled_from(["north", "south", "North", " north", "", SHARED_TENANT, "null", "*"])
PATIENTS = st.sampled_from([None, "A", "B", "a", "", "null", "A,B", "*", "0"])
AUDIENCES = st.tuples(TENANTS, PATIENTS, st.sampled_from(PublicationState))
SCOPES = st.builds(Scope, tenant=TENANTS, patient_id=PATIENTS)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    audiences=st.lists(AUDIENCES, min_size=1, max_size=12),
    scopes=st.lists(SCOPES, min_size=1, max_size=4),
    limit=st.integers(1, 15),
)
def test_nothing_leaks_whatever_the_scope(
    make_chunk: Callable[..., Chunk],
    embedder: MiniLMEmbedder,
    audiences: list[tuple[str, str | None, PublicationState]],
    scopes: list[Scope],
    limit: int,
) -> None:
    """For random documents and scopes the search gives min(limit, eligible) chunks, all of them eligible."""
    chunks = [
        make_chunk(f"c{number}", f"Velatrine note {number}", tenant=tenant, patient_id=patient, state=state)
        for number, (tenant, patient, state) in enumerate(audiences)
    ]
    with open_index(MEMORY, embedder, chunks) as index:
        dense, sparse, fused = DenseRetriever(index, embedder), SparseRetriever(index), FusedRetriever(index, embedder)
        for scope in scopes:
            eligible = {
                chunk.id
                for chunk in chunks
                if chunk.state == "published"
                and (chunk.tenant == scope.tenant or chunk.tenant == SHARED_TENANT)
                and (chunk.patient_id is None or chunk.patient_id == scope.patient_id)
            }
            for retriever in (dense, sparse, fused):
                found = asyncio.run(retriever.retrieve("velatrine", scope, limit))
                assert set(found.ranking.ids) <= eligible
                assert len(found.passages) == min(limit, len(eligible))
                assert all(passage.eligible(scope) for passage in found.passages)


def found_point(chunk: Chunk, **changes: object) -> FoundPoint:
    return FoundPoint(point_id(chunk.id), 0.9, {**point_payload(chunk), **changes})


def test_the_guard_lets_eligible_chunks_pass(ward: Sequence[Chunk]) -> None:
    """Order and number are kept."""
    by_id = {chunk.id: chunk for chunk in ward}
    passages = guarded([found_point(by_id["renal"]), found_point(by_id["dose"])], by_id, Scope(tenant="south"))
    assert [passage.id for passage in passages] == ["renal", "dose"]


@pytest.mark.parametrize("chunk_id", ["draft", "old", "policy", "note-a"])
def test_the_guard_stops_what_a_broken_filter_lets_through(ward: Sequence[Chunk], chunk_id: str) -> None:
    """Unpublished, superseded, another tenant's and another patient's chunks raise, without naming the patient."""
    by_id = {chunk.id: chunk for chunk in ward}
    with pytest.raises(ScopeLeakError, match=f"chunk {chunk_id}") as caught:
        guarded([found_point(by_id[chunk_id])], by_id, Scope(tenant="south", patient_id="B"))
    assert by_id[chunk_id].text not in str(caught.value)


@pytest.mark.parametrize("change", [{"patient_id": None}, {"text": "harmless"}, {"patient_id": ["A", "B"]}, {"x": 1}])
def test_the_guard_stops_a_changed_payload(ward: Sequence[Chunk], change: dict[str, object]) -> None:
    """A note that says that it is about nobody is compared with the sources."""
    by_id = {chunk.id: chunk for chunk in ward}
    with pytest.raises(ScopeLeakError, match="not as it was indexed"):
        guarded([found_point(by_id["note-a"], **change)], by_id, Scope(tenant="north", patient_id="B"))


def test_the_guard_stops_a_point_of_no_chunk(ward: Sequence[Chunk]) -> None:
    """A point that was slipped in has no source; a chunk under another's point is no better."""
    by_id = {chunk.id: chunk for chunk in ward}
    slipped = FoundPoint("0", 0.9, {"chunk_id": "unheard-of"})
    moved = FoundPoint(point_id("renal"), 0.9, point_payload(by_id["dose"]))
    for point in (slipped, moved):
        with pytest.raises(ScopeLeakError, match="not of this corpus"):
            guarded([point], by_id, Scope(tenant="north"))
