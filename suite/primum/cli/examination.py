"""An examination in lines of text: the result, then what it rests on."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from primum.records.qualification import ProbeGroup
from primum.report.numbers import counted, rate

if TYPE_CHECKING:
    from primum.app.judge_check import Checked
    from primum.statistics.proportions import Proportion
    from primum_judges.examination import Drift, Examination

_MOVED = 5
"""Specimens that are named when verdicts moved; the rest is counted."""


def examination_lines(checked: "Checked", *, verbose: bool = False) -> Iterator[str]:
    """What was found about one judge by one rubric."""
    found = checked.examination
    yield _result(found)
    yield from (f"  - {reason}" for reason in found.reasons)
    if found.models_returned:
        yield f"  model: {', '.join(found.models_returned)}"
    yield f"  sensitivity  {_proportion(found.errors.sensitivity)}  failing answers that it fails"
    yield f"  specificity  {_proportion(found.errors.specificity)}  passing answers that it passes"
    yield f"  AUC          {_area(found)}"
    for result in found.groups:
        if result.group is not ProbeGroup.KNOWN:
            least = found.bar.groups.get(result.group)
            bar = "shown only" if least is None else f"at least {least:g}"
            yield f"  {result.group:<12} {rate(result.right)} right, {bar}"
        if verbose:
            yield from (f"    wrong: {id_}" for id_ in result.wrong)
    yield f"  constant     {'yes: one verdict for every known answer' if found.constant else 'no'}"
    flips = "no model was asked" if found.deterministic else rate(found.flips)
    yield f"  flips        {flips}, {counted(found.repetitions, 'repetition')}"
    yield f"  undecided    {rate(found.undecided)}"
    worst = sorted(found.troubles.items(), key=lambda trouble: -trouble[1])
    yield from (f"    {times} times: {reason}" for reason, times in worst[: None if verbose else 3])
    yield f"  spent        {_spent(found)}"
    yield from _drift(checked.drift)
    yield f"  kept in {checked.path}"


def _result(found: "Examination") -> str:
    if found.qualified:
        return f"QUALIFIED {found.judge} on {found.rubric}, examined {found.examined_on}"
    if not found.conclusive:
        return f"UNQUALIFIED {found.judge} on {found.rubric}: too few verdicts were reached to tell"
    return f"UNQUALIFIED {found.judge} on {found.rubric}: its verdicts are shown and never counted"


def _proportion(value: "Proportion") -> str:
    interval = f" {value.wilson} (95%, Wilson)" if value.wilson else ""
    return f"{rate(value.rate)}{interval}"


def _area(found: "Examination") -> str:
    area = found.discrimination
    if area is None:
        return "not graded: its scores have no more than two values"
    if area.area is None:
        return f"none: {area.reason}"
    return f"{area.area:.3f} {f'{area.interval} (95%, DeLong)' if area.interval else f'({area.reason})'}"


def _spent(found: "Examination") -> str:
    spent = found.spent
    if not spent.requests:
        return "no request"
    tokens = (
        f"{spent.usage.prompt_tokens + spent.usage.completion_tokens:,} tokens" if spent.usage else "tokens unknown"
    )
    cost = "cost unknown" if spent.cost_usd is None else f"{spent.cost_usd} USD"
    return f"{counted(spent.requests, 'request')}, {tokens}, {cost}, {spent.seconds:.1f} s of waiting"


def _drift(moved: "Drift | None") -> Iterator[str]:
    if moved is None:
        yield "  drift        none to tell: this is its first examination"
        return
    if not moved.any:
        yield f"  drift        none since {moved.since}"
        return
    yield f"  drift since {moved.since}, when it was {'qualified' if moved.qualified_before else 'not qualified'}:"
    yield from (f"    changed: {change}" for change in moved.judge_changes)
    if not moved.same_specimens:
        yield "    the set is another one; answers of the same id are compared"
    for words, ids in (("wrong now", moved.now_wrong), ("right now", moved.now_right)):
        if ids:
            more = f" and {len(ids) - _MOVED} more" if len(ids) > _MOVED else ""
            yield f"    {counted(len(ids), 'answer')} {words}: {', '.join(ids[:_MOVED])}{more}"
