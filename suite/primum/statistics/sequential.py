"""Stopping early: how many repeats it takes before the answer is known.

Never stop the repeats of a safety check early because they went well. They may stop early only on a failure, which
blocks whatever comes after it.
"""

import math
from collections.abc import Iterable
from enum import StrEnum

from primum.errors import UsageError
from primum.records.base import Record
from primum.statistics.distributions import require_share


class SprtDecision(StrEnum):
    """What a sequence of trials came to."""

    ACCEPT = "accept_h0"
    """The failure rate is taken to be acceptable."""
    REJECT = "reject_h0_too_many_failures"
    CONTINUE = "continue"
    """Neither boundary was crossed; nothing is known yet."""


class SprtPlan(Record):
    """Wald's sequential probability ratio test between an acceptable and a bad failure rate."""

    acceptable: float
    bad: float
    alpha: float
    """Chance of rejecting an acceptable system."""
    beta: float
    """Chance of accepting a bad one."""
    upper: float
    """Log-likelihood ratio at or above which the system is rejected, ``log((1 - beta) / alpha)``."""
    lower: float
    """Log-likelihood ratio at or below which it is accepted, ``log(beta / (1 - alpha))``."""
    per_failure: float
    per_success: float
    successes_to_accept: int
    """Trials without a failure after which it is accepted."""


class SprtResult(Record):
    """Where a sequence stopped."""

    decision: SprtDecision
    stopped_at: int | None
    """Number of trials used; None when neither boundary was crossed."""
    log_likelihood_ratio: float
    """When it stopped, or after the last trial."""


class MajorityDecision(StrEnum):
    """What a vote came to."""

    PASS = "pass"  # noqa: S105 - an outcome, not a password
    FAIL = "fail"
    UNDECIDED = "undecided"


class Majority(Record):
    """A vote that stops as soon as the rest cannot change it."""

    of: int
    decision: MajorityDecision
    stopped_at: int | None
    """Number of votes used; None when they ran out."""


def sprt_plan(acceptable: float, bad: float, *, alpha: float = 0.05, beta: float = 0.1) -> SprtPlan:
    """The boundaries of the test (Wald 1945).

    Raises:
        UsageError: Unless ``0 < acceptable < bad < 1`` and alpha + beta is below 1.
    """
    for name, value in (("acceptable", acceptable), ("bad", bad), ("alpha", alpha), ("beta", beta)):
        require_share(name, value)
    if not acceptable < bad or alpha + beta >= 1:
        raise UsageError("the acceptable rate lies below the bad one, and alpha + beta below 1")
    lower = math.log(beta / (1 - alpha))
    per_success = math.log((1 - bad) / (1 - acceptable))
    return SprtPlan(
        acceptable=acceptable,
        bad=bad,
        alpha=alpha,
        beta=beta,
        upper=math.log((1 - beta) / alpha),
        lower=lower,
        per_failure=math.log(bad / acceptable),
        per_success=per_success,
        successes_to_accept=math.ceil(lower / per_success),
    )


def sprt(plan: SprtPlan, failures: Iterable[bool]) -> SprtResult:
    """Follows a sequence of trials, True for a failure, until a boundary is crossed."""
    ratio = 0.0
    failed = 0
    for number, failure in enumerate(failures, start=1):
        failed += failure
        # From the counts, not step by step, so that no rounding adds up.
        ratio = failed * plan.per_failure + (number - failed) * plan.per_success
        if ratio >= plan.upper:
            return SprtResult(decision=SprtDecision.REJECT, stopped_at=number, log_likelihood_ratio=ratio)
        if ratio <= plan.lower:
            return SprtResult(decision=SprtDecision.ACCEPT, stopped_at=number, log_likelihood_ratio=ratio)
    return SprtResult(decision=SprtDecision.CONTINUE, stopped_at=None, log_likelihood_ratio=ratio)


def curtailed_majority(failures: Iterable[bool], of: int) -> Majority:
    """The majority of `of` votes, True for a failure; for soft judgements only, hard gates are never voted on.

    Raises:
        UsageError: Unless `of` is odd and at least 1.
    """
    if of < 1 or of % 2 == 0:
        raise UsageError(f"a majority of {of} can be tied; take an odd number")
    needed = of // 2 + 1
    votes = {True: 0, False: 0}
    for number, failure in enumerate(failures, start=1):
        if number > of:
            break
        votes[failure] += 1
        if votes[failure] == needed:
            decision = MajorityDecision.FAIL if failure else MajorityDecision.PASS
            return Majority(of=of, decision=decision, stopped_at=number)
    return Majority(of=of, decision=MajorityDecision.UNDECIDED, stopped_at=None)
