"""One call of a model: bounded attempts, each logged, and what they cost together."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TypeVar

from primum.endpoint.faults import failure_of
from primum.endpoint.records import Endpoint
from primum.endpoint.reply import Reply
from primum.endpoint.retry import pause
from primum.errors import EndpointError
from primum.records import Attempt, Failure, FailureKind, ModelCall, Usage

T = TypeVar("T")


@dataclass(kw_only=True)
class CallLog:
    """Collects what happens during one call."""

    endpoint: Endpoint
    stage: str
    prompt_hash: str
    attempts: list[Attempt] = field(default_factory=list[Attempt])
    replies: list[Reply] = field(default_factory=list[Reply])

    def call(self) -> ModelCall:
        """The call as it is stored: the last reply, and tokens and cost of all of them."""
        last = self.replies[-1] if self.replies else None
        return ModelCall(
            model_requested=self.endpoint.model,
            model_returned=last.model if last else None,
            fingerprint=last.fingerprint if last else None,
            parameters=self.endpoint.parameters,
            prompt_hash=self.prompt_hash,
            usage=self._usage(),
            cost_usd=self._cost(),
            finish_reason=last.finish_reason if last else None,
            raw_reply=last.raw if last else None,
            attempts=tuple(self.attempts),
        )

    def _usage(self) -> Usage | None:
        usages = [reply.usage for reply in self.replies if reply.usage is not None]
        # One reply without a count makes the sum unknown, not smaller.
        if not usages or len(usages) < len(self.replies):
            return None
        return Usage(
            prompt_tokens=sum(usage.prompt_tokens for usage in usages),
            completion_tokens=sum(usage.completion_tokens for usage in usages),
        )

    def _cost(self) -> Decimal | None:
        costs = [reply.cost_usd for reply in self.replies if reply.cost_usd is not None]
        return sum(costs, Decimal(0)) if costs and len(costs) == len(self.replies) else None


async def attempt(log: CallLog, once: Callable[[], Awaitable[T]], *, again: Collection[FailureKind]) -> T | Failure:
    """Calls `once` until it succeeds, fails for a reason outside of `again`, or the endpoint's attempts are used up.

    `once` sends at most one request and raises EndpointError when it fails. Each attempt is logged.
    """
    endpoint = log.endpoint
    for number in range(1, endpoint.attempts + 1):
        started, before = time.monotonic(), len(log.replies)
        try:
            result = await once()
        except EndpointError as error:
            failure = failure_of(error, stage=log.stage)
            rejected = log.replies[-1].raw if len(log.replies) > before else None
            seconds = time.monotonic() - started
            log.attempts.append(Attempt(number=number, failure=failure, raw_reply=rejected, seconds=seconds))
            wait = pause(
                number,
                base=endpoint.backoff_seconds,
                longest=endpoint.max_wait_seconds,
                retry_after=error.retry_after,
            )
            if failure.kind not in again or number == endpoint.attempts or wait is None:
                return failure
            await asyncio.sleep(wait)
        else:
            log.attempts.append(Attempt(number=number, seconds=time.monotonic() - started))
            return result
    raise AssertionError("an endpoint has at least one attempt")  # Endpoint.attempts is at least 1
