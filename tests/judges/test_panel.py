"""Panels count votes that were cast, and only those."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primum.errors import UsageError
from primum.records import Status, Verdict
from primum_judges.panel import PanelVerdict, flip_rate, panel_agreement, panel_verdict

SCORES = {Status.PASS: 1.0, Status.FAIL: 0.0}
P, F, U, E, N = Status.PASS, Status.FAIL, Status.INCONCLUSIVE, Status.ERROR, Status.NOT_APPLICABLE


def verdict(judge: str, status: Status, repetition: int = 0, observation: str = "o") -> Verdict:
    """A verdict of a judge."""
    return Verdict(
        observation_id=observation,
        judge=judge,
        repetition=repetition,
        rubric="faithfulness",
        rubric_version="1",
        rubric_hash="h",
        status=status,
        score=SCORES.get(status),
        reason="scripted",
    )


def panel(statuses: dict[str, Sequence[Status]], quorum: int = 2) -> PanelVerdict:
    """A panel of three, a, b and c."""
    verdicts = [verdict(judge, s, n) for judge, found in statuses.items() for n, s in enumerate(found)]
    return panel_verdict(verdicts, judges=("a", "b", "c"), quorum=quorum)


@pytest.mark.parametrize(
    ("statuses", "status", "cast", "margin"),
    [
        ({"a": [P], "b": [P], "c": [P]}, P, 3, 1.0),
        ({"a": [P], "b": [P], "c": [F]}, P, 3, 1 / 3),
        ({"a": [F], "b": [F], "c": [P]}, F, 3, 1 / 3),
        ({"a": [P], "b": [F]}, U, 2, 0.0),
        ({"a": [P], "b": [U], "c": [E]}, U, 1, 1.0),
        ({"a": [P]}, U, 1, 1.0),
        ({"a": [U], "b": [U], "c": [U]}, U, 0, None),
        ({"a": [N], "b": [N], "c": [N]}, N, 0, None),
        ({"a": [P, P, F], "b": [P, F], "c": [P]}, P, 2, 1.0),
        ({"a": [P] * 9, "b": [F], "c": [F]}, F, 3, 1 / 3),
    ],
)
def test_each_judge_has_one_vote_and_a_missing_one_has_none(
    statuses: dict[str, Sequence[Status]], status: Status, cast: int, margin: float | None
) -> None:
    """Too few votes and a tie are inconclusive."""
    found = panel(statuses)
    assert (found.status, found.cast, found.expected, found.quorum) == (status, cast, 3, 2)
    assert found.margin == (None if margin is None else pytest.approx(margin))
    assert found.reason


@given(st.lists(st.sampled_from([U, E]), max_size=5), st.sampled_from([P, F]))
def test_trouble_never_turns_into_a_vote(trouble: list[Status], status: Status) -> None:
    """However much of it there is."""
    found = panel({"a": [status], "b": trouble, "c": trouble}, quorum=2)
    assert found.status is U
    assert found.cast == 1


@pytest.mark.parametrize("quorum", [0, 4])
def test_a_quorum_can_be_reached(quorum: int) -> None:
    """And is at least one vote."""
    with pytest.raises(UsageError, match="quorum"):
        panel({"a": [P]}, quorum=quorum)


def test_a_stranger_and_another_observation_have_no_say() -> None:
    """A panel votes on one thing."""
    with pytest.raises(UsageError, match="not on the panel"):
        panel({"d": [P]})
    mixed = [verdict("a", P), verdict("b", P, observation="another")]
    with pytest.raises(UsageError, match="one observation"):
        panel_verdict(mixed, judges=("a", "b"), quorum=1)
    with pytest.raises(UsageError, match="one observation"):
        panel_verdict([], judges=("a",), quorum=1)


def test_flips_are_counted_among_decided_repetitions() -> None:
    """One repetition cannot flip; trouble is no flip."""
    verdicts = [
        *(verdict("a", s, n, "one") for n, s in enumerate((P, F))),
        *(verdict("a", s, n, "two") for n, s in enumerate((P, P, U))),
        verdict("a", F, 0, "three"),
    ]
    assert str(flip_rate(verdicts)) == "1/2"
    assert str(flip_rate([])) == "0/0"


def test_agreement_is_corrected_for_chance_and_leaves_missing_votes_out() -> None:
    """Two judges who always agree, and one who says nothing."""
    verdicts = [verdict(judge, s, 0, f"o{n}") for judge in "ab" for n, s in enumerate((P, F, P, F, P))]
    verdicts += [verdict("c", U, 0, f"o{n}") for n in range(5)]
    assert panel_agreement(verdicts).value == pytest.approx(1.0)
    always = [verdict(judge, P, 0, f"o{n}") for judge in "ab" for n in range(5)]
    assert panel_agreement(always).value is None
