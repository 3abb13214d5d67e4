"""Near-duplicate questions are found, all of them, without comparing every pair."""

from hypothesis import given
from hypothesis import strategies as st

from primum.datasets.near_duplicates import SAME_FROM, near_duplicates, similarity, words


def test_words_are_case_folded_and_numbers_stay_whole() -> None:
    """0.5 and 5 are different words, and so are 0.5 and 0.05."""
    assert words("Give 0.5 mg, NOT 5 mg!") == {"give", "0.5", "mg", "not", "5"}


def test_similarity_is_the_share_of_common_words() -> None:
    """Known values; two texts without words are not alike."""
    assert similarity(words("a b c"), words("b c d")) == 0.5
    assert similarity(words(""), words("")) == 0.0


TEXTS = st.lists(st.sampled_from("abcdefghijkl"), max_size=14).map(" ".join)
SIDE = st.dictionaries(st.integers(0, 99).map(str), TEXTS, max_size=12)


@given(left=SIDE, right=SIDE)
def test_the_filter_loses_no_pair(left: dict[str, str], right: dict[str, str]) -> None:
    """The pairs are those that comparing everything with everything gives."""
    expected = {
        (one, two)
        for one, text in left.items()
        for two, other in right.items()
        if similarity(words(text), words(other)) >= SAME_FROM
    }
    found = list(near_duplicates(left, right))
    assert set(found) == expected
    assert len(found) == len(expected)
