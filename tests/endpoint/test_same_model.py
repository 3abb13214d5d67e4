"""Whether the model that answered is the one that was asked."""

import pytest

from primum.endpoint.models import same_family, same_model


@pytest.mark.parametrize(
    ("requested", "returned"),
    [
        ("openai/gpt-x", "gpt-x"),
        ("openai/gpt-x", "gpt-x-2024-08-06"),
        ("openai/gpt-x", "gpt-x-0613"),
        ("anthropic/claude-y", "claude-y-20250514"),
        ("anthropic/claude-y-latest", "claude-y-20250514"),
        ("gemini/gem-1.5", "models/gem-1.5-002"),
        ("vertex_ai/claude-y@20250514", "claude-y@20250514"),
        ("ollama/llama", "llama:latest"),
        ("openai/My-Model", "my-model"),
    ],
)
def test_a_dated_snapshot_is_the_same_model(requested: str, returned: str) -> None:
    """Prefixes, case and dates do not make another model."""
    assert same_model(requested, returned)


@pytest.mark.parametrize(
    ("requested", "returned"),
    [
        ("openai/gpt-x", "gpt-x-mini"),
        ("openai/gpt-x-mini", "gpt-x"),
        ("anthropic/claude-y-4", "claude-y-4-5"),
        ("openai/gpt-x", "gpt-x-2024-08-06-distilled"),
        ("openai/gpt-x", "some-other-model-2020-01-01"),
        ("openai/gpt-x", ""),
    ],
)
def test_a_relative_is_another_model(requested: str, returned: str) -> None:
    """A smaller or newer sibling is not what was asked for."""
    assert not same_model(requested, returned)


def test_an_accepted_name_is_the_same_model() -> None:
    """For deployments and aliases, whose names say nothing."""
    assert same_model("azure/ours", "gpt-x-2024-08-06", ("gpt-x-2024-08-06",))


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("openai/gpt-x", "azure/gpt-y-mini", True),
        ("anthropic/claude-1", "bedrock/claude-2", True),
        ("openrouter/meta/Llama-3", "ollama/llama3", True),
        ("openai/gpt-x", "anthropic/claude-1", False),
        ("openai/123", "openai/123", False),
    ],
)
def test_a_family_is_the_first_word_of_the_name(first: str, second: str, same: bool) -> None:
    """To warn when a model judges its own kind."""
    assert same_family(first, second) is same
