"""The counts of a datasheet, written by code so that they cannot drift from the files.

``python -m primum.datasets.datasheet FOLDER`` writes them between two marks in the ``README.md`` of a dataset or of a
judge qualification set.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

from primum.datasets.load import Dataset, load_dataset, load_recorded_answers
from primum.datasets.qualification import TWINS, load_twins, twin_counts
from primum.errors import DatasetError, UsageError, at
from primum.records import Case, PublicationState

BEGIN: Final = "<!-- counts:begin -->"
END: Final = "<!-- counts:end -->"

_CASE_TABLES: Final[tuple[tuple[str, Callable[[Case], str]], ...]] = (
    ("role", lambda case: case.role),
    ("kind", lambda case: case.kind),
    ("answerability", lambda case: case.answerability),
    ("consequence", lambda case: case.consequence),
    ("audience", lambda case: case.audience),
    ("variant", lambda case: case.variant),
)


def counts(dataset: Dataset) -> str:
    """What the dataset holds as Markdown tables: documents by type and state, cases and families by each label.

    Recorded answers are counted by file, those with a labelled defect by its kind too.

    Raises:
        DatasetError: a file of recorded answers is wrong.
    """
    parts = [_documents(dataset)]
    parts += [_cases(dataset.cases, name, label) for name, label in _CASE_TABLES]
    return "\n\n".join([*parts, *_answers(dataset)])


def counts_of(folder: Path) -> str:
    """The counts of a dataset folder, or of a qualification folder, which holds ``twins.jsonl``.

    Raises:
        DatasetError: the folder's files are wrong.
    """
    if (folder / TWINS).is_file():
        return twin_counts(load_twins(folder))
    return counts(load_dataset(folder))


def with_counts(text: str, tables: str, path: Path) -> str:
    """The datasheet `text` with `tables` between its marks.

    Raises:
        DatasetError: the marks are not there, once each and in order; names `path`.
    """
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end) or BEGIN in rest or END in before + after:
        raise DatasetError(f"{at(path)}: write {BEGIN} and {END} once each, where the counts belong")
    return f"{before}{begin}\n{tables}\n{end}{after}"


def write_counts(folder: Path) -> bool:
    """Writes the counts into the folder's ``README.md``; whether that changed it.

    Raises:
        DatasetError: the files are wrong, or the datasheet is missing or has no marks.
    """
    path = folder / "README.md"
    if not path.is_file():
        raise DatasetError(f"{at(path)}: there is no datasheet; write one with {BEGIN} and {END} in it")
    text = path.read_text(encoding="utf-8")
    new = with_counts(text, counts_of(folder), path)
    if new != text:
        path.write_text(new, encoding="utf-8", newline="\n")
    return new != text


def main(arguments: Sequence[str]) -> None:
    """Writes the counts of the dataset folder that is given."""
    if len(arguments) != 1:
        raise UsageError("give one dataset folder: python -m primum.datasets.datasheet FOLDER")
    write_counts(Path(arguments[0]))


def _documents(dataset: Dataset) -> str:
    states = [state for state in PublicationState if any(document.state is state for document in dataset.documents)]
    found = Counter((document.type, document.state) for document in dataset.documents)
    rows = [
        (kind, *(str(found[kind, state]) for state in states), str(sum(found[kind, state] for state in states)))
        for kind in sorted({document.type for document in dataset.documents})
    ]
    total = ("all", *(str(sum(found[row[0], state] for row in rows)) for state in states), str(len(dataset.documents)))
    return _table(("document type", *states, "all"), [*rows, total])


def _cases(cases: Iterable[Case], name: str, label: Callable[[Case], str]) -> str:
    numbers = Counter[str]()
    families: dict[str, set[str]] = {}
    for case in cases:
        value = str(label(case))
        numbers[value] += 1
        families.setdefault(value, set()).add(case.family)
    rows = [(value, str(numbers[value]), str(len(families[value]))) for value in sorted(numbers)]
    everything = set[str]().union(*families.values())
    return _table((name, "cases", "families"), [*rows, ("all", str(numbers.total()), str(len(everything)))])


def _answers(dataset: Dataset) -> list[str]:
    files: list[tuple[str, ...]] = []
    defects = Counter[tuple[str, str]]()
    for path in sorted((dataset.folder / "answers").glob("*.jsonl")):
        answers = load_recorded_answers(path)
        bad = [answer.defect for answer in answers if answer.defect is not None]
        files.append((f"`{path.name}`", str(len(answers)), str(len(answers) - len(bad)), str(len(bad))))
        defects.update((defect.kind, defect.gate or f"{defect.rubric} (rubric)") for defect in bad)
    if not files:
        return []
    tables = [_table(("recorded answers", "all", "good", "with a labelled defect"), files)]
    if defects:
        rows = [(kind, who, str(number)) for (kind, who), number in sorted(defects.items())]
        tables.append(_table(("defect", "who must object", "answers"), [*rows, ("all", "", str(defects.total()))]))
    return tables


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", r"\|") for cell in line) + " |" for line in lines)


if __name__ == "__main__":
    main(sys.argv[1:])
