"""A recording is replayed to the letter, and what is not in it is a failure."""

import asyncio

from primum.generation import Recorded, RecordedGenerator
from primum.protocols import Generator
from primum.records import Answer, FailureKind, Generation, Passage, Scope

SCOPE = Scope(tenant="north")
GIVEN = (Passage(id="given", document_id="d", document_version="1", text="Given."),)
OWN = (Passage(id="own", document_id="d", document_version="1", text="Own."),)


def replay(generator: Generator, case_id: str, repetition: int = 0) -> Generation:
    """Asks for one case."""
    return asyncio.run(generator.generate("What?", SCOPE, GIVEN, case_id=case_id, repetition=repetition))


def test_the_answer_of_the_case_and_repetition_is_replayed() -> None:
    """Two repetitions may differ."""
    first, second = Answer(text="one"), Answer(text="two")
    generator = RecordedGenerator({("f/v", 0): Recorded(answer=first), ("f/v", 1): Recorded(answer=second)}, "a.jsonl")
    assert replay(generator, "f/v").answer == first
    assert replay(generator, "f/v", 1).answer == second
    assert replay(generator, "f/v").context is None


def test_a_recording_brings_the_passages_that_its_system_used() -> None:
    """So that a leak in its retrieval is seen."""
    recorded = Recorded(answer=Answer(text="one"), context=OWN, retrieved=(*OWN, *GIVEN))
    generation = replay(RecordedGenerator({("f/v", 0): recorded}, "a.jsonl"), "f/v")
    assert generation.context == OWN
    assert generation.retrieved == (*OWN, *GIVEN)


def test_what_was_not_recorded_is_a_failure_and_not_an_empty_answer() -> None:
    """It counts in every denominator."""
    generation = replay(RecordedGenerator({}, "a.jsonl"), "f/v", 2)
    assert generation.answer is None
    assert generation.failure is not None
    assert generation.failure.kind is FailureKind.MISSING
    assert "a.jsonl has no answer for f/v, repetition 2" in generation.failure.message


def test_the_fingerprint_changes_with_any_word_of_the_recording() -> None:
    """And with the passages it used, but not with the order of its lines."""
    one = {("a", 0): Recorded(answer=Answer(text="x")), ("b", 0): Recorded(answer=Answer(text="y"))}
    turned = dict(reversed(one.items()))
    word = one | {("b", 0): Recorded(answer=Answer(text="z"))}
    passages = one | {("b", 0): Recorded(answer=Answer(text="y"), context=OWN)}
    prints = [RecordedGenerator(answers, "a.jsonl").fingerprint for answers in (one, turned, word, passages)]
    assert prints[0] == prints[1]
    assert len(set(prints)) == 3
