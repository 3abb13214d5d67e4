"""What a run set out to do, and how it ended; written beside its observations."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Self

from pydantic import Field, JsonValue, model_validator

from primum.records.base import Record

RUN_ID = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"


class SystemPlan(Record):
    """One system under test and how often it is to be observed."""

    id: str = Field(min_length=1)
    retriever: str
    """Fingerprint of the retriever."""
    generator: str
    """Fingerprint of the generator."""
    planned: int = Field(ge=0)
    """Observations planned: cases times repetitions."""


class RunManifest(Record):
    """Everything that fixes what a run measures; a run is resumed only under an equal one."""

    run: str = Field(pattern=RUN_ID)
    """The run's id, such as ``20261130-074512-ab12cd``."""
    created_at: str
    """UTC, ISO 8601."""
    primum_version: str
    config_digest: str
    dataset_digest: str
    corpus_digest: str
    index_fingerprint: str
    policy_digest: str
    systems: tuple[SystemPlan, ...] = Field(min_length=1)
    seed: int
    command: tuple[str, ...] = ()
    """The command line, free of secrets."""
    settings: Mapping[str, JsonValue] = {}
    """Further settings that were really used, free of secrets."""

    @model_validator(mode="after")
    def _distinct_systems(self) -> Self:
        ids = [system.id for system in self.systems]
        if len(set(ids)) != len(ids):
            raise ValueError("the systems of a run have distinct ids")
        return self


class RunStatus(StrEnum):
    """How a run ended."""

    COMPLETED = "completed"
    INTERRUPTED = "interrupted"
    FAILED = "failed"


class RunEnd(Record):
    """That a run ended, with what was stored by then, so that a loss can be noticed later."""

    run: str
    finished_at: str
    """UTC, ISO 8601."""
    status: RunStatus
    observations: int = Field(ge=0)
    gate_reports: int = Field(ge=0)
    verdicts: int = Field(ge=0)
    decisions: int = Field(ge=0)
