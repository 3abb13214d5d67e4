"""How many cases it takes to see a change, and what change a given number can show. Normal approximation throughout."""

import math

from primum.errors import UsageError
from primum.statistics.distributions import normal_quantile, require_share


def cases_for_difference(delta: float, sd: float, *, alpha: float = 0.05, power: float = 0.8) -> int:
    """Pairs needed to see a mean difference of `delta` when differences of a case have the standard deviation `sd`."""
    return _ceiling(_cases(delta, sd**2, alpha, power))


def detectable_difference(n: int, sd: float, *, alpha: float = 0.05, power: float = 0.8) -> float:
    """Smallest mean difference that `n` pairs show with the given power (the minimum detectable effect)."""
    return _z_sum(alpha, power) * _positive("sd", sd) / math.sqrt(_count("n", n))


def largest_sd(n: int, delta: float, *, alpha: float = 0.05, power: float = 0.8) -> float:
    """Largest standard deviation of the differences at which `n` pairs still show a mean difference of `delta`."""
    return _positive("delta", delta) * math.sqrt(_count("n", n)) / _z_sum(alpha, power)


def unpaired_cases_per_arm(p_base: float, p_candidate: float, *, alpha: float = 0.05, power: float = 0.8) -> int:
    """Cases for each system to tell two rates apart when the systems are asked different questions."""
    require_share("p_base", p_base)
    require_share("p_candidate", p_candidate)
    delta = _positive("the difference of the rates", abs(p_base - p_candidate))
    middle = (p_base + p_candidate) / 2
    z_alpha, z_power = _z(alpha, power)
    spread = z_alpha * math.sqrt(2 * middle * (1 - middle)) + z_power * math.sqrt(
        p_base * (1 - p_base) + p_candidate * (1 - p_candidate)
    )
    return _ceiling(spread**2 / delta**2)


def mcnemar_pairs(delta: float, discordant: float, *, alpha: float = 0.05, power: float = 0.8) -> int:
    """Pairs for McNemar's test (Connor 1987) to see a difference `delta` when a share `discordant` of pairs flips.

    Raises:
        UsageError: When `delta` is more than the flips could make.
    """
    _positive("delta", delta)
    if not delta <= discordant <= 1:
        raise UsageError(f"a difference of {delta} needs at least that share of flips; {discordant} flip")
    z_alpha, z_power = _z(alpha, power)
    spread = z_alpha * math.sqrt(discordant) + z_power * math.sqrt(discordant - delta**2)
    return _ceiling(spread**2 / delta**2)


def cases_with_repeats(
    delta: float, *, between: float, within: float, repeats: int, alpha: float = 0.05, power: float = 0.8
) -> int:
    """Cases needed when each system answers each of them `repeats` times.

    Args:
        delta: Mean difference to see.
        between: Variance of the true difference from case to case.
        within: Variance of one answer of one system around its own mean.
        repeats: Answers of each system to each case.
        alpha: Two-sided level.
        power: Chance of seeing the difference.
    """
    return _ceiling(_cases(delta, between + 2 * within / _count("repeats", repeats), alpha, power))


def design_effect(family_size: float, intra_family_correlation: float) -> float:
    """How many times more runs it takes because runs of a family resemble each other: ``1 + (m - 1) * ICC``."""
    if family_size < 1 or not 0 <= intra_family_correlation <= 1:
        raise UsageError("a family has at least one run, and the correlation inside it lies from 0 to 1")
    return 1 + (family_size - 1) * intra_family_correlation


def clustered_runs(
    delta: float,
    sd: float,
    *,
    family_size: int,
    intra_family_correlation: float,
    alpha: float = 0.05,
    power: float = 0.8,
) -> int:
    """Runs needed to see a mean difference of `delta` when they come in families of `family_size`."""
    effect = design_effect(family_size, intra_family_correlation)
    return _ceiling(_cases(delta, sd**2, alpha, power) * effect)


def families_needed(runs: int, family_size: int) -> int:
    """Whole families that hold at least `runs` runs."""
    return -(-runs // _count("family_size", family_size))


def _cases(delta: float, variance: float, alpha: float, power: float) -> float:
    return _z_sum(alpha, power) ** 2 * _positive("the variance", variance) / _positive("delta", delta) ** 2


def _z(alpha: float, power: float) -> tuple[float, float]:
    return normal_quantile(1 - require_share("alpha", alpha) / 2), normal_quantile(require_share("power", power))


def _z_sum(alpha: float, power: float) -> float:
    return sum(_z(alpha, power))


def _ceiling(needed: float) -> int:
    return max(1, math.ceil(needed))


def _positive(name: str, value: float) -> float:
    if not (math.isfinite(value) and value > 0):
        raise UsageError(f"{name} is {value!r}; it is a number above 0")
    return value


def _count(name: str, value: int) -> int:
    if value < 1:
        raise UsageError(f"{name} is {value!r}; it is at least 1")
    return value
