"""The examples in the fakes' docstrings work as they stand."""

import doctest
import importlib

import pytest


@pytest.mark.parametrize("name", ["fake_endpoint", "scripted_judge", "scripted_generator", "in_memory_retriever"])
def test_the_example_of_a_fake_works(name: str) -> None:
    """Each has one."""
    found = doctest.testmod(importlib.import_module(f"primum.testing.{name}"))
    assert found.attempted > 0
    assert found.failed == 0
