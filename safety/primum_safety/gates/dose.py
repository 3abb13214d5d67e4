"""Dose: every clinical quantity of the answer is entailed by a quantity of the final context about the same thing."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from primum.records import AnswerKey, Exchange, Finding, GateResult, KeyField, Passage
from primum_safety.gates.citation import Resolver, cited, without_citations
from primum_safety.gates.once import once_an_exchange
from primum_safety.result import concluded, finding, not_applicable, passage_span, shown, unread
from primum_safety.text.entailment import Evidence, Verdict, entail
from primum_safety.text.fact import Fact
from primum_safety.text.facts import read_facts
from primum_safety.text.moments import unsupported
from primum_safety.text.names import vocabulary_of
from primum_safety.text.normalise import Text, normalise
from primum_safety.text.quantities import read_quantities
from primum_safety.text.question import read_question
from primum_safety.text.sentences import Range
from primum_safety.text.tokens import Style
from primum_safety.text.too_many import MOST, too_many_values

ABSENT: Final = "dose.absent"
REBOUND: Final = "dose.rebound"
UNPARSED: Final = "dose.unparsed"
WRONG_CITATION: Final = "dose.wrong_citation"
ERROR_PRONE: Final = "dose.error_prone_notation"

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
            message = f"the answer gives more than {MOST} values, too many to compare one by one"
            return concluded(self.id, self.version, [finding(UNPARSED, message)])
        comparisons = _compare(exchange)
        findings = [_objection(text, c) for c in comparisons if not c.verdict.holds]
        findings += [
            finding(UNPARSED, "the answer gives a number with too many digits to read", span=text.span(*where))
            for where in read_quantities(without_citations(exchange, text).visible).unreadable
        ]
        findings += _other_moments(exchange, text)
        findings += _citation_warnings(exchange, text, comparisons)
        findings += _style_warnings(text, [c.fact for c in comparisons])
        return concluded(self.id, self.version, findings)


@dataclass(frozen=True, slots=True)
class Comparison:
    """A quantity of the answer, and what the context makes of it."""

    fact: Fact
    verdict: Verdict
    nearest: Passage | None
    """The passage of the nearest fact."""
    passages: tuple[Passage, ...]
    """The passages that entail it."""


def unsupported_quantities(exchange: Exchange, within: Range) -> list[Comparison]:
    """The quantities in one stretch of the answer's normalised text that the context does not entail."""
    return [c for c in _compare(exchange) if not c.verdict.holds and within.start <= c.fact.where.start < within.end]


@once_an_exchange
def _compare(exchange: Exchange) -> list[Comparison]:
    if exchange.answer is None:
        return []
    text = without_citations(exchange, normalise(exchange.answer.text)).visible
    asked = normalise(exchange.question).text
    passages = [(p, normalise(p.text).visible, normalise(p.title).text) for p in exchange.context]
    vocabulary = vocabulary_of(asked, *(part for _, body, title in passages for part in (body, title)))
    answer = read_facts(text, "", vocabulary)
    if not answer:
        return []
    sources = [(passage, fact) for passage, body, title in passages for fact in read_facts(body, title)]
    home = {id(fact): passage for passage, fact in sources}
    evidence = Evidence([fact for _, fact in sources])
    question = read_question(asked, vocabulary)
    compared: list[Comparison] = []
    for fact in answer:
        verdict = entail(text, fact, answer, evidence, question)
        entailing = tuple({id(home[id(f)]): home[id(f)] for f in verdict.by}.values())
        compared.append(Comparison(fact, verdict, home.get(id(verdict.nearest)), entailing))
    return compared


def _objection(text: Text, compared: Comparison) -> Finding:
    said = _said(text.text, compared.fact)
    span = text.span(*compared.fact.where)
    fact, passage = compared.verdict.nearest, compared.nearest
    code = REBOUND if compared.verdict.rebound else ABSENT
    where = f"the context gives this, but not for what the answer speaks of ({compared.verdict.why})"
    message = f'the answer says "{said}"; {where if code == REBOUND else "no passage of the context gives it"}'
    if fact is None or passage is None:
        return finding(code, message, span=span)
    source = _said(normalise(passage.text).text, fact)
    message += f'; compare passage {passage.id}: "{source}"'
    return finding(code, message, span=span, evidence=passage_span(passage, *fact.where))


def _other_moments(exchange: Exchange, text: Text) -> Iterator[Finding]:
    """Clock times and days that no passage gives, where the passages (or the question) give others."""
    sources = [normalise(exchange.question).text, *(normalise(p.text).visible for p in exchange.context)]
    for moment in unsupported(without_citations(exchange, text).visible, sources):
        said = shown(moment.where.of(text.text), 40)
        message = f'the answer gives the {moment.scale} "{said}"; the passages give another {moment.scale}'
        yield finding(ABSENT, message, span=text.span(*moment.where))


def _said(text: str, fact: Fact) -> str:
    """The words of a quantity, with the frequency that follows it."""
    end = fact.where.end
    if fact.frequency is not None and end <= fact.frequency.where.start <= end + _CLOSE:
        end = fact.frequency.where.end
    return shown(text[fact.where.start : end], 60)


_CLOSE: Final = 20
"""Characters between an amount and its frequency that are quoted with the two."""


def _citation_warnings(exchange: Exchange, text: Text, compared: list[Comparison]) -> Iterator[Finding]:
    """Right doses in sentences whose citations all point at other passages."""
    resolver = Resolver(exchange.context, exchange.scope)
    marks = [(c.mark.where, resolver.passages(c.mark)) for c in cited(exchange, text, resolver) if c.span is not None]
    for comparison in compared:
        sentence = comparison.fact.sentence
        pointed = {p.id for where, passages in marks if sentence.start <= where.start < sentence.end for p in passages}
        givers = [passage.id for passage in comparison.passages]
        if pointed and givers and not pointed & set(givers) and comparison.fact.quantity.given():
            said = _said(text.text, comparison.fact)
            message = f'"{said}" stands in passage {givers[0]}, and its sentence cites {", ".join(sorted(pointed))}'
            yield finding(WRONG_CITATION, message, span=text.span(*comparison.fact.where), blocks=False)


def _style_warnings(text: Text, facts: Iterable[Fact]) -> Iterator[Finding]:
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
