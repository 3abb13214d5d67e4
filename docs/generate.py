"""Writes the tables of docs/configuration.md from the code that reads ``primum.yaml``: ``python docs/generate.py``.

Settings, defaults, choices, bounds and explanations are read from the source and written between marks; the text around
them is people's. A test checks that the tables are what this script makes.
"""

import ast
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

DOCS: Final = Path(__file__).resolve().parent
SOURCES: Final = (
    "policy.py",
    "records/case.py",
    "records/qualification.py",
    "config/retrieval.py",
    "config/settings.py",
)
"""Where the settings are, below suite/primum; later files use names of earlier ones."""
CHOICES: Final = ("Role", "Consequence", "ProbeGroup")
"""Of the records, those that settings choose from."""
PAGE: Final = DOCS / "configuration.md"
MARKED: Final = re.compile(r"(<!-- settings:begin (\w+) -->\n).*?(<!-- settings:end -->)", re.DOTALL)
HEADED: Final = re.compile(r"^#+ (.+)\n\n<!-- settings:begin (\w+) -->", re.MULTILINE)
MORE: Final = {
    "Settings.version": "Version of the file's format.",
    "Settings.name": "What the project is called.",
    "Settings.title": "A longer name, for people.",
    "Settings.seed": "Stored with each run. No result depends on it yet.",
    "Settings.dataset": "Cases and documents.",
    "Settings.chunking": "How documents are cut.",
    "Settings.index": "Where the chunks are indexed. Required, also where `retrieval.kind` does not use it.",
    "Settings.retrieval": "How passages are found.",
    "Settings.systems": "The systems under test, by name.",
    "Settings.repetitions": "How often each system is asked each case.",
    "Settings.concurrency": "How many questions are asked at once.",
    "Settings.judges": "What is judged, and by what.",
    "Settings.policy": "What a release needs.",
    "ModelSettings.api_base": "Address of an OpenAI-compatible server; none: the provider's own.",
    "ModelSettings.api_key_env": "The variable that holds the key.",
    "ModelSettings.timeout_seconds": "Deadline of one request.",
    "ChunkingSettings.max_characters": "Most characters of a chunk.",
    "LiteLLMEmbedderSettings.model": "The embedding model.",
    "LiteLLMEmbedderSettings.dimension": "Length of its vectors.",
    "IndexSettings.path": "A relative one lies in the `output` folder.",
    "IndexSettings.api_key_env": "The variable that holds the key of the Qdrant server.",
    "IndexSettings.collection": "Name of the collection.",
    "IndexSettings.embedder": "What turns text into vectors.",
    "RetrievalBase.measures": "The forms are below.",
    "SystemSettings.generator": "What answers.",
    "ChatSettings.model": "The chat model.",
    "RecordedSettings.path": "A file of [recorded answers](datasets.md#recorded-answers).",
    "CallableSettings.function": "The project file's folder is searched for the module, after the usual places.",
    "JudgeSettings.rubrics": "The rubrics are below.",
    "JudgeSettings.mode": "`json` asks in words, for servers that know neither tools nor schemas.",
    "JudgeSettings.repetitions": "Verdicts of each judge on each answer.",
}
"""What the source does not say of a setting, to follow what it says."""

_KINDS: Final = {
    "str": "text",
    "int": "whole number",
    "float": "number",
    "Decimal": "number",
    "bool": "`true` or `false`",
    "JsonValue": "any value",
}


@dataclass(frozen=True, kw_only=True)
class Field:
    """One setting, as the source has it."""

    name: str
    annotation: ast.expr
    default: ast.expr | None
    """None when the setting is required."""
    bounds: ast.Call | None
    said: str
    """Its docstring."""


@dataclass(frozen=True, kw_only=True)
class Source:
    """What the modules define, by name."""

    classes: dict[str, ast.ClassDef]
    values: dict[str, ast.expr]
    """Module-level names, such as type aliases and constants."""
    titles: dict[str, str]
    """The heading that each class has on the page."""

    def fields(self, name: str) -> list[Field]:
        """The settings of a class, in order."""
        body = self.classes[name].body
        return [
            _field(node, body[index + 1] if index + 1 < len(body) else None)
            for index, node in enumerate(body)
            if isinstance(node, ast.AnnAssign)
        ]

    def settings(self) -> list[str]:
        """The names of the classes that stand for a part of the file."""
        made_from = {"Record", *self.classes}
        return [name for name, node in self.classes.items() if made_from & set(map(ast.unparse, node.bases))]


def read_source(page: str) -> Source:
    """The modules that say what may stand in the file, and where `page` explains it."""
    classes: dict[str, ast.ClassDef] = {}
    values: dict[str, ast.expr] = {}
    for name in SOURCES:
        text = (DOCS.parent / "suite" / "primum" / name).read_text(encoding="utf-8")
        for node in ast.parse(text).body:
            if isinstance(node, ast.ClassDef) and (node.name in CHOICES or not name.startswith("records/")):
                classes[node.name] = node
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                values[node.targets[0].id] = node.value
    return Source(classes=classes, values=values, titles={name: title for title, name in HEADED.findall(page)})


def with_tables(text: str) -> str:
    """The page `text` with each table as the source has it.

    Raises:
        ValueError: a class or a setting is named that the source does not have.
    """
    source = read_source(text)
    known = {f"{name}.{field.name}" for name in source.settings() for field in source.fields(name)}
    if unknown := sorted(set(MORE) - known):
        raise ValueError(f"MORE explains {', '.join(unknown)}, which the settings do not have; remove it")
    return MARKED.sub(lambda match: f"{match[1]}{_section(source, match[2])}\n{match[3]}", text)


def _section(source: Source, name: str) -> str:
    said = _plain(ast.get_docstring(source.classes[name]) or "")
    rows = [
        (
            f"`{field.name}`",
            _default(source, field),
            _allowed(source, field.annotation, field.bounds),
            f"{field.said} {MORE.get(f'{name}.{field.name}', '')}".strip(),
        )
        for field in source.fields(name)
        if not _is_tag(field)
    ]
    if empty := [row[0] for row in rows if not row[3]]:
        raise ValueError(f"{name}: nothing says what {', '.join(empty)} is for; add a docstring, or an entry of MORE")
    if not rows:
        return said
    lines = [("setting", "default", "allowed", "what"), ("---",) * 4, *rows]
    table = "\n".join("| " + " | ".join(cell.replace("|", r"\|") for cell in line) + " |" for line in lines)
    return f"{said}\n\n{table}"


def _field(node: ast.AnnAssign, after: ast.stmt | None) -> Field:
    call = node.value if isinstance(node.value, ast.Call) and ast.unparse(node.value.func) == "Field" else None
    default = next((word.value for word in call.keywords if word.arg == "default"), None) if call else node.value
    docstring = after.value if isinstance(after, ast.Expr) else None
    return Field(
        name=ast.unparse(node.target),
        annotation=node.annotation,
        default=default,
        bounds=call,
        said=_plain(str(docstring.value)) if isinstance(docstring, ast.Constant) else "",
    )


def _plain(docstring: str) -> str:
    return " ".join(docstring.replace("``", "`").split())


def _default(source: Source, field: Field) -> str:
    node = field.default
    if node is None:
        return "required"
    if isinstance(node, ast.Name):
        node = source.values[node.id]
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "Decimal":
        node = node.args[0]
    if isinstance(node, ast.Call):
        kind = next((f.default for f in source.fields(ast.unparse(node.func)) if _is_tag(f)), None)
        return f"`{{kind: {_yaml(source, kind)}}}`" if kind is not None else "its defaults"
    return f"`{text}`" if (text := _yaml(source, node)) else "none"


def _yaml(source: Source, node: ast.expr) -> str:
    """A default as it would stand in the file; empty for None and for an empty text."""
    match node:
        case ast.Constant(value=bool() as value):
            return str(value).lower()
        case ast.Constant(value=value):
            return "" if value is None else str(value)
        case ast.Tuple(elts=items):
            return f"[{', '.join(_yaml(source, item) for item in items)}]"
        case ast.Attribute(value=ast.Name(id=enum), attr=member):
            return _members(source, enum)[member]
        case ast.Dict(keys=keys, values=values):
            entries = (
                f"{_yaml(source, key)}: {_yaml(source, value)}" for key, value in zip(keys, values, strict=True) if key
            )
            return f"{{{', '.join(entries)}}}"
        case _:
            raise ValueError(f"a default of the form {ast.unparse(node)} is new; teach docs/generate.py to show it")


def _members(source: Source, enum: str) -> dict[str, str]:
    return {
        ast.unparse(node.targets[0]): str(ast.literal_eval(node.value))
        for node in source.classes[enum].body
        if isinstance(node, ast.Assign)
    }


def _allowed(source: Source, node: ast.expr, bounds: ast.Call | None = None) -> str:
    """What may stand there, in words."""
    match node:
        case ast.Name(id=name) if name in _KINDS:
            return f"{_KINDS[name]}{_limits(bounds)}"
        case ast.Name(id=name) if name in source.values:
            return _allowed(source, source.values[name])
        case ast.Name(id=name) if name in source.settings():
            return f"[{source.titles[name]}](#{_anchor(source.titles[name])})"
        case ast.Name(id=name):
            return _choices(_members(source, name).values())
        case ast.BinOp(left=left, right=right):
            parts = [part for part in (left, right) if ast.unparse(part) != "None"]
            return ", ".join(_allowed(source, part, bounds) for part in parts)
        case ast.Subscript(value=ast.Name(id="Literal"), slice=items):
            return _choices(str(ast.literal_eval(item)) for item in _items(items))
        case ast.Subscript(value=ast.Name(id="Annotated"), slice=ast.Tuple(elts=[kind, ast.Call() as rules])):
            return _allowed(source, kind, rules)
        case ast.Subscript(value=ast.Name(id="tuple"), slice=items):
            return f"list of {_allowed(source, _items(items)[0])}{_limits(bounds)}"
        case ast.Subscript(value=ast.Name(id="Mapping"), slice=items):
            key, value = _items(items)
            return f"mapping from {_allowed(source, key)} to {_allowed(source, value)}{_limits(bounds)}"
        case _:
            raise ValueError(f"a setting of the form {ast.unparse(node)} is new; teach docs/generate.py to show it")


def _items(node: ast.expr) -> Sequence[ast.expr]:
    return node.elts if isinstance(node, ast.Tuple) else [node]


def _choices(values: Iterable[str]) -> str:
    return ", ".join(f"`{value}`" for value in values)


def _anchor(title: str) -> str:
    return re.sub(r"[^\w -]", "", title).replace(" ", "-")


def _is_tag(field: Field) -> bool:
    """Whether it only tells kinds apart; the heading says it."""
    return field.name == "kind" and not re.search("[,|]", ast.unparse(field.annotation))


def _limits(call: ast.Call | None) -> str:
    rules = {word.arg: ast.literal_eval(word.value) for word in call.keywords if word.arg in _RULES} if call else {}
    if "pattern" in rules:
        return f" like `{rules['pattern']}`"
    low = f"from {rules['ge']}" if "ge" in rules else f"above {rules['gt']}" if "gt" in rules else ""
    high = f"to {rules['le']}" if "le" in rules else f"to below {rules['lt']}" if "lt" in rules else ""
    least = "not empty" if "min_length" in rules else ""
    return "".join(f" {part}" if part != least else f", {part}" for part in (low, high, least) if part)


_RULES: Final = ("pattern", "ge", "gt", "le", "lt", "min_length")


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
