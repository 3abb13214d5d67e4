"""A summary for the step pages of CI systems: worst first, and small enough for them to take."""

import re
from collections.abc import Iterator
from typing import Final

from primum.records.summary import RunReport
from primum.report.comparison import Cell, Row, Tone, compare, ordered
from primum.report.groups import Group, sections, top
from primum.report.private import withhold
from primum.report.spans import Marked, evidence, marked
from primum.report.text import WITHHELD_RUN, one_line
from primum.report.waived import waiver_lines

LIMIT_BYTES: Final = 900_000
"""GitHub refuses a step summary of more than 1 MiB."""
# Other ASCII signs mean something at the start of a line only, where no text from outside ever stands.
_SPECIAL: Final = re.compile(r"[#$&*:<>@\[\\\]^_`{|}~]|\.(?=[^\s\d])")
_SIGNS: Final = {Tone.PLAIN: "", Tone.GOOD: "✓ ", Tone.BAD: "✕ ", Tone.UNSURE: "? "}
_KEPT: Final = 200
"""Bytes kept free for the line that says how much was left out."""


def render_markdown(report: RunReport, *, limit: int = LIMIT_BYTES) -> str:
    """The summary as GitHub-flavoured Markdown of at most `limit` bytes; equal reports give equal text."""
    safe = withhold(report.model_copy(update={"failures": (), "doubtful": ()}))
    text = "\n".join([*_head(safe), "", *_table(safe), ""]) + "\n"
    used = len(text.encode())
    in_all = max(safe.shown_of.get("objections", 0), len(safe.objections))
    parts = [text] if used + _KEPT <= limit else [_only_decisions(safe, limit)]
    shown = 0
    ranked = top(sections(safe), len(safe.objections)) if used + _KEPT <= limit else []
    for number, group in enumerate(ranked, start=1):
        part = "\n".join(_objection(number, group)) + "\n"
        used += len(part.encode())
        if used + _KEPT > limit:
            break
        parts.append(part)
        shown += group.size
    if in_all:
        parts.append(f"\nShown: {shown} of {in_all} objections; the page report.html has more.\n")
    return "".join(parts)


def escaped(text: str, limit: int = 300) -> str:
    """One visible line in which no character means anything to Markdown, HTML or a link finder."""
    line = one_line(WITHHELD_RUN.sub("[withheld]", text), limit)
    # A lone @ between tags: address finders look at whole text nodes, after character references are resolved.
    return _SPECIAL.sub(lambda match: _reference(match.group()), line)


def _reference(char: str) -> str:
    reference = f"&#{ord(char)};"
    return f"<span>{reference}</span>" if char == "@" else reference


def _code(text: str, limit: int = 300) -> str:
    """Text from outside: in <code>, where no mention, reference or emoji is looked for."""
    return f"<code>{escaped(text, limit)}</code>" if text.strip() else ""


def _head(report: RunReport) -> Iterator[str]:
    for position, system in enumerate(ordered(report)):
        headline = escaped(system.decision.headline, 1_000)
        yield f"## {headline}" if not position else f"\n**{headline}**"
        yield from (f"\n- {escaped(line, 600)}" for line in waiver_lines(system))
    if report.notes:
        yield ""
        yield from (f"> {escaped(note, 1_000)}<br>" for note in report.notes)


def _only_decisions(report: RunReport, limit: int) -> str:
    """For runs of so many systems that even the table is too long."""
    text = "\n".join(_head(report)) + "\n"
    return text if len(text.encode()) + _KEPT <= limit else "Too many systems for a summary.\n"


def _table(report: RunReport) -> Iterator[str]:
    systems = ordered(report)
    yield "| | " + " | ".join(_code(system.system) for system in systems) + " |"
    yield "| :-- |" + " :-- |" * len(systems)
    for block in compare(report):
        if block.title != "Decision" and block.rows:
            yield f"| **{escaped(block.title)}** |" + " |" * len(systems)
        for row in block.rows:
            yield f"| {_label(row)} | " + " | ".join(map(_cell, row.cells)) + " |"


def _label(row: Row) -> str:
    return f"{escaped(row.label)} ({escaped(row.note)})" if row.note else escaped(row.label)


def _cell(cell: Cell) -> str:
    value = f"{_SIGNS[cell.tone]}**{escaped(cell.value)}**"
    return f"{value} {escaped(f'({cell.detail})')}" if cell.detail else value


def _objection(number: int, group: Group) -> Iterator[str]:
    objection = group.first
    finding, observation = objection.finding, objection.observation
    exchange = observation.exchange
    blocks = "✕ blocks" if objection.blocks else "? warns"
    answer = marked(exchange.answer.text, finding.answer_span, around=150) if exchange.answer else None
    proof = evidence(exchange, finding.evidence, around=150)
    yield f"### {number}\\. {escaped(finding.message, 600)}"
    yield ""
    yield (
        f"{blocks} · {_code(observation.system)} · {_code(objection.gate)} gate · {_code(finding.reason)} · "
        f"{finding.severity} · {_code(objection.case.id)}, repetition {observation.repetition}"
        f"{f' · {group.size} times in all' if group.size > 1 else ''}"
    )
    yield ""
    yield f"- Question: {_code(exchange.question, 600)}"
    yield f"- Answer: {_words(answer) if answer else 'the system gave no answer'}"
    yield f"- Evidence: {_words(proof.text) if proof else 'the gate points to no passage'}"
    yield ""


def _words(words: Marked) -> str:
    before, after = ("…" if cut else "" for cut in (words.left_out_before, words.left_out_after))
    mark = f" <strong>{_code(words.mark, 600)}</strong> " if words.mark else ""
    return f"{before}{_code(words.before)}{mark}{_code(words.after)}{after}"
