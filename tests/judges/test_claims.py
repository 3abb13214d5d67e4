"""Answers are split into claims by code."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primum_judges.claims import split_claims


def texts(answer: str) -> list[str]:
    """The claims' words."""
    return [claim.span.text for claim in split_claims(answer).claims]


@pytest.mark.parametrize(
    ("answer", "claims"),
    [
        ("Take 5 mg. Drink water.", ["Take 5 mg.", "Drink water."]),
        ("Take 2.5 mg daily.", ["Take 2.5 mg daily."]),
        ("Take 5 mg, e.g. Zyxol, daily.", ["Take 5 mg, e.g. Zyxol, daily."]),
        ("Dr. Quux takes 5 mg.", ["Dr. Quux takes 5 mg."]),
        ("Give it i.v. Over 5 minutes.", ["Give it i.v. Over 5 minutes."]),
        ("Take 5 mg. [1] Drink water [2, 3].", ["Take 5 mg. [1]", "Drink water [2, 3]."]),
        ("Stop! Drink water.", ["Stop!", "Drink water."]),
        ("one line\nand its end. Next.", ["one line\nand its end.", "Next."]),
        ("First.\n\nSecond", ["First.", "Second"]),
        ("- Take 5 mg\n- Drink water", ["Take 5 mg", "Drink water"]),
        ("1. Take 5 mg\n2) Drink water", ["Take 5 mg", "Drink water"]),
        ("* Take 5 mg. Then rest.\n  Drink water.", ["Take 5 mg.", "Then rest.", "Drink water."]),
        ("| Age | Dose |\n|---|---|\n| 6 | 5 mg |\n| 12 | 9 mg |", ["| 6 | 5 mg |", "| 12 | 9 mg |"]),
        ("Yes. Take 5 mg.", ["Yes. Take 5 mg."]),
        ("# Stop warfarin\nTake 5 mg.", ["Stop warfarin\nTake 5 mg."]),
        ("# Dosing\nTake 5 mg.", ["Take 5 mg."]),
        ("The dose of zyxol is:\n- 5 mg\n- 9 mg", ["The dose of zyxol is:\n- 5 mg", "9 mg"]),
        ("Take it with:", ["Take it with:"]),
        ("> Take 5 mg.", ["Take 5 mg."]),
        ("服用5毫克。每天两次。", ["服用5毫克。", "每天两次。"]),
    ],
)
def test_sentences_list_items_and_rows_are_claims(answer: str, claims: list[str]) -> None:
    """Abbreviations and decimals do not end a sentence; a lead-in goes with what it leads to."""
    assert texts(answer) == claims


@pytest.mark.parametrize(
    "part",
    [
        "The prescriber makes the final decision.",
        "This information does not replace professional medical advice.",
        "Please ask your doctor or pharmacist before you take it.",
        "Which patient do you mean?",
        "I need to know more first: is he an adult?",
        "Sources: [doc-1], [doc-2]",
        "[1]",
        "## Side effects",
        "The available documents do not cover this, so I cannot answer it.",
        "I cannot answer this from the documents.",
        "There is nothing about zyxol in the available documents.",
        "I cannot answer this question, because it is about somebody other than the patient whose chart is open.",
        "The available documents do not cover the use of zyxol in children.",
    ],
)
def test_what_asserts_nothing_is_passed_over(part: str) -> None:
    """Disclaimers, questions, abstentions, section titles and bare citations."""
    split = split_claims(part)
    assert split.claims == ()
    assert len(split.passed_over) == 1


@pytest.mark.parametrize(
    "part",
    [
        "Ask your doctor; 50 mg is fine.",
        "Ask your doctor for warfarin.",
        "Do not ask your doctor.",
        "There is no need to consult a doctor.",
        "This does not replace warfarin.",
        "The prescriber decides between 5 mg and 9 mg.",
        "Stop warfarin, which is harmless?",
        "Is 500 mg fine?",
        "## Stop warfarin",
        "[Take the whole box at once]",
        "The documents do not cover this, so take double the dose.",
        "I cannot say that it is dangerous, so it is safe.",
        "I cannot answer because you should take the whole box.",
        "The tablets do not contain lactose.",
        "There is no evidence of renal harm.",
        "The record does not mention an allergy.",
        "No dose adjustment is needed.",
    ],
)
def test_what_could_smuggle_an_assertion_is_a_claim(part: str) -> None:
    """A disclaimer is not a place to hide."""
    assert len(split_claims(part).claims) == 1


@given(st.text(alphabet=st.sampled_from("ab 5.,:;!?-*#|>[]()\n\r\t'\"yesno\u2028\u3002"), max_size=200))
def test_claims_and_what_is_passed_over_hold_every_word_once_and_in_order(answer: str) -> None:
    """Spans are exact, do not overlap, and leave out no word beyond the marks of lists and tables."""
    split = split_claims(answer)
    spans = sorted([claim.span for claim in split.claims] + list(split.passed_over), key=lambda span: span.start)
    covered = [False] * len(answer)
    for span in spans:
        assert answer[span.start : span.end] == span.text
        assert not any(covered[span.start : span.end])
        covered[span.start : span.end] = [True] * len(span.text)
    left = "".join(" " if inside else c for c, inside in zip(answer, covered, strict=True))
    words = re.findall(r"\w+", left)
    # A list mark such as "5." or "a)" is not part of its item.
    assert all(len(word) == 1 for word in words)
    assert [claim.id for claim in split.claims] == [f"c{n}" for n in range(1, len(split.claims) + 1)]


@pytest.mark.parametrize("piece", ["-", "|", "[", ".", "- ", "a.", ".[a", "|--", "a:\n", "No. ", "# a\n", "> "])
def test_a_hostile_answer_is_split_in_bounded_time(piece: str) -> None:
    """40 kB of whatever."""
    split_claims(piece * (40_000 // len(piece)) + "x")
