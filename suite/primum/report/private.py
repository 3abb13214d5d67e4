"""Withholds what reports must not hand on: identifiers of patients other than the one a question is about.

A finding shows what it is about and nothing more. Withheld text becomes as many ``█``, so that every span stays where
it is. What the question itself names stays, since the question is part of the
dataset.
"""

import re
from collections.abc import Iterable, Sequence

from primum.records.corpus import Passage
from primum.records.exchange import Answer, Exchange, Span
from primum.records.observation import ModelCall, Observation
from primum.records.scope import Person
from primum.records.summary import JudgedCase, Objection, RunReport
from primum.records.verdict import ClaimVerdict
from primum.report.text import WITHHELD


def withhold(report: RunReport) -> RunReport:
    """The report without rosters and without foreign patients' identifiers outside the findings; idempotent."""
    return report.model_copy(
        update={
            "objections": tuple(_objection(objection) for objection in report.objections),
            "failures": tuple(_observation(observation) for observation in report.failures),
            "doubtful": tuple(_judged(judged) for judged in report.doubtful),
        }
    )


def _objection(objection: Objection) -> Objection:
    finding = objection.finding
    shown = [finding.answer_span] if finding.answer_span else []
    pointed = {finding.evidence.passage_id: [finding.evidence.span]} if finding.evidence else {}
    return objection.model_copy(
        update={"observation": _observation(objection.observation, answer_spans=shown, passage_spans=pointed)}
    )


def _judged(judged: JudgedCase) -> JudgedCase:
    names = _identifiers(judged.observation.exchange)
    observation = _observation(judged.observation)
    verdict = judged.verdict
    claims = tuple(_claim(claim, observation.exchange, names) for claim in verdict.claims)
    safe = verdict.model_copy(
        update={"claims": claims, "reason": _mask(verdict.reason, names), "call": _call(verdict.call, names)}
    )
    return judged.model_copy(update={"observation": observation, "verdict": safe})


def _claim(claim: ClaimVerdict, exchange: Exchange, names: re.Pattern[str] | None) -> ClaimVerdict:
    """The claim with its words as they stand in the exchange, from which identifiers were taken already."""
    answer = exchange.answer.text if exchange.answer else ""
    quote, pointer = claim.quote, claim.evidence
    if quote is not None:
        quote = _mask(quote, names)
    if pointer is not None:
        passage = next((p for p in (*exchange.context, *exchange.retrieved) if p.id == pointer.passage_id), None)
        pointer = pointer.model_copy(update={"span": _as_in(passage.text if passage else "", pointer.span, names)})
        if passage is not None and passage.patient_id == WITHHELD:
            quote = pointer.span.text
    return claim.model_copy(update={"span": _as_in(answer, claim.span, names), "quote": quote, "evidence": pointer})


def _as_in(text: str, span: Span, names: re.Pattern[str] | None) -> Span:
    there = text[span.start : span.end]
    return span.model_copy(update={"text": there if len(there) == len(span.text) else _mask(span.text, names)})


def _observation(
    observation: Observation,
    *,
    answer_spans: Sequence[Span] = (),
    passage_spans: dict[str, list[Span]] | None = None,
) -> Observation:
    exchange = observation.exchange
    names = _identifiers(exchange)
    answer = exchange.answer
    if answer is not None:
        answer = _answer(answer, names, answer_spans)
    safe = exchange.model_copy(
        update={
            "roster": (),
            "answer": answer,
            "retrieved": tuple(_passage(p, exchange, names, passage_spans or {}) for p in exchange.retrieved),
            "context": tuple(_passage(p, exchange, names, passage_spans or {}) for p in exchange.context),
        }
    )
    return observation.model_copy(update={"exchange": safe, "call": _call(observation.call, names)})


def _answer(answer: Answer, names: re.Pattern[str] | None, shown: Sequence[Span]) -> Answer:
    return answer.model_copy(update={"text": _mask(answer.text, names, shown)})


def _call(call: ModelCall | None, names: re.Pattern[str] | None) -> ModelCall | None:
    if call is None or call.raw_reply is None:
        return call
    return call.model_copy(update={"raw_reply": _mask(call.raw_reply, names)})


def _passage(
    passage: Passage, exchange: Exchange, names: re.Pattern[str] | None, shown: dict[str, list[Span]]
) -> Passage:
    spans = shown.get(passage.id, [])
    if passage.patient_id in (None, exchange.scope.patient_id):
        return passage.model_copy(update={"text": _mask(passage.text, names, spans)})
    if passage.patient_id == WITHHELD:
        return passage
    text = _keep(passage.text, re.sub(r"\S", WITHHELD, passage.text), spans)
    return passage.model_copy(
        update={"text": text, "title": "", "payload": {}, "patient_id": WITHHELD, "document_id": WITHHELD}
    )


def _mask(text: str, names: re.Pattern[str] | None, shown: Sequence[Span] = ()) -> str:
    if names is None:
        return text
    return _keep(text, names.sub(lambda match: WITHHELD * len(match.group()), text), shown)


def _keep(text: str, masked: str, shown: Sequence[Span]) -> str:
    for span in shown:
        masked = masked[: span.start] + text[span.start : span.end] + masked[span.end :]
    return masked


def _identifiers(exchange: Exchange) -> re.Pattern[str] | None:
    """A pattern for every identifier on the roster that the question does not name itself; None without one."""
    asked = exchange.question.casefold()

    def alternatives(texts: Iterable[str]) -> str:
        # Longest first, so that a whole name is met before its parts.
        hidden = {text for text in texts if text.casefold() not in asked}
        return "|".join(re.escape(text) for text in sorted(hidden, key=lambda text: (-len(text), text)))

    wholes = alternatives(text for person in exchange.roster for text in _identifiers_of(person))
    words = alternatives(word for person in exchange.roster for word in _name_words(person))
    choices = [choice for choice in (f"(?i:{wholes})" if wholes else "", words) if choice]
    return re.compile(rf"(?<!\w)(?:{'|'.join(choices)})(?!\w)") if choices else None


def _identifiers_of(person: Person) -> list[str]:
    """Identifiers long enough not to hide a dose or another bare number."""
    texts = (person.mrn, person.name, person.birth_date, person.room)
    return [text for text in texts if text and (len(text) >= 4 or (len(text) == 3 and not text.isdigit()))]


def _name_words(person: Person) -> list[str]:
    return [word for word in re.findall(r"[^\W\d_]+", person.name or "") if len(word) >= 4]
