"""Makes the parts that the settings name. Heavy clients are imported when a part that needs them is made."""

from pathlib import Path

from primum.app.project import Project
from primum.app.rubrics import known_rubrics
from primum.config.settings import (
    CallableSettings,
    ChatSettings,
    ExtractiveSettings,
    GeneratorSettings,
    JudgeSettings,
    LiteLLMEmbedderSettings,
    ModelSettings,
    RecordedSettings,
)
from primum.corpus import QdrantSettings
from primum.endpoint import Endpoint
from primum.endpoint.local_model import require_installed
from primum.protocols import Embedder, Gate, Generator, Judge


def embedder(project: Project) -> Embedder:
    """The configured embedder."""
    settings = project.settings.index.embedder
    if isinstance(settings, LiteLLMEmbedderSettings):
        from primum.corpus.embedders.litellm import LiteLLMEmbedder

        return LiteLLMEmbedder(settings.model.endpoint(), dimension=settings.dimension)
    from primum.corpus.embedders.minilm import MiniLMEmbedder

    return MiniLMEmbedder()


def index_place(project: Project, output: Path) -> QdrantSettings:
    """Where the collection is; a relative folder lies under the output folder."""
    settings = project.settings.index
    return QdrantSettings(
        memory=settings.memory,
        path=output / settings.path if settings.path else None,
        url=settings.url,
        collection=settings.collection,
        api_key_env=settings.api_key_env,
    )


def generator(project: Project, settings: GeneratorSettings) -> Generator:
    """The configured generator."""
    match settings:
        case ExtractiveSettings():
            from primum.generation.extractive import ExtractiveGenerator

            return ExtractiveGenerator()
        case ChatSettings(model=model):
            from primum.generation.chat import ChatGenerator

            return ChatGenerator(_endpoint(model))
        case RecordedSettings(path=path):
            from primum.app.recorded import recorded_generator

            return recorded_generator(project, project.root / path)
        case CallableSettings(function=function, timeout_seconds=seconds):
            from primum.generation.callable import CallableGenerator

            return CallableGenerator.from_path(function, folder=project.root, timeout_seconds=seconds)


def _endpoint(model: ModelSettings) -> Endpoint:
    """How a chat model is asked; raises MissingDependencyError when it would run here and is not installed."""
    require_installed(model.name)
    return model.endpoint()


def describe(settings: GeneratorSettings) -> str:
    """What answers, in words for people."""
    match settings:
        case ExtractiveSettings():
            return "extractive baseline (quotes sentences, no model)"
        case ChatSettings(model=model):
            return f"chat model {model.name}"
        case RecordedSettings(path=path):
            return f"recorded answers ({path})"
        case CallableSettings(function=function):
            return f"Python function {function}"


def gates(project: Project | None = None) -> tuple[Gate, ...]:
    """All gates, with the formulary that a project names; there is no setting that leaves one out."""
    from primum_safety import default_gates, read_formulary

    if project is None or project.settings.formulary is None:
        return default_gates()
    return default_gates(read_formulary(project.root / project.settings.formulary))


def judges(project: Project) -> tuple[Judge, ...]:
    """The configured judges, one per model and rubric."""
    return judges_of(project.settings.judges, project.root)


def judges_of(settings: JudgeSettings, root: Path) -> tuple[Judge, ...]:
    """The judges that settings name; `root` is the folder that their paths are relative to."""
    from primum_judges import lexical_judges, model_judges

    rubrics = known_rubrics(settings, root)
    chosen = [rubrics[name] for name in settings.rubrics]
    if settings.model is None:
        return lexical_judges(chosen)
    return tuple(
        judge for model in settings.models for judge in model_judges(_endpoint(model), chosen, mode=settings.mode)
    )
