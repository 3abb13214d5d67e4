"""Rubric files: Markdown with YAML front matter, strictly read."""

import re
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self

from pydantic import Field, StringConstraints, ValidationError, model_validator

from primum.digest import sha256_text
from primum.errors import ConfigError, at
from primum.records import KeyField, Outcome, Record
from primum.resources import shipped

_FENCE: Final = "---"
_Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,39}$")]


class Need(StrEnum):
    """A part of the exchange or of the answer key that a judge of the rubric is shown beside the answer."""

    QUESTION = "question"
    CONTEXT = "context"
    REFERENCE = "reference"
    STATEMENTS = "statements"
    CITATIONS = "citations"
    """For the scale ``claims``: a claim is supported only by the passages that it cites."""


class Rubric(Record):
    """What is judged, in words, and how labels become a score."""

    id: _Name
    version: int = Field(ge=1)
    """Raised with every change of the file."""
    title: str = Field(min_length=1)
    scale: Literal["claims", "statements", "labels"]
    """claims: each claim of the answer gets a label; statements: each statement of the answer key that an answer must
    make gets one; labels: the whole answer gets one."""
    labels: Mapping[_Name, float] = {}
    """For the scale ``labels``: the label that a judge may give and the score in [0, 1] that it stands for."""
    applies_to: frozenset[Outcome] = Field(min_length=1)
    """Outcomes that are judged; all others are not applicable."""
    needs: frozenset[Need]
    pass_at: float = Field(ge=0, le=1)
    """Lowest score that passes."""
    text: str = Field(min_length=1)
    """The instructions, shown to a judge to the letter."""
    hash: str
    """SHA-256 of the whole file, with line ends as ``\\n``."""

    @model_validator(mode="after")
    def _labels_fit_the_scale(self) -> Self:
        if (self.scale == "labels") != bool(self.labels):
            raise ValueError("labels are given for the scale 'labels', and only for it")
        if self.labels and (len(self.labels) < 2 or min(self.labels.values()) < 0 or max(self.labels.values()) > 1):
            raise ValueError("labels need at least two names, each with a score from 0 to 1")
        return self

    @model_validator(mode="after")
    def _needs_fit_the_scale(self) -> Self:
        wanted = {"claims": Need.CONTEXT, "statements": Need.STATEMENTS}.get(self.scale)
        if wanted is not None and wanted not in self.needs:
            raise ValueError(f"the scale {self.scale} needs {wanted}; add it to needs")
        if Need.STATEMENTS in self.needs and self.scale != "statements":
            raise ValueError(f"statements are judged one by one; write scale: statements, not {self.scale}")
        if Need.CITATIONS in self.needs and self.scale != "claims":
            raise ValueError(f"citations are judged claim by claim; write scale: claims, not {self.scale}")
        return self

    @property
    def key_needs(self) -> frozenset[KeyField]:
        """The parts of the answer key that a judge of this rubric asks for."""
        asked = {Need.REFERENCE: KeyField.REFERENCE, Need.STATEMENTS: KeyField.STATEMENTS}
        return frozenset(field for need, field in asked.items() if need in self.needs)


def load_rubric(path: Path) -> Rubric:
    """Reads one rubric file.

    Raises:
        ConfigError: the file cannot be read or is wrong, with file and line.
    """
    try:
        text = path.read_bytes().decode("utf-8").replace("\r\n", "\n")
    except OSError as error:
        raise ConfigError(f"{at(path)}: the rubric cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{at(path)}: the rubric is not UTF-8 (byte {error.start}); save it as UTF-8") from None
    return parse_rubric(text, path)


def parse_rubric(text: str, path: Path) -> Rubric:
    """The rubric in `text`; `path` stands in messages only. Raises ConfigError as `load_rubric` does."""
    from primum.yamltext import YamlTextError, parse_yaml

    lines = text.split("\n")
    if lines[0].rstrip() != _FENCE or _FENCE not in [line.rstrip() for line in lines[1:]]:
        raise ConfigError(f"{at(path, 1)}: a rubric starts with front matter between two lines of {_FENCE}")
    end = next(number for number, line in enumerate(lines[1:], 1) if line.rstrip() == _FENCE)
    body = "\n".join(lines[end + 1 :]).strip()
    if not body:
        raise ConfigError(f"{at(path, end + 1)}: the rubric has no text after its front matter; say what is judged")
    # The front matter is parsed after one empty line, so that its lines count from the top of the file.
    try:
        front = parse_yaml("\n" + "\n".join(lines[1:end]))
    except YamlTextError as error:
        raise ConfigError(f"{at(path, error.line, error.column)}: {error}") from None
    if not isinstance(front.data, dict):
        raise ConfigError(f"{at(path, 2)}: the front matter holds no settings; it needs at least id, version and scale")
    taken = sorted({"text", "hash"} & set(front.data))
    if taken:
        raise ConfigError(f"{at(path, *front.position(taken[:1]))}: {taken[0]} is not a setting; leave it out")
    given: dict[str, Any] = {**front.data, "text": body, "hash": sha256_text(text)}
    try:
        return Rubric.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        name = ".".join(str(part) for part in first["loc"])
        message = re.sub(r"^Value error, ", "", first["msg"])
        place = at(path, *front.position(first["loc"]))
        raise ConfigError(f"{place}: {name + ': ' if name else ''}{message}") from None


def shipped_rubrics() -> Mapping[str, Rubric]:
    """The rubrics that come with Primum, by id."""
    return load_rubrics(shipped("rubrics"))


def load_rubrics(folder: Path, *, only: Path | None = None) -> Mapping[str, Rubric]:
    """All rubric files of a folder, or one of them, by id; the file's name is the rubric's id.

    Raises:
        ConfigError: a file is wrong, or is not named after its id.
    """
    found: dict[str, Rubric] = {}
    for path in rubric_files(folder) if only is None else (only,):
        rubric = load_rubric(path)
        if path.stem != rubric.id:
            raise ConfigError(f"{at(path)}: the file of the rubric {rubric.id} must be called {rubric.id}.md")
        found[rubric.id] = rubric
    return found


def rubric_files(folder: Path) -> tuple[Path, ...]:
    """The rubric files (``*.md`` but ``README.md``) of a folder, in the order of their names."""
    return tuple(path for path in sorted(folder.glob("*.md")) if path.name != "README.md")
