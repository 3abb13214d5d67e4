"""Withholds what reports must not hand on: identifiers of patients other than the one a question is about.

A finding of the isolation gate shows the identifier that it is about, and nothing more; others show none. Withheld text
becomes as many ``█``, so that every span stays where it is. What the question itself names stays, since the question is
part of the dataset.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from primum.records.corpus import Passage
from primum.records.decision import Reason
from primum.records.exchange import Exchange, Span
from primum.records.finding import Finding, GateReport
from primum.records.observation import ModelCall, Observation
from primum.records.scope import Person
from primum.records.summary import JudgedCase, Objection, RunReport, SystemSummary
from primum.records.verdict import ClaimVerdict
from primum.report.names import Mask, Names, cover_all
from primum.report.text import WITHHELD

_ABOUT_IDENTIFIERS: Final = "isolation."
"""Reasons that are about identifiers and would say nothing without them."""


def withhold(report: RunReport) -> RunReport:
    """The report without rosters and without foreign patients' identifiers outside the findings; idempotent."""
    withholder = _Withholder()
    exchanges = {objection.observation.id: objection.observation.exchange for objection in report.objections}
    return report.model_copy(
        update={
            "systems": tuple(withholder.system(system, exchanges) for system in report.systems),
            "objections": tuple(withholder.objection(objection) for objection in report.objections),
            "failures": tuple(withholder.observation(observation) for observation in report.failures),
            "doubtful": tuple(withholder.judged(judged) for judged in report.doubtful),
        }
    )


def withhold_findings(gate_report: GateReport, exchange: Exchange) -> GateReport:
    """The gate report without any foreign identifier in messages and spans, for logs."""
    mask = _Withholder().mask(exchange)
    results = tuple(
        result.model_copy(update={"findings": tuple(_finding(finding, mask) for finding in result.findings)})
        for result in gate_report.results
    )
    return gate_report.model_copy(update={"results": results})


class _Withholder:
    """Keeps what it found for each roster while one report is treated."""

    def __init__(self) -> None:
        self._names: dict[tuple[Person, ...], Names] = {}

    def mask(self, exchange: Exchange) -> Mask:
        names = self._names.get(exchange.roster)
        if names is None:
            names = self._names[exchange.roster] = Names(exchange.roster)
        return Mask(names, exchange.question)

    def system(self, system: SystemSummary, exchanges: Mapping[str, Exchange]) -> SystemSummary:
        """The summary with reasons that quote no foreign identifier."""
        everybody = tuple({person: None for exchange in exchanges.values() for person in exchange.roster})
        reasons: list[Reason] = []
        for reason in system.decision.reasons:
            about = exchanges.get(next(iter(reason.observations), ""))
            mask = self.mask(about) if about else Mask(Names(everybody), "")
            reasons.append(reason.model_copy(update={"message": mask.cover(reason.message)}))
        return system.model_copy(update={"decision": system.decision.model_copy(update={"reasons": tuple(reasons)})})

    def objection(self, objection: Objection) -> Objection:
        finding = objection.finding
        if not finding.reason.startswith(_ABOUT_IDENTIFIERS):
            finding = _finding(finding, self.mask(objection.observation.exchange))
            observation = self.observation(objection.observation)
            return objection.model_copy(update={"observation": observation, "finding": finding})
        shown = [finding.answer_span] if finding.answer_span else []
        pointed = {finding.evidence.passage_id: [finding.evidence.span]} if finding.evidence else {}
        observation = self.observation(objection.observation, answer_spans=shown, passage_spans=pointed)
        return objection.model_copy(update={"observation": observation})

    def judged(self, judged: JudgedCase) -> JudgedCase:
        mask = self.mask(judged.observation.exchange)
        observation = self.observation(judged.observation)
        verdict = judged.verdict
        claims = tuple(_claim(claim, observation.exchange, mask) for claim in verdict.claims)
        safe = verdict.model_copy(
            update={"claims": claims, "reason": mask.cover(verdict.reason), "call": _call(verdict.call, mask)}
        )
        return judged.model_copy(update={"observation": observation, "verdict": safe})

    def observation(
        self,
        observation: Observation,
        *,
        answer_spans: Sequence[Span] = (),
        passage_spans: Mapping[str, Sequence[Span]] | None = None,
    ) -> Observation:
        exchange = observation.exchange
        mask, shown, answer = self.mask(exchange), passage_spans or {}, exchange.answer
        if answer is not None:
            answer = answer.model_copy(update={"text": mask.cover(answer.text, answer_spans)})
        safe = exchange.model_copy(
            update={
                "roster": (),
                "answer": answer,
                "retrieved": tuple(_passage(p, exchange, mask, shown.get(p.id, ())) for p in exchange.retrieved),
                "context": tuple(_passage(p, exchange, mask, shown.get(p.id, ())) for p in exchange.context),
            }
        )
        return observation.model_copy(update={"exchange": safe, "call": _call(observation.call, mask)})


def _finding(finding: Finding, mask: Mask) -> Finding:
    span, evidence = finding.answer_span, finding.evidence
    if span is not None:
        span = span.model_copy(update={"text": mask.cover(span.text)})
    if evidence is not None:
        covered = evidence.span.model_copy(update={"text": mask.cover(evidence.span.text)})
        evidence = evidence.model_copy(update={"span": covered})
    message = mask.cover(finding.message)
    return finding.model_copy(update={"message": message, "answer_span": span, "evidence": evidence})


def _passage(passage: Passage, exchange: Exchange, mask: Mask, shown: Sequence[Span]) -> Passage:
    if passage.patient_id == WITHHELD:
        return passage
    if passage.patient_id in (None, exchange.scope.patient_id):
        text = mask.cover(passage.text, shown)
        return passage if text == passage.text else passage.model_copy(update={"text": text})
    foreign: dict[str, object] = {"title": "", "payload": {}, "patient_id": WITHHELD, "document_id": WITHHELD}
    return passage.model_copy(update={"text": cover_all(passage.text, shown), **foreign})


def _call(call: ModelCall | None, mask: Mask) -> ModelCall | None:
    if call is None:
        return call
    attempts = tuple(
        attempt
        if attempt.raw_reply is None
        else attempt.model_copy(update={"raw_reply": mask.cover(attempt.raw_reply)})
        for attempt in call.attempts
    )
    raw = None if call.raw_reply is None else mask.cover(call.raw_reply)
    return call.model_copy(update={"raw_reply": raw, "attempts": attempts})


def _claim(claim: ClaimVerdict, exchange: Exchange, mask: Mask) -> ClaimVerdict:
    """The claim with its words as they stand in the exchange, from which identifiers were taken already."""
    answer = exchange.answer.text if exchange.answer else ""
    quote, pointer = claim.quote, claim.evidence
    if quote is not None:
        quote = mask.cover(quote)
    if pointer is not None:
        passage = next((p for p in (*exchange.context, *exchange.retrieved) if p.id == pointer.passage_id), None)
        pointer = pointer.model_copy(update={"span": _as_in(passage.text if passage else "", pointer.span, mask)})
        if passage is not None and passage.patient_id == WITHHELD:
            quote = pointer.span.text
    return claim.model_copy(update={"span": _as_in(answer, claim.span, mask), "quote": quote, "evidence": pointer})


def _as_in(text: str, span: Span, mask: Mask) -> Span:
    there = text[span.start : span.end]
    return span.model_copy(update={"text": there if len(there) == len(span.text) else mask.cover(span.text)})
