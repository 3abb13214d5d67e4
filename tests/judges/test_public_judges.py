"""The public face of primum_judges."""

import subprocess
import sys

import primum_judges
from primum.endpoint import Endpoint
from primum_judges import FaithfulnessJudge, LexicalJudge, RelevanceJudge, lexical_judges, model_judges, shipped_rubrics


def test_the_public_names_are_these() -> None:
    """Whoever adds one adds it here."""
    assert sorted(primum_judges.__all__) == [
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


def test_importing_the_judges_loads_no_client() -> None:
    """Neither litellm nor instructor nor openai."""
    code = "import sys, primum_judges; print({'litellm', 'instructor', 'openai'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_a_judge_is_made_for_each_rubric() -> None:
    """By its scale."""
    rubrics = [shipped_rubrics()[name] for name in ("faithfulness", "relevance")]
    lexical = lexical_judges(rubrics)
    assert [judge.rubric for judge in lexical] == ["faithfulness", "relevance"]
    assert all(isinstance(judge, LexicalJudge) for judge in lexical)
    models = model_judges(Endpoint(model="openai/x"), rubrics, "json")
    assert [type(judge) for judge in models] == [FaithfulnessJudge, RelevanceJudge]
    assert {judge.id for judge in models} == {"openai/x"}
