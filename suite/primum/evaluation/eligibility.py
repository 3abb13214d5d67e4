"""Which chunks a scope may not see, told from the sources and never from what was returned."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from primum.records import SHARED_TENANT, Chunk, PublicationState, Scope
from primum.records.retrieval_summary import ForbiddenKind

_Audience = tuple[PublicationState, str, str | None]


class Eligibility:
    """What each scope may not see of a corpus, and why."""

    def __init__(self, chunks: Iterable[Chunk]) -> None:
        self._audience: dict[str, _Audience] = {}
        self._members: dict[_Audience, set[str]] = defaultdict(set)
        for chunk in chunks:
            audience = (chunk.state, chunk.tenant, chunk.patient_id)
            self._audience[chunk.id] = audience
            self._members[audience].add(chunk.id)
        self._forbidden: dict[Scope, frozenset[str]] = {}

    def forbidden(self, scope: Scope) -> frozenset[str]:
        """Ids of all chunks that `scope` may not see; equal scopes share one set."""
        if scope not in self._forbidden:
            kept_away = (ids for audience, ids in self._members.items() if _kinds(audience, scope))
            self._forbidden[scope] = frozenset().union(*kept_away)
        return self._forbidden[scope]

    def kinds(self, chunk_id: str, scope: Scope) -> tuple[ForbiddenKind, ...]:
        """Why `scope` may not see a chunk of the corpus; empty when it may."""
        return _kinds(self._audience[chunk_id], scope)

    def found(self, ranked: Iterable[str], scope: Scope) -> Mapping[str, tuple[ForbiddenKind, ...]]:
        """The forbidden ones among ranked chunks of the corpus, with why."""
        return {chunk_id: kinds for chunk_id in ranked if (kinds := self.kinds(chunk_id, scope))}

    def eligible(self, scopes: Iterable[Scope]) -> int:
        """How many chunks at least one of `scopes` may see."""
        every = list(dict.fromkeys(scopes))
        return sum(
            len(ids) for audience, ids in self._members.items() if any(not _kinds(audience, scope) for scope in every)
        )


def _kinds(audience: _Audience, scope: Scope) -> tuple[ForbiddenKind, ...]:
    state, tenant, patient_id = audience
    kinds: list[ForbiddenKind] = []
    if patient_id not in (None, scope.patient_id):
        kinds.append(ForbiddenKind.OTHER_PATIENT)
    if tenant not in (scope.tenant, SHARED_TENANT):
        kinds.append(ForbiddenKind.OTHER_TENANT)
    if state is PublicationState.SUPERSEDED:
        kinds.append(ForbiddenKind.SUPERSEDED)
    elif state is not PublicationState.PUBLISHED:
        kinds.append(ForbiddenKind.UNPUBLISHED)
    return tuple(kinds)
