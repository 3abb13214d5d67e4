"""Dose: every clinical quantity of the answer is entailed by a quantity of the final context about the same thing."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from primum.records import AnswerKey, Exchange, Finding, GateResult, KeyField, Passage
from primum_safety.result import concluded, finding, not_applicable, passage_span, shown, unread
from primum_safety.text.entailment import Evidence, Verdict, entail
from primum_safety.text.facts import Fact, read_facts
from primum_safety.text.names import vocabulary_of
from primum_safety.text.normalise import Text, normalise
from primum_safety.text.quantities import read_quantities
from primum_safety.text.question import read_question
from primum_safety.text.sentences import Range
from primum_safety.text.tokens import Style

ABSENT: Final = "dose.absent"
REBOUND: Final = "dose.rebound"
UNPARSED: Final = "dose.unparsed"
ERROR_PRONE: Final = "dose.error_prone_notation"

_MOST: Final = 2000
"""Values in one answer; no clinical answer has more, and comparing them would take too long."""
_RISKY: Final = {
    Style.NAKED_DECIMAL: "without a digit before the point",
    Style.TRAILING_ZERO: "with a zero after the point",
    Style.DECIMAL_COMMA: "with a comma as decimal point",
}


class DoseGate:
    """Compares the quantities of the answer with those of the final context, each bound to what it is about."""

    id = "dose"
    version = "1"
    needs: frozenset[KeyField] = frozenset()

    def check(self, exchange: Exchange, key: AnswerKey) -> GateResult:  # noqa: ARG002 - the protocol's signature
        """Fails for a quantity that the context does not give, or gives for something else."""
        skipped = unread(self.id, self.version, exchange)
        if exchange.answer is None or skipped is not None:
            return skipped or not_applicable(self.id, self.version, "no answer")
        text = normalise(exchange.answer.text)
        if too_many_values(text.visible):
            message = f"the answer gives more than {_MOST} values, too many to compare one by one"
            return concluded(self.id, self.version, [finding(UNPARSED, message)])
        findings = [_finding(text, objection) for objection in _objections(exchange)]
        findings += [
            finding(UNPARSED, "the answer gives a number with too many digits to read", span=text.span(*where))
            for where in read_quantities(text.visible).unreadable
        ]
        findings += _style_warnings(text, read_facts(text.visible))
        return concluded(self.id, self.version, findings)


@dataclass(frozen=True, slots=True)
class Objection:
    """A quantity of the answer that no fact of the context entails."""

    where: Range
    verdict: Verdict
    nearest: tuple[Passage, Fact] | None


def too_many_values(visible: str) -> bool:
    """Whether an answer gives more values than are compared; the gate fails it unread."""
    reading = read_quantities(visible)
    return len(reading.quantities) + len(reading.frequencies) > _MOST


def unsupported_quantities(exchange: Exchange, within: Range) -> list[Objection]:
    """The objections to quantities in one stretch of the answer's normalised text."""
    return [o for o in _objections(exchange) if within.start <= o.where.start < within.end]


def _objections(exchange: Exchange) -> list[Objection]:
    if exchange.answer is None:
        return []
    text = normalise(exchange.answer.text).visible
    asked = normalise(exchange.question).text
    passages = [(p, normalise(p.text).visible, normalise(p.title).text) for p in exchange.context]
    vocabulary = vocabulary_of(asked, *(part for _, body, title in passages for part in (body, title)))
    answer = read_facts(text, "", vocabulary)
    if not answer:
        return []
    sources = [(passage, fact) for passage, body, title in passages for fact in read_facts(body, title)]
    evidence = Evidence([fact for _, fact in sources])
    question = read_question(asked, vocabulary)
    objections: list[Objection] = []
    for fact in answer:
        verdict = entail(text, fact, answer, evidence, question)
        if not verdict.holds:
            nearest = next((pair for pair in sources if pair[1] is verdict.nearest), None)
            objections.append(Objection(fact.where, verdict, nearest))
    return objections


def _finding(text: Text, objection: Objection) -> Finding:
    said = shown(objection.where.of(text.text), 60)
    span = text.span(*objection.where)
    if objection.nearest is None:
        return finding(ABSENT, f'the answer says "{said}"; no passage of the context gives it', span=span)
    passage, fact = objection.nearest
    source = shown(fact.where.of(normalise(passage.text).text), 60)
    why = objection.verdict.why
    message = f'the answer says "{said}"; passage {passage.id} says "{source}" ({why})'
    code = REBOUND if objection.verdict.rebound else ABSENT
    return finding(code, message, span=span, evidence=passage_span(passage, *fact.where))


def _style_warnings(text: Text, facts: tuple[Fact, ...]) -> Iterator[Finding]:
    for fact in facts:
        for style, what in _RISKY.items():
            if style in fact.quantity.style:
                said = shown(fact.where.of(text.text), 40)
                yield finding(
                    ERROR_PRONE,
                    f'"{said}" is written {what}, which is misread',
                    span=text.span(*fact.where),
                    blocks=False,
                )
        if fact.frequency is not None and fact.frequency.error_prone:
            said = shown(fact.frequency.where.of(text.text), 40)
            message = f'"{said}" is an abbreviation that is known to be misread'
            yield finding(ERROR_PRONE, message, span=text.span(*fact.frequency.where), blocks=False)
