"""What a release decision rests on, all of it: two equal locks judge the same thing by the same means."""

from collections.abc import Mapping

from pydantic import Field, JsonValue

from primum.records.base import Record


class Lock(Record):
    """The content of ``primum.lock.json``. Digests are SHA-256 in hexadecimal."""

    format: int = Field(default=1, ge=1, le=1)
    primum: str
    """Version of Primum."""
    dataset: str
    """Digest of every file of the dataset."""
    corpus: str
    """Digest of the chunks."""
    policy: str
    gates: Mapping[str, str]
    """Version of each gate."""
    rubrics: Mapping[str, str]
    """Hash of each rubric that is judged."""
    prompts: Mapping[str, str]
    """Hash of what each model judge is told, by judge and rubric; empty without a model."""
    generators: Mapping[str, str]
    """Fingerprint of each system's generator: its model and settings, its code, or its recorded answers."""
    settings: Mapping[str, JsonValue]
    """The settings that results depend on, free of secrets."""
    packages: Mapping[str, str]
    """Version of each package that is imported when this project runs."""
