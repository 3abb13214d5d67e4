"""The report on a terminal: decision first, then the systems side by side, then the worst objections."""

from collections.abc import Sequence
from typing import Final

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from primum.records.decision import DecisionKind
from primum.records.summary import Objection, RunReport
from primum.report.comparison import Block, Cell, Row, Tone, compare, ordered
from primum.report.groups import sections
from primum.report.groups import top as most
from primum.report.private import withhold
from primum.report.spans import Marked, evidence, marked
from primum.report.text import WITHHELD_RUN, one_line
from primum.report.waived import waiver_lines

TOP_OBJECTIONS: Final = 5
_AROUND: Final = 60
_INDENT: Final = 2
_GAP: Final = 2
_WIDEST: Final = 110
_NARROWEST: Final = 16
"""Columns that the figures of one system need to stay readable."""
_PLAIN: Final = str.maketrans({"⟦": "[", "⟧": "]", "█": "#", "…": "..."})
_STYLES: Final = {Tone.PLAIN: "", Tone.GOOD: "green", Tone.BAD: "bold red", Tone.UNSURE: "yellow"}
_SIGNS: Final = {Tone.PLAIN: "", Tone.GOOD: "", Tone.BAD: "! ", Tone.UNSURE: "? "}
_KINDS: Final = {DecisionKind.PASS: Tone.GOOD, DecisionKind.BLOCK: Tone.BAD, DecisionKind.INCONCLUSIVE: Tone.UNSURE}


def print_report(report: RunReport, console: Console, *, top: int = TOP_OBJECTIONS) -> None:
    """Prints the report; works at any width and encoding, with and without colour.

    Args:
        report: What the run came to.
        console: Where to print. Characters that its encoding lacks are replaced.
        top: How many objections to show, those that say the same counted once.
    """
    groups = most(sections(report), top)
    shown = {"objections": tuple(group.first for group in groups), "failures": (), "doubtful": ()}
    in_all = max(report.shown_of.get("objections", 0), len(report.objections))
    safe = withhold(report.model_copy(update=shown))
    printer = _Printer(console)
    for system in ordered(safe):
        printer.line(printer.text(system.decision.headline, _STYLES[_KINDS[system.decision.kind]], limit=1_000))
        for reason in system.decision.reasons:
            if not reason.rule.startswith("gate:"):  # what gates say is shown with the objections
                printer.line(printer.text(f"- {reason.message}", limit=600), indent=_INDENT)
        for line in waiver_lines(system):
            printer.line(printer.text(f"- {line}", _STYLES[Tone.UNSURE], limit=600), indent=_INDENT)
    for note in safe.notes:
        printer.line(printer.text(f"Note: {one_line(note, 1_000)}", "yellow", limit=1_000))
    printer.gap()
    printer.comparison(safe)
    printer.objections(safe.objections, [group.size for group in groups], in_all)


class _Printer:
    """Writes safe text to one console."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.encoding = console.encoding or "ascii"

    def text(self, raw: str, style: str = "", *, limit: int = 300) -> Text:
        """One visible line that the console can encode; rich markup in it means nothing."""
        return Text(self.encodable(one_line(raw, limit)), style=style, overflow="fold")

    def encodable(self, text: str) -> str:
        """The text with what the console's encoding lacks replaced."""
        if not self.encoding.lower().startswith("utf"):
            text = text.translate(_PLAIN)
        return text.encode(self.encoding, "replace").decode(self.encoding)

    def line(self, text: Text, indent: int = 0) -> None:
        """Prints a text, wrapped, every line of it indented."""
        for line in text.wrap(self.console, max(self.console.width - indent, 10), overflow="fold"):
            line.rstrip()
            line.pad_left(indent)
            self.console.print(line, highlight=False, no_wrap=True, crop=False)

    def gap(self) -> None:
        self.console.print()

    def comparison(self, report: RunReport) -> None:
        """The systems side by side, or one after the other where the console is too narrow for that.

        Each block is a table of the same widths beneath its title.
        """
        systems = ordered(report)
        blocks = [block for block in compare(report) if block.rows]
        labels = max((len(_label(row)) for block in blocks for row in block.rows), default=0) + _INDENT
        width = min(self.console.width, _WIDEST)
        first = min(labels, width * 2 // 5)
        each = max((width - first) // max(len(systems), 1) - _GAP, 8)
        if len(systems) > 1 and each < _NARROWEST:
            for system in systems:
                self.comparison(report.model_copy(update={"systems": (system,)}))
                self.gap()
            return
        for position, block in enumerate(blocks):
            table = Table(box=None, padding=(0, _GAP, 0, 0), pad_edge=False, show_header=not position)
            table.add_column("", width=first, overflow="fold")
            for system in systems:
                table.add_column(self.text(system.system, "bold"), width=each, overflow="fold")
            shared = _shared_detail(block)
            if position:
                self.line(self.text(f"{block.title}{f' ({shared})' if shared else ''}", "bold"))
            for row in block.rows:
                table.add_row(self._row_label(row, position), *[self._cell(cell, shared) for cell in row.cells])
            self.console.print(table, highlight=False)

    def _row_label(self, row: Row, position: int) -> Padding:
        return Padding(self.text(_label(row)), (0, 0, 0, _INDENT if position else 0))

    def _cell(self, cell: Cell, shared: str) -> Text:
        shown = self.text(f"{_SIGNS[cell.tone]}{cell.value}", _STYLES[cell.tone])
        if cell.detail and cell.detail != shared:
            shown.append(self.encodable(f" {one_line(cell.detail)}"), style="not bold dim default")
        return shown

    def objections(self, shown: Sequence[Objection], sizes: Sequence[int], in_all: int) -> None:
        if not in_all:
            return
        self.gap()
        self.line(self.text(f"Objections: {sum(sizes)} of {in_all}, worst first", "bold"))
        for number, (objection, size) in enumerate(zip(shown, sizes, strict=True), start=1):
            self._objection(number, objection, size)

    def _objection(self, number: int, objection: Objection, size: int) -> None:
        finding, exchange = objection.finding, objection.observation.exchange
        blocks = "blocks" if objection.blocks else "warns"
        tone = Tone.BAD if objection.blocks else Tone.UNSURE
        code = f"[{finding.reason}, {finding.severity}{f', {size} times' if size > 1 else ''}]"
        head = f"{number}. {objection.observation.system} {blocks}: {finding.message} {code}"
        self.line(self.text(head, _STYLES[tone], limit=600))
        answer = marked(exchange.answer.text, finding.answer_span, around=_AROUND) if exchange.answer else None
        self.line(self._words("answer:   ", answer, "the system gave no answer"), indent=3)
        proof = evidence(exchange, finding.evidence, around=_AROUND)
        self.line(self._words("evidence: ", proof.text if proof else None, "the gate points to no passage"), indent=3)

    def _words(self, label: str, words: Marked | None, otherwise: str) -> Text:
        """The words around a mark in one line; the mark stands in >>angle brackets<< so that it needs no colour."""
        line = Text(label, style="dim", overflow="fold")
        if words is None:
            return line.append(otherwise)
        before, after = ("..." if cut else "" for cut in (words.left_out_before, words.left_out_after))
        mark = f">>{words.mark}<<" if words.mark else ""
        for text in (before, words.before, mark, words.after, after):
            if text:
                line.append(self.encodable(_same_ends(text)), style="not dim")
        return line


def _label(row: Row) -> str:
    return f"{row.label} ({row.note})" if row.note else row.label


def _shared_detail(block: Block) -> str:
    """What every value of a block rests on, when it is the same for all."""
    details = {cell.detail for row in block.rows for cell in row.cells}
    return details.pop() if len(details) == 1 and len(block.rows) > 1 else ""


def _same_ends(text: str) -> str:
    """The text in one line that keeps a space at its ends."""
    body = one_line(WITHHELD_RUN.sub("[withheld]", text), 400)
    return f"{' ' if text[0].isspace() else ''}{body}{' ' if text[-1].isspace() else ''}"
