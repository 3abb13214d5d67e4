"""Objections that say the same stand together, and none is lost."""

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from primum.records.summary import Objection, RunReport
from primum.report.groups import sections, top


def _again(objection: Objection, *, variant: str = "a", repetition: int = 0, family: str | None = None) -> Objection:
    case = objection.case.model_copy(update={"variant": variant, "family": family or objection.case.family})
    observation = objection.observation.model_copy(update={"case_id": case.id, "repetition": repetition})
    return objection.model_copy(update={"case": case, "observation": observation})


def test_variants_and_repetitions_of_one_finding_are_one_group(make: Callable[..., RunReport]) -> None:
    """The first is shown, the others are named."""
    report = make()
    dose = report.objections[0]
    same = (dose, _again(dose, repetition=1), _again(dose, variant="b"))
    (section,) = sections(report.model_copy(update={"objections": same}))
    (group,) = section.groups
    assert group.first is dose
    assert group.size == section.objections == 3
    assert group.elsewhere == ("family-000/a, repetition 1", "family-000/b, repetition 0")


def test_another_family_or_other_words_are_another_group(make: Callable[..., RunReport]) -> None:
    """Only what is truly the same is brought together."""
    report = make()
    dose = report.objections[0]
    finding = dose.finding.model_copy(update={"reason": "dose.unit"})
    others = (dose, _again(dose, family="other"), dose.model_copy(update={"finding": finding}))
    (section,) = sections(report.model_copy(update={"objections": others}))
    assert [group.size for group in section.groups] == [1, 1, 1]


@given(st.lists(st.tuples(st.integers(0, 2), st.sampled_from("ab"), st.integers(0, 2)), max_size=12))
def test_no_objection_is_lost(make: Callable[..., RunReport], chosen: list[tuple[int, str, int]]) -> None:
    """Whatever the list, the groups hold every objection once, and `top` every group once."""
    report = make()
    objections = tuple(
        _again(report.objections[which], variant=variant, repetition=repetition)
        for which, variant, repetition in chosen
    )
    found = sections(report.model_copy(update={"objections": objections}))
    groups = [group for section in found for group in section.groups]
    members = [member for group in groups for member in (group.first, *group.others)]
    assert sorted(map(id, members)) == sorted(map(id, objections))
    assert sorted(map(id, top(found, len(groups)))) == sorted(map(id, groups))


def test_the_release_system_and_each_of_its_gates_come_first(make: Callable[..., RunReport]) -> None:
    """A reader of the first few sees every gate that objects, before a second objection of one gate."""
    report = make()
    dose, leak, unsupported = report.objections
    baseline = dose.model_copy(update={"observation": dose.observation.model_copy(update={"system": "baseline"})})
    many = (baseline, dose, _again(dose, family="x"), _again(dose, family="y"), leak, unsupported)
    found = sections(report.model_copy(update={"objections": many}))
    assert [(section.system, section.gate) for section in found] == [
        ("candidate", "dose"),
        ("candidate", "isolation"),
        ("candidate", "unsupported"),
        ("baseline", "dose"),
    ]
    assert [group.first.gate for group in top(found, 5)] == ["dose", "isolation", "unsupported", "dose", "dose"]
    assert top(found, 6)[-1].first is baseline
