"""Every parser of text: no exception for any text, and work that grows no faster than the text."""

import importlib.util
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from primum_safety.text.citations import citation_marks
from primum_safety.text.disclaimer import read_disclaimers
from primum_safety.text.facts import read_facts
from primum_safety.text.frequency import frequencies
from primum_safety.text.identity import labelled_values
from primum_safety.text.names import find_medicines
from primum_safety.text.noise import noise
from primum_safety.text.normalise import normalise
from primum_safety.text.outcome import read_clauses
from primum_safety.text.patterns import lower_case
from primum_safety.text.quantities import read_quantities
from primum_safety.text.sentences import sentences
from primum_safety.text.tables import table_cells
from primum_safety.text.tokens import tokenise


def _bench(name: str) -> ModuleType:
    path = Path(__file__).parents[2] / "bench" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


LONG_TEXTS: Mapping[str, Callable[[int], str]] = _bench("gate_texts").LONG_TEXTS
PARSERS: Mapping[str, Callable[[str], object]] = {
    "citation_marks": lambda text: list(citation_marks(text, ())),
    "find_medicines": find_medicines,
    "frequencies": lambda text: list(frequencies(text)),
    "labelled_values": labelled_values,
    "noise": lambda text: list(noise(text)),
    "normalise": normalise,
    "read_clauses": read_clauses,
    "read_disclaimers": read_disclaimers,
    "read_facts": read_facts,
    "read_quantities": read_quantities,
    "sentences": lambda text: list(sentences(text)),
    "table_cells": table_cells,
    "tokenise": tokenise,
}
SHORT, TIMES = 2_000, 8
"""Characters of the shorter text, and how many times as long the longer one is."""
SLACK = 3.5
"""How much more than linear growth is put down to noise; quadratic growth is 8 times linear growth here."""
ANY_TEXT = st.one_of(
    st.text(max_size=200),
    st.lists(st.sampled_from([unit(30) for unit in LONG_TEXTS.values()]), max_size=6).map("".join),
)


@pytest.mark.parametrize("parser", PARSERS)
@settings(max_examples=60, deadline=None)
@given(text=ANY_TEXT)
def test_no_text_makes_a_parser_raise(parser: str, text: str) -> None:
    """Any Unicode, as it came and normalised, is read."""
    PARSERS[parser](text)
    PARSERS[parser](normalise(text).text)


@given(text=st.text(max_size=200))
def test_lower_case_keeps_every_place(text: str) -> None:
    """Offsets in the lower-case text are offsets in the text."""
    assert len(lower_case(text)) == len(text)


def _seconds(parse: Callable[[str], object], text_of: Callable[[int], str], size: int) -> float:
    """The least of three CPU times, each on a text that no cache has."""
    times: list[float] = []
    for run in range(3):
        text = text_of(size + run)
        started = time.process_time()
        parse(text)
        times.append(time.process_time() - started)
    return min(times)


@pytest.mark.slow
@pytest.mark.parametrize("parser", PARSERS)
def test_work_grows_no_faster_than_the_text(parser: str) -> None:
    """Eight times the text takes about eight times as long, whatever the text; it may try three times."""
    for name, text_of in LONG_TEXTS.items():
        short = long = 0.0
        for _ in range(3):
            short = _seconds(PARSERS[parser], text_of, SHORT)
            long = _seconds(PARSERS[parser], text_of, SHORT * TIMES)
            if long <= SLACK * TIMES * max(short, 0.0005):
                break
        else:
            pytest.fail(f"{parser} on {name}: {short:.4f} s, then {long:.4f} s for {TIMES} times the text")
