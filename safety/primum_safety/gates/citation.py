"""Citation: every citation resolves to a passage that may be used here, and an answer has at least one."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from primum.records import (
    SHARED_TENANT,
    AnswerKey,
    Exchange,
    Finding,
    GateResult,
    KeyField,
    Outcome,
    Passage,
    PublicationState,
    Scope,
    Severity,
    Span,
)
from primum_safety.result import concluded, finding, not_applicable, shown, unread
from primum_safety.text import cues
from primum_safety.text.citations import CitationMark, Form, citation_marks
from primum_safety.text.disclaimer import read_disclaimers
from primum_safety.text.facts import read_facts
from primum_safety.text.normalise import Text, normalise
from primum_safety.text.outcome import Kind, read_clauses, read_outcome
from primum_safety.text.sentences import Range, sentences
from primum_safety.text.too_many import too_many_values

MISSING: Final = "citation.missing"
UNRESOLVED: Final = "citation.unresolved"
OUTSIDE: Final = "citation.outside"
FOREIGN: Final = "citation.foreign"
SUPERSEDED: Final = "citation.superseded"
UNCITED: Final = "citation.uncited"


class CitationGate:
    """Resolves each citation, in the text and as data, against the final context."""

    id = "citation"
    version = "2"
    needs: frozenset[KeyField] = frozenset()

    def check(self, exchange: Exchange, key: AnswerKey) -> GateResult:  # noqa: ARG002 - the protocol's signature
        """Fails for a citation that does not resolve, and for an answer without any."""
        skipped = unread(self.id, self.version, exchange)
        if exchange.answer is None or skipped is not None:
            return skipped or not_applicable(self.id, self.version, "no answer")
        text = normalise(exchange.answer.text)
        resolver = Resolver(exchange.context, exchange.scope)
        findings: list[Finding] = []
        valid = 0
        marks = cited(exchange, text, resolver)
        for mark in marks:
            problem = resolver.problem(mark.mark)
            if problem is None:
                valid += 1
            else:
                findings.append(finding(problem[0], problem[1], span=mark.span))
        if not valid and not findings and read_outcome(exchange.answer.text) is Outcome.ANSWERED:
            message = "the answer makes claims and cites nothing in the context"
            findings.append(finding(MISSING, message, severity=Severity.SERIOUS))
        if valid:
            findings += _uncited(text, marks)
        return concluded(self.id, self.version, findings)


def _uncited(text: Text, marks: list["Cited"]) -> Iterator[Finding]:
    """Sentences that give a dose or recommend something and cite nothing, in an answer with citations."""
    doses = frozenset[Range]()
    if not too_many_values(text.visible):  # else the dose gate fails the answer
        doses = frozenset(fact.sentence for fact in read_facts(text.visible) if fact.quantity.given())
    claims = [clause.where for clause in read_clauses(text.original) if clause.kind is Kind.CLAIMS]
    disclaimers = {statement.where for statement in read_disclaimers(text.visible)}
    for sentence in sentences(text.visible):
        recommends = any(
            c.start < sentence.end and sentence.start < c.end and _ADVICE.search(c.of(text.visible)) for c in claims
        )
        if sentence not in doses and (not recommends or sentence in disclaimers):
            continue
        if not any(sentence.start <= m.mark.where.start <= sentence.end + _TRAILING for m in marks if m.span):
            what = "gives a dose" if sentence in doses else "recommends something"
            message = f'"{shown(sentence.of(text.text), 60)}" {what} and cites nothing'
            yield finding(UNCITED, message, span=text.span(*sentence), blocks=False)


_ADVICE: Final = re.compile(
    r"\b(?:should|must|ought|recommend\w*|advis\w+|avoid\w*|preferred|contraindicated|do\s+not|don't|never"
    r"|first[- ]line|indicated|has\s+to|have\s+to|needs?\s+to|is\s+to\s+be|are\s+to\s+be)\b"
    r"|^\W*(?:start|stop|give|take|use|increase|reduce|halve|double|switch|monitor|check|measure|continue|discontinue|withhold"
    r"|add|apply|inject|repeat|titrate|restart|consider|prescribe|administer)\b",
    re.IGNORECASE,
)
"""Words of a recommendation."""
_TRAILING: Final = 3
"""Characters after a sentence in which a citation still belongs to it."""


@dataclass(frozen=True, slots=True)
class Cited:
    """One pointer, with its place in the answer when it stands in the text."""

    mark: CitationMark
    span: Span | None


def cited(exchange: Exchange, text: Text, resolver: "Resolver") -> list[Cited]:
    """All pointers of the answer: those in the visible text, then those given as data."""
    marks = [Cited(mark, text.span(*mark.where)) for mark in citation_marks(text.visible, resolver.ids)]
    if exchange.answer is not None:
        for citation in exchange.answer.citations:
            target = normalise(citation.target).text.strip()
            known = resolver.ids if target.isdigit() else {*resolver.ids, target}  # a bare number is a position
            marks += [Cited(mark, None) for mark in citation_marks(f"[{target}]", known)]
    return marks


def without_citations(exchange: Exchange, text: Text) -> Text:
    """The text with every pointer that resolves blanked, so that no word or number of it is read.

    It keeps its length. A pointer that does not resolve stays, and so does one that a unit follows or that names a
    group of patients in round brackets: what is no citation may be a dose, or for whom it is.
    """
    resolver = Resolver(exchange.context, exchange.scope)
    visible = text.visible
    kept: list[str] = []
    at = 0
    for mark in sorted(citation_marks(visible, resolver.ids), key=lambda mark: mark.where):
        start, end = mark.where
        aside = visible[start - 1 : start] == "(" and cues.tags(cues.POPULATIONS, mark.target)
        if resolver.passages(mark) and not aside and not _UNIT_FOLLOWS.match(visible, end):
            start = max(start, at)
            kept += [text.text[at:start], " " * (end - start)]
            at = max(at, end)
    return replace(text, text="".join([*kept, text.text[at:]]))


_UNIT_FOLLOWS: Final = re.compile(r"\]\s?(?:mg|mcg|µg|micrograms?|milligrams?|ml|mmol|iu)\b", re.IGNORECASE)


class Resolver:
    """Finds the passages of a final context that a pointer means."""

    def __init__(self, context: Sequence[Passage], scope: Scope) -> None:
        self._context = context
        self._scope = scope
        self._by_id: Mapping[str, tuple[Passage, ...]] = _by_id(context)

    @property
    def ids(self) -> frozenset[str]:
        """Every spelling that points at a passage by id, normalised."""
        return frozenset(self._by_id)

    def passages(self, mark: CitationMark) -> tuple[Passage, ...]:
        """The passages that `mark` points at; empty when it does not resolve."""
        if mark.form is Form.INDEX:
            if 1 <= mark.position <= len(self._context):
                return (self._context[mark.position - 1],)
            return self._by_id.get(mark.target, ())
        return self._by_id.get(mark.target, ()) if mark.form is Form.ID else ()

    def problem(self, mark: CitationMark) -> tuple[str, str] | None:
        """Reason code and sentence for a citation that may not be relied on; None for a good one."""
        passages = self.passages(mark)
        name = shown(mark.target, 40)
        if mark.form is Form.OUTSIDE:
            return OUTSIDE, f"the answer cites {name}, a source outside the context"
        if not passages:
            size = len(self._context)
            return UNRESOLVED, f"the answer cites [{name}], which is none of the {size} passages of the context"
        if any(passage.eligible(self._scope) for passage in passages):
            return None
        passage = passages[0]
        if passage.state is not PublicationState.PUBLISHED:
            return SUPERSEDED, f"the answer cites [{name}]; passage {passage.id} is {passage.state}, not published"
        whose = "tenant" if passage.tenant not in (self._scope.tenant, SHARED_TENANT) else "patient"
        return FOREIGN, f"the answer cites [{name}]; passage {passage.id} belongs to another {whose}"


def _by_id(context: Sequence[Passage]) -> dict[str, tuple[Passage, ...]]:
    found: dict[str, tuple[Passage, ...]] = {}
    for passage in context:
        version = passage.document_version
        bare = version[1:] if version[:1] in "vV" and version[1:2].isdigit() else version
        names = [passage.id, passage.document_id]
        names += [f"{name}@{form}" for name in names for form in (version, bare, f"v{bare}")]
        for name in dict.fromkeys(normalise(name).text.strip() for name in names):
            found[name] = (*found.get(name, ()), passage)
    return found
