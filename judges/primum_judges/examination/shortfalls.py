"""Where a judge falls short of the bar: a pure function of what its examination found."""

from collections.abc import Iterator

from primum.policy import JudgeBar
from primum_judges.examination.record import Examination


def shortfalls(found: Examination, bar: JudgeBar) -> tuple[str, ...]:
    """Every reason why the judge is not qualified. What was not measured counts as not reached."""
    return (*_known(found, bar), *_groups(found, bar), *_steadiness(found, bar))


def _known(found: Examination, bar: JudgeBar) -> Iterator[str]:
    for name, measured, least in (
        ("sensitivity", found.errors.sensitivity, bar.sensitivity),
        ("specificity", found.errors.specificity, bar.specificity),
    ):
        if measured.rate.denominator < bar.least_known:
            yield f"{name} rests on {measured.rate.denominator} known specimens; at least {bar.least_known} are needed"
        elif measured.rate.value is None or measured.rate.value < least:
            yield f"{name} is {measured.rate}; at least {least:g} is needed"
    balanced = found.errors.balanced_accuracy
    if balanced is not None and balanced <= 0.5:
        yield f"it is no better than chance (balanced accuracy {balanced:.3f})"
    if found.constant:
        yield "it gave every known specimen the same verdict"


def _groups(found: Examination, bar: JudgeBar) -> Iterator[str]:
    for result in found.groups:
        wanted = bar.groups.get(result.group)
        if wanted is None:
            continue
        if result.right.value is None:
            yield f"no {result.group} probe says anything: there is none whose host it judged rightly"
        elif result.right.value < wanted:
            yield f"{result.group} probes: {result.right} right; at least {wanted:g} is needed"


def _steadiness(found: Examination, bar: JudgeBar) -> Iterator[str]:
    if found.flips.value is None and not found.deterministic:
        yield "every specimen was judged once, so nothing is known about flips; judge them twice or more"
    elif found.flips.value is not None and found.flips.value > bar.flips:
        yield f"{found.flips} verdicts changed between repetitions; at most {bar.flips:g} may"
    if found.undecided.value is None or found.undecided.value > bar.undecided:
        yield f"{found.undecided} verdicts were not reached; at most {bar.undecided:g} may"
    if len(found.models_returned) > 1:
        yield f"{len(found.models_returned)} models answered: {', '.join(found.models_returned)}"
