"""What a dataset says about itself, in ``dataset.yaml``."""

import json
from pathlib import Path

from pydantic import Field

from primum.datasets.problems import Problems
from primum.datasets.text import read_lines
from primum.datasets.validation import Location, validate_json
from primum.errors import at
from primum.records import Record
from primum.yamltext import YamlTextError, parse_yaml


class DatasetInfo(Record):
    """The optional ``dataset.yaml`` of a dataset folder."""

    name: str = Field(min_length=1)
    title: str = ""
    version: str = ""
    licence: str = ""
    banner: str | None = None
    """Words that every document must carry, such as ``Synthetic, not for care``; white space does not count."""


def collect_info(folder: Path, problems: Problems) -> DatasetInfo:
    """What the folder's ``dataset.yaml`` says; without one, the folder's name and nothing else."""
    path = folder / "dataset.yaml"
    fallback = DatasetInfo(name=folder.resolve().name or "dataset")
    if not path.exists():
        return fallback
    lines = read_lines(path, problems)
    if not lines or None in lines:
        return fallback
    try:
        yaml = parse_yaml("\n".join(line for line in lines if line is not None))
    except YamlTextError as error:
        problems.error(at(path, error.line, error.column), str(error), "mend the file")
        return fallback

    def place(location: Location) -> str:
        return at(path, *yaml.position(location))

    try:
        content = json.dumps(yaml.data, allow_nan=False)
    except ValueError:
        problems.error(at(path), "the file holds NaN or an infinity", "write text")
        return fallback
    return validate_json(content, DatasetInfo, problems, place) or fallback
