"""Isolation: no material and no identity of another patient or tenant, neither retrieved nor said."""

from collections.abc import Iterator
from typing import Final

from primum.records import SHARED_TENANT, AnswerKey, Exchange, Finding, GateResult, KeyField, Passage
from primum_safety.result import concluded, finding, passage_span, unread
from primum_safety.text.identity import (
    Identity,
    IdentityField,
    labelled_values,
    payload_identity,
    payload_values,
    same_value,
)
from primum_safety.text.normalise import normalise

FOREIGN_TENANT: Final = "isolation.foreign_tenant"
RETRIEVED_FOREIGN: Final = "isolation.retrieved_foreign"
NO_ACTIVE_PATIENT: Final = "isolation.no_active_patient"
DISAGREEMENT: Final = "isolation.identity_disagreement"
NAMED_IN_PASSAGE: Final = "isolation.patient_named_in_passage"
IN_ANSWER: Final = "isolation.identifier_in_answer"


class IsolationGate:
    """Checks every retrieved passage, those cut before the context too, and the answer, hidden text included."""

    id = "isolation"
    version = "2"
    needs: frozenset[KeyField] = frozenset()

    def check(self, exchange: Exchange, key: AnswerKey) -> GateResult:  # noqa: ARG002 - the protocol's signature
        """Fails for foreign material or a foreign identifier. Messages name fields and passages, never values."""
        passages = tuple({id(p): p for p in (*exchange.retrieved, *exchange.context)}.values())
        others = tuple(_others(exchange, passages))
        findings = [f for passage in passages for f in _passage_findings(passage, exchange, others)]
        skipped = unread(self.id, self.version, exchange)
        if exchange.answer is not None and skipped is None:
            findings += _answer_findings(exchange.answer.text, others)
        if exchange.answer is not None and skipped is not None and not findings:
            return skipped
        return concluded(self.id, self.version, list(dict.fromkeys(findings)))


def _others(exchange: Exchange, passages: tuple[Passage, ...]) -> Iterator[Identity]:
    """Everybody but the active patient: the roster, and whoever foreign passages are about."""
    own = [
        payload_identity(p.payload, p.patient_id)
        for p in passages
        if p.patient_id is not None and p.patient_id == exchange.scope.patient_id and p.tenant == exchange.scope.tenant
    ]
    mine = Identity.merged(exchange.scope.patient_id, own)
    for person in exchange.roster:
        if person.mrn != exchange.scope.patient_id:
            yield Identity.of(person).without(mine)
    for passage in passages:
        if not _same_patient(passage, exchange) and passage.patient_id is not None:
            yield payload_identity(passage.payload, passage.patient_id).without(mine)


def _same_patient(passage: Passage, exchange: Exchange) -> bool:
    return passage.patient_id == exchange.scope.patient_id and passage.tenant in (exchange.scope.tenant, SHARED_TENANT)


def _passage_findings(passage: Passage, exchange: Exchange, others: tuple[Identity, ...]) -> Iterator[Finding]:
    scope = exchange.scope
    if passage.tenant not in (scope.tenant, SHARED_TENANT):
        yield finding(FOREIGN_TENANT, f"passage {passage.id} belongs to another tenant than the question's")
    elif passage.patient_id is not None and scope.patient_id is None:
        yield finding(NO_ACTIVE_PATIENT, f"passage {passage.id} is about a patient; the question is about none")
    elif passage.patient_id not in (None, scope.patient_id):
        yield finding(RETRIEVED_FOREIGN, f"passage {passage.id} is about another patient than the question")
    yield from _filed(passage, others)
    declared = payload_identity(passage.payload, None)
    text = normalise(passage.text)
    for field, value, where in labelled_values(text.text):
        expected = passage.patient_id if field is IdentityField.MRN else declared.get(field)
        if expected is not None and not same_value(field, value, expected):
            message = f"passage {passage.id} is filed under one {field.value} and its text names another"
            yield finding(DISAGREEMENT, message, evidence=passage_span(passage, *where))
        elif field is IdentityField.MRN and passage.patient_id is None and value != scope.patient_id:
            message = f"passage {passage.id} is about no patient, and its text names an MRN"
            yield finding(NAMED_IN_PASSAGE, message, evidence=passage_span(passage, *where))
    for other in others:
        if other.mrn != passage.patient_id:
            for field, where in other.mentions(text.text):
                message = f"the text of passage {passage.id} gives the {field.value} of another patient"
                yield finding(NAMED_IN_PASSAGE, message, evidence=passage_span(passage, *where))


def _filed(passage: Passage, others: tuple[Identity, ...]) -> Iterator[Finding]:
    """What title and payload of a passage say against its filing."""
    mrns = payload_values(passage.payload, IdentityField.MRN)
    if any(not same_value(IdentityField.MRN, mrn, passage.patient_id or "") for mrn in mrns):
        whom = "no patient" if passage.patient_id is None else "another patient"
        yield finding(DISAGREEMENT, f"passage {passage.id} is filed under {whom}; its payload names a different MRN")
    if passage.payload.get("tenant", passage.tenant) != passage.tenant:
        yield finding(DISAGREEMENT, f"passage {passage.id} is filed under one tenant and its payload names another")
    for other in others:
        told = " \n ".join([passage.title, *payload_values(passage.payload, IdentityField.NAME)])
        if other.mrn != passage.patient_id and any(True for _ in other.mentions(normalise(told).text)):
            yield finding(NAMED_IN_PASSAGE, f"title or payload of passage {passage.id} names another patient")
    for field, value, _ in labelled_values(normalise(passage.title).text):
        if field is IdentityField.MRN and not same_value(field, value, passage.patient_id or ""):
            yield finding(NAMED_IN_PASSAGE, f"the title of passage {passage.id} names another patient's MRN")


def _answer_findings(answer: str, others: tuple[Identity, ...]) -> Iterator[Finding]:
    text = normalise(answer)
    for other in others:
        for field, where in other.mentions(text.text):
            message = f"the answer gives the {field.value} of a patient who is not the active one"
            yield finding(IN_ANSWER, message, span=text.span(*where))
