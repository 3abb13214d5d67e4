"""LLM judges with isolated rubrics, and a deterministic lexical judge; each implements `primum.protocols.Judge`.

Importing this package loads neither litellm nor instructor; the first call of a model does.
"""

from collections.abc import Iterable

from primum.endpoint import Endpoint
from primum.protocols import Judge
from primum_judges.completeness import CompletenessJudge
from primum_judges.faithfulness import FaithfulnessJudge
from primum_judges.lexical import LexicalJudge
from primum_judges.model_judge import ModelJudge
from primum_judges.relevance import RelevanceJudge
from primum_judges.rubric import Rubric, load_rubric, load_rubrics, shipped_rubrics
from primum_judges.structured import Mode

__all__ = [
    "CompletenessJudge",
    "FaithfulnessJudge",
    "LexicalJudge",
    "Mode",
    "RelevanceJudge",
    "Rubric",
    "lexical_judges",
    "load_rubric",
    "load_rubrics",
    "model_judges",
    "shipped_rubrics",
]


def lexical_judges(rubrics: Iterable[Rubric]) -> tuple[Judge, ...]:
    """A lexical judge for each rubric; raises ConfigError for a rubric that it cannot estimate."""
    return tuple(LexicalJudge(rubric) for rubric in rubrics)


def model_judges(endpoint: Endpoint, rubrics: Iterable[Rubric], mode: Mode = "tools") -> tuple[Judge, ...]:
    """An LLM judge for each rubric, by the rubric's scale."""
    kinds: dict[str, type[ModelJudge]] = {
        kind.scale: kind for kind in (FaithfulnessJudge, CompletenessJudge, RelevanceJudge)
    }
    return tuple(kinds[rubric.scale](endpoint, rubric, mode=mode) for rubric in rubrics)
