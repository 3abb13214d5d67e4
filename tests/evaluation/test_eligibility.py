"""What a scope may not see is told from the sources, and agrees with what may reach a generator."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primum.evaluation import Eligibility
from primum.records import SHARED_TENANT, Chunk, ChunkKey, PublicationState, Scope
from primum.records.retrieval_summary import ForbiddenKind


def chunk(chunk_id: str, state: PublicationState, tenant: str, patient_id: str | None) -> Chunk:
    key = ChunkKey(document_id="d", document_version="1", chunk_id=chunk_id, chunking_version="t")
    return Chunk(
        key=key, ordinal=0, start=0, end=1, heading="", text="x", title="", type="note", state=state, tenant=tenant,
        patient_id=patient_id,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("state", "tenant", "patient_id", "kinds"),
    [
        (PublicationState.PUBLISHED, SHARED_TENANT, None, ()),
        (PublicationState.PUBLISHED, "north", "A", ()),
        (PublicationState.PUBLISHED, "north", "B", (ForbiddenKind.OTHER_PATIENT,)),
        (PublicationState.PUBLISHED, "south", None, (ForbiddenKind.OTHER_TENANT,)),
        (PublicationState.SUPERSEDED, SHARED_TENANT, None, (ForbiddenKind.SUPERSEDED,)),
        (PublicationState.DRAFT, SHARED_TENANT, None, (ForbiddenKind.UNPUBLISHED,)),
        (PublicationState.WITHDRAWN, SHARED_TENANT, None, (ForbiddenKind.UNPUBLISHED,)),
        (PublicationState.DRAFT, "south", "B", tuple(kind for kind in ForbiddenKind if kind != "superseded")),
    ],
)
def test_a_chunk_is_forbidden_for_each_reason_there_is(
    state: PublicationState, tenant: str, patient_id: str | None, kinds: tuple[ForbiddenKind, ...]
) -> None:
    """For patient A of north."""
    scope = Scope(tenant="north", patient_id="A")
    eligibility = Eligibility([chunk("c", state, tenant, patient_id)])
    assert eligibility.kinds("c", scope) == kinds
    assert eligibility.forbidden(scope) == (frozenset({"c"}) if kinds else frozenset())
    assert eligibility.found(["c"], scope) == ({"c": kinds} if kinds else {})
    assert eligibility.eligible([scope]) == (not kinds)


AUDIENCES = st.tuples(
    st.sampled_from(PublicationState), st.sampled_from([SHARED_TENANT, "n", "s"]), st.sampled_from([None, "A", "B"])
)


@given(st.lists(AUDIENCES, max_size=12), st.sampled_from(["n", "s"]), st.sampled_from([None, "A", "B"]))
def test_forbidden_and_eligible_never_disagree(
    audiences: list[tuple[PublicationState, str, str | None]], tenant: str, patient_id: str | None
) -> None:
    """A chunk is forbidden exactly when the passage behind it may not be used."""
    chunks = [chunk(str(number), *audience) for number, audience in enumerate(audiences)]
    scope = Scope(tenant=tenant, patient_id=patient_id)
    expected = {one.id for one in chunks if not one.passage().eligible(scope)}
    assert Eligibility(chunks).forbidden(scope) == expected
