"""Chunks cover the document, to the letter, along its headings."""

import re

from hypothesis import given
from hypothesis import strategies as st

from primum.corpus.chunking import TABLE_HEADER, Chunking
from primum.records import Chunk, Document, PublicationState

SMALL = Chunking(max_characters=100)


def document(text: str) -> Document:
    return Document(
        id="mono-cardovane",
        version="2",
        title="Cardovane",
        type="monograph",
        state=PublicationState.PUBLISHED,
        text=text,
    )


def texts(text: str, chunking: Chunking = SMALL) -> list[str]:
    return [chunk.text for chunk in chunking.chunk(document(text))]


def check_cover(text: str, chunks: tuple[Chunk, ...]) -> None:
    end = 0
    for ordinal, chunk in enumerate(chunks):
        assert chunk.ordinal == ordinal
        assert chunk.start >= end
        assert not text[end : chunk.start].strip()
        assert chunk.text == text[chunk.start : chunk.end]
        assert chunk.text == chunk.text.strip()
        end = chunk.end
    assert not text[end:].strip()


WORDS = st.text(alphabet=st.characters(exclude_categories=["Cs"]), min_size=1, max_size=400)
MARKDOWN = st.lists(
    st.sampled_from(
        [
            "# Cardovane",
            "## Dose",
            "### Renal impairment",
            "",
            "",
            "In renal impairment:",
            "- 5 mg once daily",
            "1. Weigh the patient.",
            "| eGFR | Dose |",
            "|---|---|",
            "| 30 to 59 | 5 mg |",
            "```",
            "Give 5 mg once daily. Do not exceed 10 mg. Ask for help if unsure! See Dr. Blom. ",
            "Donnez 5 mg. Ne pas dépasser la dose. ",
            "投与量は五ミリグラムです。超えないこと。" * 3,
            "a" * 130,
            "e\u0301" * 70,
            "\r",
        ]
    ),
    max_size=25,
).map("\n".join)


@given(text=WORDS | MARKDOWN.filter(bool))
def test_chunks_cover_any_text_in_order_and_to_the_letter(text: str) -> None:
    """All but white space is in exactly one chunk, and each chunk is a substring at its offsets."""
    check_cover(text, SMALL.chunk(document(text)))


@given(text=WORDS | MARKDOWN.filter(bool))
def test_only_tables_make_chunks_longer_than_the_limit(text: str) -> None:
    """A chunk is longer than the limit only when it holds a table row."""
    for chunk in SMALL.chunk(document(text)):
        assert len(chunk.text) <= SMALL.max_characters or "|" in chunk.text


@given(text=MARKDOWN.filter(bool))
def test_chunking_twice_gives_equal_chunks(text: str) -> None:
    """Chunking is deterministic, and ids are unique within a document."""
    first = SMALL.chunk(document(text))
    assert SMALL.chunk(document(text)) == first
    assert len({chunk.id for chunk in first}) == len(first)


@given(text=MARKDOWN.filter(bool))
def test_no_chunk_starts_or_ends_inside_a_table_row(text: str) -> None:
    """Every row of a table stands in one chunk."""
    rows = [(m.start(), m.end()) for m in re.finditer(r"^\|.*\|$", text, re.MULTILINE)]
    for chunk in SMALL.chunk(document(text)):
        assert not any(start < border < end for start, end in rows for border in (chunk.start, chunk.end))


def test_each_section_is_a_chunk() -> None:
    """A heading starts a chunk, however short the section before it is."""
    assert texts("Intro.\n\n## Dose\n\n5 mg.\n\n## Storage\n\nBelow 25 °C.") == [
        "Intro.",
        "## Dose\n\n5 mg.",
        "## Storage\n\nBelow 25 °C.",
    ]


def test_a_heading_without_text_goes_with_the_next_section() -> None:
    """A title line alone would be a chunk that answers nothing."""
    assert texts("# Cardovane\n\n## Dose\n\n5 mg.\n\n## Notes") == ["# Cardovane\n\n## Dose\n\n5 mg.", "## Notes"]


def test_headings_give_the_path_without_the_title() -> None:
    """A chunk's heading names all levels above it; the title is there already."""
    text = "Before.\n# Cardovane\nText.\n## Dose ##\n5 mg.\n### Renal\n2 mg.\n## Storage\nDry."
    headings = [chunk.heading for chunk in SMALL.chunk(document(text))]
    assert headings == ["", "", "Dose", "Dose > Renal", "Storage"]


def test_a_hash_in_a_code_fence_is_no_heading() -> None:
    """Text in fences is kept together with what is around it."""
    assert len(texts("## Dose\n```\n# not a heading\n```\nText.")) == 1


def test_a_hash_without_a_space_is_no_heading() -> None:
    """Hash tags are text."""
    assert len(texts("## Dose\nText.\n#tag\nMore.")) == 1


def test_long_sections_are_cut_between_paragraphs_first() -> None:
    """The last paragraph end within the limit is the cut."""
    one, two, three = "One. " * 8, "Two. " * 8, "Six. " * 8
    assert texts(f"{one}\n\n{two}\n\n{three}") == [f"{one}\n\n{two}".strip(), three.strip()]


def test_long_paragraphs_are_cut_after_sentences() -> None:
    """The cut is after a sentence, not after a decimal point or an abbreviation."""
    text = "Give 0.5 mg daily, e.g. in the morning with some water. " * 3
    assert texts(text) == ["Give 0.5 mg daily, e.g. in the morning with some water."] * 3


def test_a_number_is_not_cut_from_its_unit() -> None:
    """The cut between words leaves number and unit in one chunk."""
    text = "a" * 95 + " 500 mg " + "b" * 60
    assert texts(text) == ["a" * 95, "500 mg " + "b" * 60]


def test_a_line_that_ends_in_a_colon_stays_with_what_it_announces() -> None:
    """A lead-in is not cut from its list when there is a better place."""
    text = "x" * 60 + ".\n\nIn renal impairment:\n\n- " + "y" * 50
    assert texts(text) == ["x" * 60 + ".", "In renal impairment:\n\n- " + "y" * 50]


def test_a_heading_is_not_cut_from_its_text() -> None:
    """The first chunk of a long section holds more than the heading."""
    first = texts("## Dose in renal impairment\n\n" + "Give 5 mg once daily in the morning. " * 6)[0]
    assert first.startswith("## Dose in renal impairment\n\nGive 5 mg")


TABLE_HEAD = "| eGFR | Dose |\n|---|---|"


def test_a_table_that_fits_is_never_cut() -> None:
    """A table starts a chunk of its own rather than being cut."""
    table = TABLE_HEAD + "\n| 30 | 5 mg |\n| 15 | 2 mg |\n| 10 | none |"
    before = "Text before the table. " * 3
    assert texts(f"{before}\n\n{table}\n\nAfter.") == [before.strip(), f"{table}\n\nAfter."]


def test_a_long_table_is_cut_between_rows_and_carries_its_header() -> None:
    """The first row stays with the header; later chunks have the header row in their payload."""
    rows = [f"| {egfr} | {egfr / 10} mg once daily |" for egfr in range(10, 60, 5)]
    table = "\n".join([TABLE_HEAD, *rows])
    chunks = SMALL.chunk(document("## Renal\n\n" + table))
    assert len(chunks) > 2
    assert chunks[0].text.startswith(f"## Renal\n\n{TABLE_HEAD}\n{rows[0]}")
    assert TABLE_HEADER not in chunks[0].payload
    assert all(chunk.payload[TABLE_HEADER] == "| eGFR | Dose |" for chunk in chunks[1:])
    assert [row for chunk in chunks for row in chunk.text.splitlines() if "daily" in row] == rows


def test_text_after_a_long_table_has_no_table_header() -> None:
    """The header row is only for chunks that continue the table."""
    rows = "\n".join("| 10 | 5 mg once daily in the morning with a glass of water and some food |" for _ in range(3))
    last = SMALL.chunk(document(f"{TABLE_HEAD}\n{rows}\n\n{'Text. ' * 15}"))[-1]
    assert last.text.startswith("Text.")
    assert TABLE_HEADER not in last.payload


def test_a_row_longer_than_the_limit_stays_whole() -> None:
    """The one exception to the limit."""
    row = "| 30 | " + "word " * 40 + "|"
    assert texts(f"{TABLE_HEAD}\n{row}\n| 15 | 2 mg |") == [f"{TABLE_HEAD}\n{row}", "| 15 | 2 mg |"]


def test_combining_marks_stay_with_their_letter() -> None:
    """A cut between characters does not take an accent from its letter."""
    assert all(not piece.startswith("\u0301") for piece in texts("e\u0301" * 120))


def test_white_space_alone_has_no_chunks() -> None:
    """There is nothing to index."""
    assert texts(" \n\t\n") == []


def test_the_id_is_made_of_document_version_ordinal_and_text() -> None:
    """The id is readable, stable, and changes with the text."""
    chunk = Chunking().chunk(document("## Dose\n\n5 mg."))[0]
    assert chunk.id == "mono-cardovane@2#0-afba1206"
    assert Chunking().chunk(document("## Dose\n\n6 mg."))[0].id != chunk.id


def test_the_version_shows_every_setting() -> None:
    """Two chunkings with other settings have other versions, and chunks carry theirs."""
    assert Chunking().version == "sections-1:900"
    assert SMALL.chunk(document("Text."))[0].key.chunking_version == "sections-1:100"


def test_a_chunk_carries_what_decides_who_may_see_it() -> None:
    """State, tenant, patient and payload come from the document."""
    fields = {"tenant": "north", "patient_id": "MRN-1", "state": PublicationState.DRAFT, "payload": {"room": "4"}}
    note = document("Note.").model_copy(update=fields)
    chunk = SMALL.chunk(note)[0]
    assert (chunk.tenant, chunk.patient_id, chunk.state, chunk.payload) == ("north", "MRN-1", "draft", {"room": "4"})
