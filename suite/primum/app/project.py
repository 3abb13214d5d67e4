"""A project: its settings with the documents, chunks, cases and labels that they name."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from primum.app.checks import check_names, check_secrets
from primum.config import Settings, load_settings
from primum.corpus.chunking import Chunking
from primum.datasets import ChunkFinder, Dataset, load_dataset, resolve
from primum.digest import digest
from primum.errors import ConfigError, DatasetError, RankingError, at
from primum.evaluation import Eligibility
from primum.evaluation.ranked import ChunkText
from primum.metrics import Judgments, Measure, Unjudged, default_measures, parse_measure, score_ranking
from primum.records import Case, Chunk


@dataclass(frozen=True, kw_only=True)
class Project:
    """Everything that a run reads and nothing that it makes."""

    path: Path
    """The project file."""
    settings: Settings
    dataset: Dataset
    cases: tuple[Case, ...]
    """The cases of the roles that are run, ordered by id."""
    chunks: tuple[Chunk, ...]
    judgments: Mapping[str, Judgments]
    """By case id, for the cases that have relevant evidence."""
    measures: tuple[Measure, ...]
    """Those that a run shows."""
    eligibility: Eligibility

    @property
    def root(self) -> Path:
        """The folder that paths in the project file are relative to."""
        return self.path.parent

    @cached_property
    def all_cases(self) -> Mapping[str, Case]:
        """Every case of the dataset by id, whatever its role."""
        return {case.id: case for case in self.dataset.cases}

    @cached_property
    def corpus_digest(self) -> str:
        """Digest of all chunks, eligible or not."""
        return digest([chunk.content() for chunk in self.chunks])

    @cached_property
    def finder(self) -> ChunkFinder:
        """Finds chunks by words of their documents."""
        return ChunkFinder(self.chunks)

    @cached_property
    def every_measure(self) -> tuple[Measure, ...]:
        """Every measure at every cutoff, then those that a run shows and that are not among them."""
        everywhere = default_measures(self.settings.retrieval.shown_cutoffs)
        return tuple(dict.fromkeys((*everywhere, *self.measures)))

    def look_up(self, chunk_id: str) -> ChunkText | None:
        """What is shown of a chunk."""
        chunk = self._by_id.get(chunk_id)
        if chunk is None:
            return None
        return ChunkText(document_id=chunk.key.document_id, title=chunk.title, heading=chunk.heading, text=chunk.text)

    @cached_property
    def _by_id(self) -> Mapping[str, Chunk]:
        return {chunk.id: chunk for chunk in self.chunks}

    def rank_measures(
        self, case: Case, ranked: Sequence[str], measures: Iterable[Measure] | None = None
    ) -> dict[Measure, float | None]:
        """The rank measures of one case; empty when it has no relevant evidence.

        Args:
            case: One of `cases`.
            ranked: Ids as they were retrieved.
            measures: Instead of those that a run shows.

        Raises:
            RankingError: the ranking cannot be scored, such as when it holds a chunk twice.
        """
        judgments = self.judgments.get(case.id)
        if judgments is None:
            return {}
        try:
            return score_ranking(self.measures if measures is None else measures, ranked, judgments)
        except RankingError as error:
            fix = (
                f"; label it, or set dataset: {{unjudged: irrelevant}} in {self.path}"
                if error.code == "unjudged_result"
                else ""
            )
            raise RankingError(f"case {case.id}: {error}{fix}", code=error.code) from None


def load_project(path: Path) -> Project:
    """Reads the project file and all that it names.

    Raises:
        ConfigError: the project file is wrong.
        DatasetError: the dataset is wrong, with every mistake and its place.
    """
    settings = load_settings(path)
    check_secrets(path, settings)
    check_names(path, settings)
    dataset = load_dataset(path.parent / settings.dataset.path)
    chunking = Chunking(max_characters=settings.chunking.max_characters)
    chunks = tuple(chunk for document in dataset.documents for chunk in chunking.chunk(document))
    # Labels of all cases are resolved, so that a broken one is told whichever roles are run.
    labels = resolve(dataset.cases, chunks, places=dataset.case_places)
    cases = tuple(
        sorted((case for case in dataset.cases if case.role in settings.dataset.roles), key=lambda case: case.id)
    )
    if not cases:
        roles = ", ".join(settings.dataset.roles)
        raise DatasetError(f"{dataset.folder}: no case has a role of {roles}; change dataset.roles or the cases' roles")
    unjudged = Unjudged(settings.dataset.unjudged)
    eligibility = Eligibility(chunks)
    judgments = {
        case.id: Judgments(
            grades=label.grades,
            required=label.required,
            forbidden=eligibility.forbidden(case.scope),
            unjudged=unjudged,
        )
        for case in cases
        if any((label := labels[case.id]).grades.values())
    }
    return Project(
        path=path,
        settings=settings,
        dataset=dataset,
        cases=cases,
        chunks=chunks,
        judgments=judgments,
        measures=_measures(path, settings),
        eligibility=eligibility,
    )


def _measures(path: Path, settings: Settings) -> tuple[Measure, ...]:
    try:
        return tuple(parse_measure(text) for text in settings.retrieval.measures)
    except RankingError as error:
        raise ConfigError(f"{at(path)}: retrieval.measures: {error}") from None
