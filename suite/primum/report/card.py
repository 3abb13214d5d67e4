"""The evaluation card: what was tested and what was not, for whoever must answer for a release."""

from collections import Counter
from collections.abc import Iterator

from primum.records.base import Status
from primum.records.summary import RunReport, SystemSummary
from primum.report.comparison import ordered
from primum.report.markdown import escaped
from primum.report.numbers import counted, rate, score
from primum.report.private import withhold
from primum.report.waived import waiver_lines
from primum.statistics.proportions import proportion


def render_card(report: RunReport) -> str:
    """The card of the system that may be released, as Markdown; equal reports give equal text."""
    safe = withhold(report)
    system = next(one for one in ordered(safe) if one.system == safe.release)
    return "\n".join([*_head(safe, system), *_tested(system), *_results(system), *_limits(safe, system)]) + "\n"


def _head(report: RunReport, system: SystemSummary) -> Iterator[str]:
    manifest = report.manifest
    yield f"# Evaluation card: {escaped(report.title)}"
    yield ""
    yield f"**{escaped(system.decision.headline, 1_000)}**"
    yield ""
    yield f"System: {escaped(system.system)}, {escaped(system.generator)}."
    yield f"Run {escaped(manifest.run)}, {manifest.created_at}, Primum {escaped(manifest.primum_version)}."
    yield ""
    for name in ("dataset_digest", "corpus_digest", "policy_digest", "config_digest"):
        yield f"- {name.replace('_', ' ')}: `{getattr(manifest, name)}`"


def _tested(system: SystemSummary) -> Iterator[str]:
    families = system.families
    yield "\n## What was tested\n"
    yield f"- {counted(len(families), 'family', 'families')} of questions, {system.coverage.answered} answered"
    for title, counts in (
        ("kinds", Counter(family.kind for family in families)),
        ("consequences", Counter(family.consequence.value for family in families)),
        ("roles", Counter(family.role.value for family in families)),
    ):
        listed = ", ".join(f"{escaped(name)} {count}" for name, count in sorted(counts.items()))
        yield f"- {title}, by families: {listed}"


def _results(system: SystemSummary) -> Iterator[str]:
    yield "\n## Results\n"
    yield "| gate | observations that fail | families that fail | 95% interval over families |"
    yield "| :-- | :-- | :-- | :-- |"
    for gate in system.gates:
        found = proportion(gate.failed_families.numerator, gate.failed_families.denominator)
        interval = str(found.clopper_pearson) if found.clopper_pearson else "nothing was counted"
        yield f"| {escaped(gate.gate)} | {rate(gate.failed)} | {rate(gate.failed_families)} | {interval} |"
    for measure in system.measures:
        families = counted(measure.families, "family", "families")
        yield f"\n- {escaped(measure.measure)}: {score(measure.mean)} over {families}"
    for judge in system.judges:
        said = "qualified" if judge.qualification.qualified else "not qualified: shown, never counted"
        yield f"\n- {escaped(judge.rubric)} by {escaped(judge.judge)}: {score(judge.mean)} ({said})"


def _limits(report: RunReport, system: SystemSummary) -> Iterator[str]:
    yield "\n## Known failures, waivers and what was not tested\n"
    for reason in system.decision.reasons:
        yield f"- {reason.kind.value} {escaped(reason.rule)}: {escaped(reason.message, 600)}"
    yield from (f"- {escaped(line, 600)}" for line in waiver_lines(system))
    for gate in system.gates:
        if not gate.failed.denominator:
            yield f"- the gate {escaped(gate.gate)} applied to no observation"
        if undecided := gate.counts.get(Status.INCONCLUSIVE, 0):
            yield f"- the gate {escaped(gate.gate)} could not decide on {counted(undecided, 'observation')}"
    yield from (f"- {escaped(note, 1_000)}" for note in report.notes)
    yield "- Questions of other kinds, other documents and other wordings than those above were not tested."
    yield "- A gate misses what its documented limits name. Zero failures bound the true rate as the intervals say."
