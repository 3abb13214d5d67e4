"""The last accepted run: its outcomes case by case, in a file that is committed beside the project."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from primum.app.results import read_results
from primum.app.workspace import Workspace
from primum.comparison import compare, comparison_reasons, system_outcomes
from primum.errors import ConfigError, UsageError, at
from primum.records import DecisionKind, Reason, Role
from primum.records.comparison import Comparison, SystemOutcomes
from primum.records.decision import EXIT_CODES
from primum.report.write import write_whole

NOT_YET = "compared:nothing"
"""The rule that speaks while the project names a file and no run was accepted."""
_COMPARED = "compared:"


def accept(work: Workspace, run: str, *, regressions: bool = False) -> Path:
    """Makes a run the last accepted one; later runs are compared with it.

    Args:
        work: The project, which names the file.
        run: A decided run.
        regressions: Whether what got worse than in the run accepted before is accepted too.

    Raises:
        UsageError: The project names no file, or something else speaks against the run.
    """
    path = _file(work)
    if path is None:
        raise UsageError(f"{work.project.path}: baseline names no file; add for example: baseline: baseline.json")
    release = work.project.settings.release
    decision = next((one for one in work.store.decisions(run) if one.system == release), None)
    if decision is None:
        raise UsageError(f"run {run} is not decided; run: primum decide -c {work.project.path}")
    against = [reason.rule for reason in decision.reasons if reason.kind is not DecisionKind.PASS]
    hard = [rule for rule in against if not rule.startswith(_COMPARED)]
    worse = [rule for rule in against if rule.startswith(_COMPARED) and rule != NOT_YET]
    if hard or (worse and not regressions):
        hint = "" if hard else "; when that is meant, repeat with --accept-regressions"
        raise UsageError(f"run {run} cannot be accepted: {', '.join(hard or worse)} speaks against it{hint}")
    write_whole(path, outcomes_of(work, run).model_dump_json(indent=1) + "\n")
    return path


def outcomes_of(work: Workspace, run: str) -> SystemOutcomes:
    """What the system that may be released came to in a run, case by case."""
    return system_outcomes(work.project.settings.release, read_results(work, run), work.started_as(run))


@dataclass(frozen=True, kw_only=True)
class Compared:
    """One run beside another, and what that would mean for a release."""

    comparisons: Mapping[Role, Comparison]
    reasons: tuple[Reason, ...]

    @property
    def exit_code(self) -> int:
        """1 when it got worse, 3 when it cannot be told, else 0."""
        kinds = {reason.kind for reason in self.reasons}
        return next((EXIT_CODES[kind] for kind in (DecisionKind.BLOCK, DecisionKind.INCONCLUSIVE) if kind in kinds), 0)


def compare_with(work: Workspace, base: str, run: str, *, intersection: bool = False) -> Compared:
    """Compares a run with another one.

    Args:
        work: The project.
        base: Id of another run of the project, or else a baseline file.
        run: The run.
        intersection: Whether to compare only what both hold unchanged.

    Raises:
        UsageError: There is no such run or file, or the two cannot be compared.
    """
    known = {manifest.run for manifest in work.store.runs()}
    if base not in known and not Path(base).is_file():
        raise UsageError(f"{base} is neither a run of {work.output} nor a file; primum runs lists the runs")
    before = outcomes_of(work, base) if base in known else read_accepted(Path(base))
    rules = work.project.settings.policy.comparison
    compared = compare_roles(before, outcomes_of(work, run), rules.margins, intersection=intersection)
    return Compared(comparisons=compared, reasons=tuple(comparison_reasons(compared[Role.ACCEPTANCE], rules)))


def beside_accepted(work: Workspace, candidate: SystemOutcomes) -> tuple[Mapping[Role, Comparison], tuple[Reason, ...]]:
    """The comparisons with the last accepted run, and what they say against a release.

    Both are empty for systems that are not to be released, and when the project names no such run.

    Raises:
        UsageError: The runs cannot be compared.
    """
    path, settings = _file(work), work.project.settings
    if path is None or candidate.system != settings.release:
        return {}, ()
    if not path.exists():
        message = f"no run was accepted yet; when this one may be, write {path.name} with: primum baseline update"
        return {}, (Reason(kind=DecisionKind.INCONCLUSIVE, rule=NOT_YET, message=message),)
    rules = settings.policy.comparison
    compared = compare_roles(read_accepted(path), candidate, rules.margins)
    return compared, tuple(comparison_reasons(compared[Role.ACCEPTANCE], rules))


def compare_roles(
    base: SystemOutcomes, candidate: SystemOutcomes, margins: Mapping[str, float], *, intersection: bool = False
) -> dict[Role, Comparison]:
    """The comparison on acceptance cases, and on development cases where both runs have some.

    Raises:
        UsageError: The runs cannot be compared.
    """
    roles: Iterable[Role] = {Role.ACCEPTANCE} | ({c.role for c in base.cases} & {c.role for c in candidate.cases})
    return {role: compare(base, candidate, role=role, margins=margins, intersection=intersection) for role in roles}


def read_accepted(path: Path) -> SystemOutcomes:
    """The outcomes in a baseline file.

    Raises:
        ConfigError: It is missing or not what `accept` wrote.
    """
    again = "write it again with: primum baseline update"
    try:
        return SystemOutcomes.model_validate_json(path.read_bytes())
    except OSError as error:
        raise ConfigError(f"{at(path)}: cannot be read: {error.strerror}; {again}") from None
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "the file"
        raise ConfigError(f"{at(path)}: {place}: {first['msg']}; {again}") from None


def _file(work: Workspace) -> Path | None:
    named = work.project.settings.baseline
    return None if named is None else work.project.root / named
