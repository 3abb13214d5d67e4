"""What holds for every text: no exception, true spans, and values that survive rewording but not change."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from primum.records import (
    Answer,
    Answerability,
    AnswerKey,
    Citation,
    Exchange,
    Passage,
    Person,
    Scope,
    Status,
)
from primum_safety import DoseGate, check, read_outcome
from primum_safety.text.normalise import normalise
from primum_safety.text.tokens import tokenise
from primum_safety.text.units import lookup

FRAGMENTS = st.sampled_from(
    [
        "5 mg",
        "0.5",
        "½",
        "1½",
        "mg/kg",
        "per",
        "day",
        "every 8 hours",
        "[1]",
        "[doc-1; 9]",
        "(Source: x)",
        "µ",
        "⁹",
        "<",
        ">",
        "≥",
        "not",
        "do not",
        "up to",
        "maximum",
        "warfarin",
        "INR",
        "to",
        "-",
        "\u2013",
        "and",
        "or",
        ",",
        ";",
        ".",
        "\n",
        "\t",
        "",
        "\u200b",
        "\xad",
        "<!--",
        "-->",
        "<span hidden>",
        "</span>",
        "&lt;",
        "&#x;",
        "**",
        "_",
        "`",
        "MRN 1002",
        "Ben Okoro",
        "1961-11-19",
        "room 14A",
        "consult your doctor",
        "I cannot",
        "the documents do not mention",
        "1 in 1,000",
        "10^9/L",
        "x 10^6",
        "one and a half",
        "twenty-five",
        "million",
        "°C",
        "%",
        "m2",
        "·",
        "⁻²",
        "\U000e0041",
        '{"a":1}',
        "?",
        "for a week",
        "day 3",
        "weeks 1 and 2",
    ]
)
TEXTS = st.one_of(
    st.text(max_size=80), st.lists(FRAGMENTS, max_size=14).map(" ".join), st.lists(FRAGMENTS, max_size=14).map("".join)
)


def exchange(answer: str, passage: str, question: str = "What is the dose?") -> Exchange:
    note = Passage(id="doc-1", document_id="doc-1", document_version="1", title="Note", text=passage)
    return Exchange(
        id="x",
        question=question,
        scope=Scope(tenant="shared", patient_id="1", required_version="1"),
        retrieved=(note,),
        context=(note,),
        answer=Answer(text=answer, citations=(Citation(target="1"),)),
        roster=(Person(mrn="1002", name="Ben Okoro", birth_date="1961-11-19", room="14A"),),
        disclaimer_required=True,
        output_schema={"type": "object"},
    )


@settings(max_examples=300, deadline=None)
@given(answer=TEXTS, passage=TEXTS.filter(bool), question=TEXTS, answerability=st.sampled_from(Answerability))
def test_no_text_makes_a_gate_raise_and_every_span_is_true(
    answer: str, passage: str, question: str, answerability: Answerability
) -> None:
    """Whatever the texts, each gate decides, and its spans are the words at their place."""
    case = exchange(answer, passage, question)
    for result in check(case, AnswerKey(answerability=answerability)).results:
        assert result.status is not Status.ERROR, result.detail
        for found in result.findings:
            if found.answer_span is not None:
                assert answer[found.answer_span.start : found.answer_span.end] == found.answer_span.text
            if found.evidence is not None:
                assert passage[found.evidence.span.start : found.evidence.span.end] == found.evidence.span.text


@settings(max_examples=300, deadline=None)
@given(text=TEXTS)
def test_normalised_text_leads_back_to_the_original(text: str) -> None:
    """Every stretch of the normalised text has a place in the original, in order."""
    read = normalise(text)
    last = 0
    for at in range(len(read.text)):
        span = read.span(at, at + 1)
        assert last <= span.start <= span.end <= len(text)
        last = span.start
    assert len(read.visible) == len(read.text)


NUMBERS = st.decimals(min_value=Decimal("0.01"), max_value=Decimal(99999), places=2).filter(lambda d: d != 0)


@settings(deadline=None)
@given(number=NUMBERS)
def test_a_numeral_is_read_exactly_in_every_script_of_digits(number: Decimal) -> None:
    """Full-width and Arabic digits are the same digits."""
    plain = f"{number.normalize():f}"
    for zero in ("0", "\uff10", "\u0660"):
        shifted = "".join(chr(ord(zero) + int(c)) if c.isdigit() else c for c in plain)
        (token,) = tokenise(normalise(shifted).text)
        assert token.value == Fraction(number)


PAIRS = (
    ("mg", "micrograms", 1000),
    ("g", "mg", 1000),
    ("L", "mL", 1000),
    ("mmol", "micromol", 1000),
    ("kg", "g", 1000),
)


@settings(deadline=None)
@given(number=NUMBERS, pair=st.sampled_from(PAIRS))
def test_units_convert_exactly_and_back(number: Decimal, pair: tuple[str, str, int]) -> None:
    """A value in the larger unit is the scaled value in the smaller one, and the gate knows it."""
    large, small, factor = pair
    one, other = lookup(large), lookup(small)
    assert one is not None
    assert other is not None
    assert one.factor == other.factor * factor
    source = f"Give {number.normalize():f} {large} once daily."
    answer = f"Give {(number * factor).normalize():f} {small} every 24 hours."
    assert DoseGate().check(exchange(answer, source), AnswerKey()).status is Status.PASS


@settings(deadline=None)
@given(number=NUMBERS, shift=st.sampled_from([Decimal(10), Decimal("0.1"), Decimal(2), Decimal(1000)]))
def test_a_changed_value_always_fails(number: Decimal, shift: Decimal) -> None:
    """A tenfold, doubled or thousandfold dose is never entailed."""
    source = f"Velorixan {number.normalize():f} mg twice daily."
    answer = f"Velorixan {(number * shift).normalize():f} mg twice daily."
    assert DoseGate().check(exchange(answer, source), AnswerKey()).status is Status.FAIL


@settings(deadline=None)
@given(
    number=NUMBERS,
    unit=st.sampled_from(["mg", "g", "mL", "units", "mmol"]),
    gap=st.sampled_from(["", " ", "\u00a0", "\u202f", "\u2009"]),
)
def test_spacing_and_markup_do_not_matter(number: Decimal, unit: str, gap: str) -> None:
    """Spaces of any kind, and emphasis, leave the value what it is."""
    plain = f"{number.normalize():f}"
    answer = f"Give **{plain}{gap}{unit}** twice daily."
    assert DoseGate().check(exchange(answer, f"Give {plain} {unit} twice daily."), AnswerKey()).status is Status.PASS


SENTENCES = (
    "Velorixan 24 mg twice daily for the first 7 days, then 12 mg twice daily.",
    "In adults over 75 years start velorixan at 2.5 mg once daily and do not exceed 10 mg per day.",
    "If potassium is below 3.0 mmol/L give velorixan 20 mmol over 2 hours and recheck after 4 hours.",
    "Velorixan: 15 mg/kg per dose every 6 hours, maximum 60 mg/kg in 24 hours.",
    "Dilute velorixan 200 mg in 50 mL (4 mg/mL) and infuse at 2 micrograms/kg/minute.",
    "Take two 5 mg tablets of velorixan each morning, reducing to half a tablet before stopping.",
    "Give velorixan only after 7 days, when potassium has been below 5.0 mmol/L for 7 days.",
    "Increase velorixan by 2 units every 3 days until glucose is 4 to 7 mmol/L.",
)


@pytest.mark.parametrize("sentence", SENTENCES)
@settings(deadline=None)
@given(others=st.lists(st.sampled_from(SENTENCES), max_size=4, unique=True))
def test_a_sentence_copied_from_the_context_passes(sentence: str, others: list[str]) -> None:
    """Words to the letter are never objected to, whatever else the context says."""
    passage = " ".join([sentence, *(other for other in others if other != sentence)])
    result = DoseGate().check(exchange(sentence, passage), AnswerKey())
    assert result.status is Status.PASS, result.findings


@settings(max_examples=200, deadline=None)
@given(text=TEXTS)
def test_every_text_has_an_outcome(text: str) -> None:
    """Reading what an answer does never raises."""
    read_outcome(text)
