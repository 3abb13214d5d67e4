"""The report as one HTML page that needs nothing else: no script, no other file, no other host."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from primum.records.base import Outcome, Record, Status
from primum.records.exchange import Exchange
from primum.records.observation import ModelCall
from primum.records.summary import FamilySummary, RunReport, SystemSummary
from primum.records.verdict import ClaimVerdict
from primum.report import comparison, numbers
from primum.report.groups import Group, sections
from primum.report.page import environment
from primum.report.private import withhold
from primum.report.spans import Evidence, Marked, evidence, marked

OPEN_OBJECTIONS: Final = 2
"""Objections of each system and gate that are unfolded when the page opens."""
OPEN_FAMILIES: Final = 12
_CONSEQUENCES: Final = ("critical", "serious", "routine")


@dataclass(frozen=True, kw_only=True)
class ShownObjection:
    """A group of objections; the texts of the first, cut around what it is about."""

    group: Group
    answer: Marked | None
    """None when the system gave no answer."""
    evidence: Evidence | None


def render_html(report: RunReport) -> str:
    """The whole page. Equal reports give equal text; identifiers of other patients are withheld."""
    safe = withhold(report)
    template = environment().get_template("report.html.j2")
    return template.render(
        report=safe,
        systems=comparison.ordered(safe),
        blocks=comparison.compare(safe),
        sections=[(section, [_shown(group) for group in section.groups]) for section in sections(safe)],
        settings=tuple(flattened(safe.manifest.content())),
        open_objections=OPEN_OBJECTIONS,
        open_families=OPEN_FAMILIES,
        statuses=tuple(Status),
        outcomes=tuple(Outcome),
        grouped=grouped,
        worst_first=worst_first,
        rubrics=rubrics,
        quoted=quoted,
        origin=origin,
        total=_total,
    )


def _shown(group: Group) -> ShownObjection:
    exchange = group.first.observation.exchange
    finding = group.first.finding
    return ShownObjection(
        group=group,
        answer=marked(exchange.answer.text, finding.answer_span) if exchange.answer else None,
        evidence=evidence(exchange, finding.evidence),
    )


def flattened(value: object, name: str = "") -> Iterator[tuple[str, str]]:
    """Nested plain data as rows, such as ``("systems 1 planned", "40")``."""
    if isinstance(value, dict):
        for key, inner in value.items():  # pyright: ignore[reportUnknownVariableType] - plain JSON data
            yield from flattened(inner, f"{name} {key}".strip())  # pyright: ignore[reportUnknownArgumentType]
    elif isinstance(value, list | tuple):
        for position, inner in enumerate(value, start=1):  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
            yield from flattened(inner, f"{name} {position}".strip())  # pyright: ignore[reportUnknownArgumentType]
    else:
        yield name.replace("_", " "), "none" if value is None else str(value)


def worst_first(families: Iterable[FamilySummary]) -> list[FamilySummary]:
    """Families with gate failures first, then by consequence, lowest score, and name."""

    def rank(family: FamilySummary) -> tuple[int, int, float, str]:
        scores = [value for values in family.judge_scores.values() for value in values]
        consequence = _CONSEQUENCES.index(family.consequence.value)
        return -sum(family.gate_failures.values()), consequence, min(scores, default=1.0), family.family

    return sorted(families, key=rank)


def grouped(systems: Sequence[SystemSummary], name: str, *keys: str) -> list[list[tuple[SystemSummary, Record]]]:
    """The parts called `name` of all systems, those of equal `keys` together, in the order in which they appear."""
    groups: dict[tuple[str, ...], list[tuple[SystemSummary, Record]]] = {}
    for system in systems:
        parts: tuple[Record, ...] = getattr(system, name)
        for part in parts:
            groups.setdefault(tuple(getattr(part, key) for key in keys), []).append((system, part))
    return list(groups.values())


def rubrics(system: SystemSummary) -> list[str]:
    """Rubrics with a score in any family, in the order in which they appear."""
    return list(dict.fromkeys(rubric for family in system.families for rubric in family.judge_scores))


def quoted(claim: ClaimVerdict, exchange: Exchange) -> str:
    """Where code found the judge's quote."""
    if claim.quote is None:
        return "no quote given"
    if claim.claim_id.startswith("s"):  # a statement of the answer key, which is looked for in the answer
        return "found to the letter in the answer"
    if claim.evidence is None:
        return "quote not found in the evidence"
    passages = [p for p in (*exchange.context, *exchange.retrieved) if p.id == claim.evidence.passage_id]
    if not passages:
        return "quote found to the letter, in a passage that the report does not hold"
    passage = passages[0]
    place = f"{passage.title or passage.document_id} ({passage.document_id}, version {passage.document_version})"
    return f"quote found to the letter in {place}"


def origin(call: ModelCall) -> str:
    """Who answered a judge's question, and at what price."""
    answered = call.model_returned or "no model that says its name"
    tokens = f"{call.usage.prompt_tokens + call.usage.completion_tokens:,} tokens" if call.usage else "tokens unknown"
    cost = "cost unknown" if call.cost_usd is None else f"{call.cost_usd} USD"
    seconds = sum(attempt.seconds or 0.0 for attempt in call.attempts)
    requests = numbers.counted(len(call.attempts), "request")
    return f"{call.model_requested} was asked, {answered} answered; {requests}, {tokens}, {cost}, {seconds:.1f} s"


def _total(report: RunReport, name: str, shown: Sequence[object]) -> int:
    """How many there are in all, of which the report shows some."""
    return max(report.shown_of.get(name, 0), len(shown))
