"""Evidence labels become judgments of chunks, or are named as broken."""

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from primum.corpus.chunking import Chunking
from primum.datasets import ChunkFinder, PassageRef, resolve, resolve_passages
from primum.errors import DatasetError
from primum.records import Answerability, Case, Chunk, Document, EvidenceLabel, PublicationState, Role, Scope
from primum.records.case import Consequence

TEXT = """\
# Medicine A

## Dose

Adults take 5 mg of medicine A once daily.

Children take half of it.

## Long

""" + "\n\n".join(
    f"Paragraph {number} is about the level {number} and says little else than that." for number in range(6)
)


def document(text: str = TEXT, **fields: Any) -> Document:
    return Document(
        id="mono-a", version="1", title="Medicine A", type="monograph", state=PublicationState.PUBLISHED, text=text
    ).model_copy(update=fields)


def chunks(*documents: Document) -> list[Chunk]:
    return [chunk for each in documents or (document(),) for chunk in Chunking(max_characters=200).chunk(each)]


def label(quote: str | None, grade: int = 2, **fields: Any) -> EvidenceLabel:
    row = {"document_id": "mono-a", "document_version": "1", "quote": quote, "grade": grade}
    return EvidenceLabel.model_validate(row | fields)


def case(*evidence: EvidenceLabel, answerability: Answerability = Answerability.ANSWERABLE) -> Case:
    return Case(
        family="dose-a",
        variant="plain",
        question="What is the dose?",
        kind="plain",
        role=Role.DEVELOPMENT,
        scope=Scope(tenant="north"),
        audience="nurse",
        consequence=Consequence.SERIOUS,
        answerability=answerability,
        expected_behaviour="Says it.",
        evidence=evidence,
    )


def mistakes(*evidence: EvidenceLabel, corpus: list[Chunk] | None = None) -> str:
    with pytest.raises(DatasetError) as caught:
        resolve([case(*evidence)], corpus or chunks(), places={"dose-a/plain": "cases.jsonl:7"})
    return str(caught.value)


def test_a_quote_labels_the_chunk_that_holds_it() -> None:
    """White space in the quote does not count."""
    corpus = chunks()
    found = resolve([case(label("5 mg of\n  medicine A", required=True))], corpus)["dose-a/plain"]
    assert found.grades == {corpus[0].id: 2}
    assert found.required == {corpus[0].id}


def test_the_highest_of_several_labels_counts() -> None:
    """One passage may support two statements to a different degree."""
    corpus = chunks()
    for order in ((1, 2), (2, 1)):
        labels = [label("5 mg of medicine A", order[0]), label("Children take half", order[1])]
        found = resolve([case(*labels)], corpus)["dose-a/plain"]
        assert found.grades == {corpus[0].id: 2}
        assert found.required == frozenset()


def test_a_quote_across_a_border_labels_all_chunks_it_touches() -> None:
    """The text that was quoted is evidence wherever the chunker cuts it."""
    corpus = chunks()
    border = next(i for i, chunk in enumerate(corpus) if i and corpus[i - 1].heading == chunk.heading)
    one, two = corpus[border - 1], corpus[border]
    quote = one.text[-20:] + "\n\n" + two.text[:20]
    assert set(resolve([case(label(quote))], corpus)["dose-a/plain"].grades) == {one.id, two.id}


def test_a_quote_across_a_cut_inside_a_word_is_found() -> None:
    """Where the chunker left out no white space, the search adds none."""
    corpus = chunks(document(text="a" * 150 + "b" * 150))
    assert len(corpus) == 2
    assert len(resolve([case(label("a" * 10 + "b" * 60))], corpus)["dose-a/plain"].grades) == 2


def test_a_chunk_id_labels_that_chunk() -> None:
    """A label may name a chunk, which is void when the chunker changes."""
    corpus = chunks()
    by_id = label(None, chunk_id=corpus[1].id)
    assert resolve([case(by_id)], corpus)["dose-a/plain"].grades == {corpus[1].id: 2}
    assert mistakes(label(None, chunk_id="mono-a@1#1-00000000")) == (
        "cases.jsonl:7: evidence[0]: the document has no chunk with this id; point at it with a quote instead"
    )


def test_words_that_are_not_there_are_told_without_being_repeated() -> None:
    """How far the quote fits helps to find the mistake; the words may be about a patient."""
    assert mistakes(label("Adults take 5 mg of medicine B twice")) == (
        "cases.jsonl:7: evidence[0]: the quote is not in the document; "
        "its first 29 of 36 characters are; copy the rest from the document to the letter"
    )
    assert mistakes(label("Nothing like this")) == (
        "cases.jsonl:7: evidence[0]: the quote is not in the document; copy the words from the document to the letter"
    )
    assert mistakes(label(" \n")).endswith("the quote is empty; quote some words of the document")


def test_words_that_stand_in_several_chunks_are_refused() -> None:
    """A label must not depend on which of several places was meant."""
    text = "## One\n\nGive 5 mg.\n\n## Two\n\nGive 5 mg."
    assert mistakes(label("Give 5 mg."), corpus=chunks(document(text=text))).endswith(
        "evidence[0]: the quote stands in 2 chunks; make it longer, so that it points at one place"
    )
    twice_in_one = chunks(document(text="Give 5 mg. Give 5 mg."))
    assert len(resolve([case(label("Give 5 mg."))], twice_in_one)["dose-a/plain"].grades) == 1


def test_a_document_that_is_not_there_is_told() -> None:
    """The versions that there are help to mend it."""
    assert mistakes(label("5 mg", document_version="9")).endswith(
        "evidence[0]: there is no such document and version; it has the version 1"
    )
    assert mistakes(label("5 mg", document_id="other")).endswith(
        "there is no such document and version; correct the id, or add the document"
    )


@pytest.mark.parametrize(
    "fields",
    [
        {"state": PublicationState.SUPERSEDED},
        {"tenant": "south"},
        {"tenant": "north", "patient_id": "MRN-1"},
    ],
)
def test_evidence_that_the_scope_may_not_see_is_refused(fields: dict[str, Any]) -> None:
    """Such a chunk can never be retrieved, so the case could never be answered well."""
    found = mistakes(label("5 mg of medicine A"), corpus=chunks(document(**fields)))
    assert found.startswith("cases.jsonl:7: evidence[0] points at text that the case's scope may not see; ")


@pytest.mark.parametrize("answerability", [Answerability.ANSWERABLE, Answerability.PARTIAL])
def test_an_answerable_case_has_relevant_evidence(answerability: Answerability) -> None:
    """Without it no ranking could be scored."""
    for evidence in ((), (label("5 mg of medicine A", 0),)):
        with pytest.raises(
            DatasetError, match=f"the case is {answerability} and has no evidence with a grade of 1 or 2"
        ):
            resolve([case(*evidence, answerability=answerability)], chunks())


def test_an_unanswerable_case_needs_none_and_has_none_that_answers() -> None:
    """Near-topic text may be labelled, but not as an answer."""
    unanswerable = Answerability.UNANSWERABLE
    assert resolve([case(answerability=unanswerable)], chunks())["dose-a/plain"].grades == {}
    near = case(label("Children take half", 1), answerability=unanswerable)
    assert list(resolve([near], chunks())["dose-a/plain"].grades.values()) == [1]
    with pytest.raises(DatasetError, match="dose-a/plain: the case is unanswerable and has evidence that"):
        resolve([case(label("Children take half", 2), answerability=unanswerable)], chunks())


def test_all_broken_labels_are_told_at_once() -> None:
    """A person mends them in one go."""
    found = mistakes(label("not there"), label("5 mg of medicine A"), label("5 mg", document_id="other"))
    assert [line.split(":")[2].strip() for line in found.splitlines()] == ["evidence[0]", "evidence[2]"]


def test_a_chunk_twice_in_the_corpus_is_refused() -> None:
    """Judgments would be ambiguous."""
    with pytest.raises(DatasetError, match="is there twice; chunk each document once"):
        ChunkFinder(chunks(document(), document()))


def test_passages_of_a_recorded_answer_are_found_in_order() -> None:
    """A recorded system may have used what it should not have seen; each passage comes once."""
    corpus = chunks(document(state=PublicationState.SUPERSEDED))
    quotes = ("Paragraph 0", "Adults take 5 mg", "Children take half")
    refs = [PassageRef(document_id="mono-a", document_version="1", quote=quote) for quote in quotes]
    assert [found.id for found in resolve_passages(refs, ChunkFinder(corpus))] == [corpus[1].id, corpus[0].id]
    with pytest.raises(DatasetError, match="mono-a@1: the quote is not in the document"):
        resolve_passages([refs[0].model_copy(update={"quote": "nowhere"})], ChunkFinder(corpus))
    with pytest.raises(DatasetError, match=r"a\.jsonl:3: the quote is not in the document"):
        resolve_passages([refs[0].model_copy(update={"quote": "nowhere"})], ChunkFinder(corpus), place="a.jsonl:3")


@given(data=st.data(), limit=st.integers(min_value=100, max_value=400))
def test_a_label_survives_a_change_of_the_chunker(data: st.DataObject, limit: int) -> None:
    """Whatever the limit, the labelled chunks hold the quoted words."""
    start = data.draw(st.integers(min_value=0, max_value=len(TEXT) - 60))
    length = data.draw(st.integers(min_value=40, max_value=60))
    quote = TEXT[start : start + length]
    assume(" ".join(TEXT.split()).count(" ".join(quote.split())) == 1)
    corpus = Chunking(max_characters=limit).chunk(document())
    grades = resolve([case(label(quote))], corpus)["dose-a/plain"].grades
    labelled = " ".join(chunk.text for chunk in corpus if chunk.id in grades)
    assert " ".join(quote.split()) in " ".join(labelled.split())
