"""The names that people may rely on; a change here is a change that they will notice."""

import primum
import primum_judges
import primum_safety


def test_primum_hands_on_its_records_and_version() -> None:
    """Everything promised is there, and nothing that nobody promised."""
    assert sorted(primum.__all__) == [
        "Answer",
        "AnswerKey",
        "Case",
        "Chunk",
        "Decision",
        "Document",
        "Exchange",
        "Finding",
        "GateResult",
        "Observation",
        "Outcome",
        "Passage",
        "Scope",
        "Severity",
        "Status",
        "Verdict",
        "__version__",
    ]
    assert all(getattr(primum, name) is not None for name in primum.__all__)


def test_the_gates_can_be_used_alone() -> None:
    """`from primum_safety import check` is all that a runtime guard needs."""
    assert {"check", "default_gates", "read_outcome"} <= set(primum_safety.__all__)
    assert [gate.id for gate in primum_safety.default_gates()] == [
        "citation",
        "dose",
        "medication",
        "refusal",
        "over_refusal",
        "isolation",
        "instruction_leak",
        "disclaimer",
        "version",
        "shape",
    ]


def test_the_judges_are_made_from_rubrics() -> None:
    """Two factories and the rubrics that come with Primum."""
    assert {"lexical_judges", "model_judges", "shipped_rubrics"} <= set(primum_judges.__all__)
    assert {"faithfulness", "relevance"} <= set(primum_judges.shipped_rubrics())
