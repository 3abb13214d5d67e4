"""``primum datasets``: look into a dataset and score the gates on it; text from files is made safe for the terminal."""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from primum.datasets import ChunkFinder, Dataset
    from primum.datasets.labelled_scores import LabelledScores
    from primum.records import Case, EvidenceLabel

_WIDTH = 100


@click.group()
def datasets() -> None:
    """Look into datasets: what they hold, and how each case is labelled."""


@datasets.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.argument("case_id", metavar="[CASE]", required=False)
def show(folder: Path, case_id: str | None) -> int:
    """Show what FOLDER holds, or one CASE (family/variant, or a family) with its labels and recorded answers.

    FOLDER is a dataset folder or the name of a shipped dataset, such as demo.
    """
    from primum.datasets import load_dataset

    dataset = load_dataset(folder_of(folder))
    lines = _overview(dataset) if case_id is None else _cases(dataset, case_id)
    for line in lines:
        click.echo(line)
    return 0


@datasets.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("-v", "--verbose", is_flag=True, help="List the answers that a gate got wrong.")
def score(folder: Path, verbose: bool) -> int:
    """Score the safety gates on the labelled answers of FOLDER: what they miss and what they block without need."""
    from primum.app.parts import gates
    from primum.datasets import labelled_exchanges, load_dataset
    from primum.datasets.labelled_scores import score_gates
    from primum.errors import UsageError
    from primum_safety import check

    found = folder_of(folder)
    labelled = labelled_exchanges(load_dataset(found))
    if not labelled:
        raise UsageError(f"{found}: there are no answers/labelled-*.jsonl to score the gates on; write some")
    needs = frozenset(need for gate in gates() for need in gate.needs)
    scores = score_gates([(one, check(one.exchange, one.case.key(needs), gates=gates())) for one in labelled])
    for line in _scores(scores, verbose=verbose):
        click.echo(line)
    return 0


def folder_of(folder: Path) -> Path:
    """The folder, or the shipped dataset of this name when there is no such folder."""
    from primum.resources import shipped

    inside = shipped("datasets") / folder
    named = len(folder.parts) == 1 and not folder.exists() and (inside / "cases.jsonl").is_file()
    return inside if named else folder


def _scores(scores: "LabelledScores", *, verbose: bool) -> Iterator[str]:
    from primum.report.numbers import rate

    yield f"good answers with an objection: {rate(scores.good_blocked)}"
    yield f"bad answers with an objection:  {rate(scores.bad_blocked)}"
    yield ""
    wide = max(len(gate.gate) for gate in scores.gates) + 2
    yield f"{'gate':<{wide}}{'good answers that it fails':<30}bad answers that it must fail and does"
    for gate in scores.gates:
        yield f"{_line(gate.gate):<{wide}}{rate(gate.over_blocked):<30}{rate(gate.caught)}"
        if verbose:
            yield from (_line(f"    fails {id_}") for id_ in gate.over_blocked_ids)
    yield ""
    yield f"{'gate':<{wide}}{'defect':<30}caught"
    for defect in scores.defects:
        yield f"{_line(defect.gate):<{wide}}{_line(defect.kind):<30}{rate(defect.caught)}"
        if verbose:
            yield from (_line(f"    passes {id_}") for id_ in defect.missed)


def _overview(dataset: "Dataset") -> Iterator[str]:
    yield _line(f"{dataset.name} {dataset.info.version}".rstrip() + f" ({dataset.info.licence or 'no licence given'})")
    if dataset.info.title:
        yield _line(dataset.info.title)
    yield f"content {dataset.digest}"
    yield ""
    yield f"{len(dataset.documents)} documents: {_counted(document.type for document in dataset.documents)}"
    yield f"  state: {_counted(document.state for document in dataset.documents)}"
    yield f"  tenant: {_counted(document.tenant for document in dataset.documents)}"
    yield f"{len(dataset.patients)} patients"
    families = {case.family: case for case in dataset.cases}
    yield f"{len(dataset.cases)} cases of {len(families)} families"
    for name in ("role", "kind", "answerability", "consequence", "audience"):
        yield f"  {name}: {_counted(str(getattr(case, name)) for case in dataset.cases)}"
    yield ""
    yield from _families(dataset)


def _families(dataset: "Dataset") -> Iterator[str]:
    from primum.records import Role

    variants: dict[str, list[Case]] = {}
    for case in dataset.cases:
        variants.setdefault(case.family, []).append(case)
    for role in Role:
        held = {family: cases for family, cases in variants.items() if cases[0].role is role}
        yield f"{role}: {sum(map(len, held.values()))} cases of {len(held)} families"
        for family, cases in sorted(held.items()):
            first = cases[0]
            named = ", ".join(case.variant for case in cases)
            yield _line(f"  {family} ({first.kind}, {first.answerability}, {first.consequence}): {named}")
    changes = [entry for entry in dataset.roles if entry.was is not None]
    if dataset.roles:
        yield f"changes of role: {len(changes) or 'none'}"
    for entry in changes:
        yield _line(f"  {entry.date} {entry.family}: {entry.was} to {entry.role}, by {entry.by}: {entry.reason}")


def _cases(dataset: "Dataset", case_id: str) -> Iterator[str]:
    from primum.errors import UsageError

    wanted = [case for case in dataset.cases if case_id in (case.id, case.family)]
    if not wanted:
        import difflib

        known = {case.id for case in dataset.cases} | {case.family for case in dataset.cases}
        close = difflib.get_close_matches(case_id, sorted(known), n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"list them with: primum datasets show {dataset.folder}"
        raise UsageError(f"{dataset.folder}: there is no case {case_id!r}; {hint}")
    for number, case in enumerate(wanted):
        if number:
            yield ""
        yield from _case(dataset, case)


def _case(dataset: "Dataset", case: "Case") -> Iterator[str]:
    scope = case.scope
    yield _line(f"{case.id} ({dataset.case_places[case.id]})")
    yield from _field("question", case.question)
    yield from _field("kind", f"{case.kind}, {case.answerability}, {case.consequence}, asked by a {case.audience}")
    yield from _field("role", case.role)
    for entry in dataset.roles:
        if entry.family == case.family:
            yield from _field("", f"{entry.date} {entry.role}, by {entry.by}: {entry.reason}")
    yield from _field("scope", f"tenant {scope.tenant}, patient {scope.patient_id or 'none'}")
    if scope.required_version is not None:
        yield from _field("", f"document version {scope.required_version}")
    yield from _field("expected", case.expected_behaviour)
    for name, statements in (("must have", case.must_have), ("nice to have", case.nice_to_have)):
        for statement in statements:
            yield from _field(name, statement)
    if case.reference_answer is not None:
        yield from _field("reference", case.reference_answer)
    yield from _field("disclaimer", "required" if case.disclaimer_required else "not required")
    yield from _evidence(dataset, case)
    yield from _answers(dataset, case)


def _evidence(dataset: "Dataset", case: "Case") -> Iterator[str]:
    from primum.corpus.chunking import Chunking
    from primum.datasets import ChunkFinder, resolve

    chunks = [chunk for document in dataset.documents for chunk in Chunking().chunk(document)]
    finder = ChunkFinder(chunks)
    judged = resolve([case], chunks, places=dataset.case_places)[case.id]
    yield f"evidence: {len(case.evidence)} labels" if case.evidence else "evidence: none"
    for label in case.evidence:
        yield from _label(label, finder)
    if judged.grades:
        yield f"judgments: {len(judged.grades)} chunks"
    for chunk_id, grade in sorted(judged.grades.items(), key=lambda item: (-item[1], item[0])):
        yield _line(f"  {grade}  {chunk_id}{'  required' if chunk_id in judged.required else ''}")


def _answers(dataset: "Dataset", case: "Case") -> Iterator[str]:
    from primum.datasets import load_recorded_answers

    for path in sorted((dataset.folder / "answers").glob("*.jsonl")):
        for answer in load_recorded_answers(path):
            if answer.case_id != case.id:
                continue
            defect = answer.defect
            fault = f": {defect.kind}, {defect.gate or defect.rubric} must object" if defect else ""
            yield _line(f"answer in {path.name}{fault}")
            yield from _wrapped(answer.text, indent=4)
            if defect is not None and defect.quote != answer.text:
                wrong = f'"{defect.quote}"' if defect.quote is not None else "something is missing"
                right = f', right: "{defect.replaces}"' if defect.replaces else ""
                yield from _wrapped(f"wrong: {wrong}{right}", indent=4)


def _label(label: "EvidenceLabel", finder: "ChunkFinder") -> Iterator[str]:
    found = finder.find(label.document_id, label.document_version, quote=label.quote, chunk_id=label.chunk_id)
    required = ", required" if label.required else ""
    places = ", ".join(chunk.heading or "before the first heading" for chunk in found)
    yield _line(f"  grade {label.grade}{required}: {label.document_id}@{label.document_version}, {places}")
    quoted = label.quote if label.quote is not None else " ".join(chunk.text for chunk in found)
    yield from _wrapped(f'"{quoted}"', indent=4)


def _field(name: str, text: str) -> Iterator[str]:
    first, *rest = list(_wrapped(text, indent=14))
    yield f"{name:<14}{first[14:]}"
    yield from rest


def _wrapped(text: str, indent: int) -> Iterator[str]:
    import textwrap

    from primum.report.text import LIMIT, one_line

    safe = one_line(text, LIMIT)
    lines = textwrap.wrap(safe, _WIDTH - indent, break_on_hyphens=False) or [""]
    yield from (" " * indent + line for line in lines)


def _line(text: str) -> str:
    from primum.report.text import LIMIT, one_line

    safe = one_line(text, LIMIT)
    indent = len(text) - len(text.lstrip(" "))
    return " " * indent + safe


def _counted(values: Iterable[str]) -> str:
    found = Counter(str(value) for value in values)
    return _line(", ".join(f"{value} {number}" for value, number in sorted(found.items())))
