"""Two runs on the same cases: flips, families, differences, and what they mean for a release."""

from collections.abc import Sequence

import pytest

from primum.comparison import compare, comparison_reasons
from primum.errors import UsageError
from primum.policy import ComparisonRules
from primum.records import Consequence, DecisionKind, Role
from primum.records.comparison import (
    Basis,
    CaseOutcome,
    Comparison,
    FlipKind,
    NonInferiority,
    SystemOutcomes,
)
from primum.records.standing import Standing

GOOD, BAD, LOST = Standing.USEFUL, Standing.HARMFUL, Standing.UNMEASURED
BASIS = Basis(dataset="d", corpus="c", policy="p")
MARGINS = {"acceptable": 0.05}


def case(
    case_id: str,
    *standings: Standing,
    consequence: Consequence = Consequence.ROUTINE,
    role: Role = Role.ACCEPTANCE,
    digest: str = "1",
    **scores: float,
) -> CaseOutcome:
    family, variant = case_id.split("/")
    return CaseOutcome(
        case_id=case_id,
        family=family,
        variant=variant,
        case_digest=digest,
        role=role,
        consequence=consequence,
        standings=standings or (GOOD,),
        scores={f"judge:{name}": value for name, value in scores.items()},
    )


def run(cases: Sequence[CaseOutcome], name: str = "run", basis: Basis = BASIS) -> SystemOutcomes:
    return SystemOutcomes(
        run=name,
        system="s",
        created_at="2026-11-30T00:00:00+00:00",
        basis=basis,
        cases=tuple(cases),
    )


def compared(base: Sequence[CaseOutcome], candidate: Sequence[CaseOutcome]) -> Comparison:
    return compare(run(base, "base"), run(candidate, "candidate"), margins=MARGINS)


def many(acceptable: int, of: int, family: str, consequence: Consequence = Consequence.ROUTINE) -> list[CaseOutcome]:
    return [case(f"{family}/{n:02}", GOOD if n < acceptable else BAD, consequence=consequence) for n in range(of)]


def test_a_total_that_rises_does_not_hide_a_family_of_consequence_that_falls() -> None:
    """102/110 against 99/110, while one critical family goes from 9/10 to 4/10."""
    base = many(9, 10, "critical", Consequence.CRITICAL) + [c for f in range(10) for c in many(9, 10, f"f{f}")]
    candidate = many(4, 10, "critical", Consequence.CRITICAL)
    candidate += [c for f in range(10) for c in many(10 if f < 8 else 9, 10, f"f{f}")]
    assert sum(c.worst.acceptable for c in base) == 99
    assert sum(c.worst.acceptable for c in candidate) == 102
    found = compared(base, candidate)
    reasons = list(comparison_reasons(found, ComparisonRules()))
    assert [r.kind for r in reasons if r.rule == "compared:consequential"] == [DecisionKind.BLOCK]
    assert "critical from 9/10 to 4/10" in reasons[0].message
    assert found.two_sided_p > 0.05


def test_a_fall_of_a_routine_family_is_listed_and_does_not_block_by_itself() -> None:
    base = [case(f"f{n}/a") for n in range(40)]
    candidate = [case("f0/a", BAD), *base[1:]]
    found = compared(base, candidate)
    assert [(change.family, str(change.before), str(change.after)) for change in found.families] == [
        ("f0", "1/1", "0/1")
    ]
    assert not any(r.rule == "compared:consequential" for r in comparison_reasons(found, ComparisonRules()))


def test_equal_runs_are_not_inferior_and_give_no_reason() -> None:
    cases = [case(f"f{n}/a", GOOD if n % 3 else BAD, faithfulness=0.9) for n in range(20)]
    found = compared(cases, cases)
    assert not found.flips
    assert not found.families
    assert found.differences[0].finding is NonInferiority.NON_INFERIOR
    assert list(comparison_reasons(found, ComparisonRules())) == []


def test_flips_are_listed_worse_first_then_unmeasured_then_better_and_critical_first() -> None:
    base = [
        case("a/1", BAD),
        case("b/1"),
        case("c/1"),
        case("d/1", consequence=Consequence.CRITICAL),
        case("e/1", GOOD, GOOD),
    ]
    candidate = [
        case("a/1", GOOD),
        case("b/1", LOST),
        case("c/1", Standing.NEEDLESS_REFUSAL),
        case("d/1", BAD, consequence=Consequence.CRITICAL),
        case("e/1", GOOD, BAD),
    ]
    found = compared(base, candidate)
    assert [(flip.case_id, flip.kind) for flip in found.flips] == [
        ("d/1", FlipKind.WORSE),
        ("c/1", FlipKind.WORSE),
        ("e/1", FlipKind.WORSE),
        ("b/1", FlipKind.UNMEASURED),
        ("a/1", FlipKind.BETTER),
    ]


def test_one_bad_repetition_makes_the_case_bad() -> None:
    assert case("a/1", GOOD, BAD, LOST).worst is BAD
    assert case("a/1", GOOD, LOST).worst is LOST


def test_what_was_fine_and_is_not_measured_now_is_inconclusive() -> None:
    base = [case(f"f{n}/a") for n in range(60)]
    found = compared(base, [case("f0/a", LOST), *base[1:]])
    reasons = {r.rule: r.kind for r in comparison_reasons(found, ComparisonRules())}
    assert reasons["compared:unmeasured"] is DecisionKind.INCONCLUSIVE


@pytest.mark.parametrize(
    ("worse", "finding", "kind"),
    [
        (0, NonInferiority.NON_INFERIOR, None),
        (2, NonInferiority.INCONCLUSIVE, DecisionKind.INCONCLUSIVE),
        (20, NonInferiority.REGRESSED, DecisionKind.BLOCK),
    ],
)
def test_the_share_of_acceptable_answers_is_held_against_its_margin(
    worse: int, finding: NonInferiority, kind: DecisionKind | None
) -> None:
    base = [case(f"f{n}/a") for n in range(40)]
    found = compared(base, [case(c.case_id, BAD if n < worse else GOOD) for n, c in enumerate(base)])
    assert found.differences[0].measure == "acceptable"
    assert found.differences[0].finding is finding
    kinds = [r.kind for r in comparison_reasons(found, ComparisonRules()) if r.rule == "compared:acceptable"]
    assert kinds == ([kind] if kind else [])


def test_only_measures_with_a_margin_gate_and_holm_counts_only_those() -> None:
    base = [case(f"f{n}/a", faithfulness=0.9, relevance=0.9) for n in range(20)]
    candidate = [case(f"f{n}/a", faithfulness=0.5, relevance=0.5) for n in range(20)]
    found = compare(
        run(base, "base"), run(candidate, "candidate"), margins={"acceptable": 0.05, "judge:faithfulness": 0.1}
    )
    by_name = {difference.measure: difference for difference in found.differences}
    assert by_name["judge:faithfulness"].finding is NonInferiority.REGRESSED
    assert by_name["judge:relevance"].finding is None
    assert by_name["judge:relevance"].p_adjusted is None
    p_worse = by_name["judge:faithfulness"].p_worse
    assert p_worse is not None
    assert by_name["judge:faithfulness"].p_adjusted == pytest.approx(2 * p_worse)


def test_a_measure_that_gates_and_has_no_value_is_inconclusive() -> None:
    cases = [case(f"f{n}/a") for n in range(20)]
    rules = ComparisonRules(margins={"acceptable": 0.05, "judge:faithfulness": 0.1})
    found = compare(run(cases, "base"), run(cases, "candidate"), margins=rules.margins)
    assert [(r.rule, r.kind) for r in comparison_reasons(found, rules)] == [
        ("compared:judge:faithfulness", DecisionKind.INCONCLUSIVE)
    ]


def test_decisions_look_at_the_cases_of_one_role_only() -> None:
    base = [case("a/1"), case("b/1", role=Role.DEVELOPMENT)]
    candidate = [case("a/1"), case("b/1", BAD, role=Role.DEVELOPMENT)]
    assert compared(base, candidate).flips == ()
    development = compare(run(base), run(candidate), margins=MARGINS, role=Role.DEVELOPMENT)
    assert [flip.case_id for flip in development.flips] == ["b/1"]


@pytest.mark.parametrize(
    ("candidate", "message"),
    [
        (run([case("a/1")], basis=Basis(dataset="other", corpus="c", policy="p")), "another dataset"),
        (run([case("a/1")], basis=Basis(dataset="d", corpus="other", policy="q")), "another corpus and policy"),
        (run([case("a/1"), case("b/1")]), r"another set of cases \(1 cases, first b/1\)"),
        (run([case("a/1", digest="2")]), r"\(1 cases, first a/1\)"),
    ],
)
def test_runs_that_rest_on_different_things_are_refused(candidate: SystemOutcomes, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        compare(run([case("a/1")]), candidate, margins=MARGINS)


def test_the_intersection_leaves_out_what_changed_and_says_so() -> None:
    base = run([case("a/1"), case("b/1"), case("gone/1")])
    candidate = run(
        [case("a/1"), case("b/1", digest="2"), case("new/1")], basis=Basis(dataset="x", corpus="c", policy="p")
    )
    found = compare(base, candidate, margins=MARGINS, intersection=True)
    assert (found.pairs, found.added, found.removed, found.changed) == (1, ("new/1",), ("gone/1",), ("b/1",))


def test_runs_without_a_common_case_are_refused() -> None:
    with pytest.raises(UsageError, match="shares no acceptance case"):
        compare(run([case("a/1")]), run([case("b/1")]), margins=MARGINS, intersection=True)
