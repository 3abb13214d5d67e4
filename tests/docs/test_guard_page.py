"""The page about the guard at run time does what it says."""

import re
from pathlib import Path
from typing import Any

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "guard.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    """The one code block of a language."""
    (found,) = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return str(found)


def run() -> dict[str, Any]:
    """Executes the page's code and gives its names."""
    names: dict[str, Any] = {}
    exec(compile(block("python"), "guard.md", "exec"), names)  # noqa: S102 - the page's own example
    return names


def test_the_example_withholds_the_unsafe_answer(capsys: pytest.CaptureFixture[str]) -> None:
    """It prints what the page shows."""
    run()
    assert capsys.readouterr().out == block("text")


def test_a_guard_that_breaks_shows_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """Failing closed: an exception of the system or of the guard gives the withheld text."""
    names = run()
    capsys.readouterr()

    def broken(question: str) -> None:
        raise ValueError(question)

    def start_response(*said: object) -> None:
        del said

    (shown,) = names["handler"]({"rag": broken, "question": "name of a patient"}, start_response)
    assert shown.decode() == names["WITHHELD"]
    assert capsys.readouterr().out == "withheld: ValueError\n"


def test_no_answer_is_not_shown() -> None:
    """Nor does the guard raise on it."""
    names = run()
    silent = names["rag"]("?").model_copy(update={"answer": None})
    assert names["guarded"](silent)[0] == names["WITHHELD"]
