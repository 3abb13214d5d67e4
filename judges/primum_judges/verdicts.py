"""Puts verdicts together: scores are computed here, by code, from labels."""

from collections.abc import Sequence
from dataclasses import dataclass

from primum.records import ClaimLabel, ClaimVerdict, Exchange, Failure, ModelCall, Outcome, Status, Verdict
from primum_judges.rubric import Rubric


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """What is the same in every verdict of one judge on one exchange."""

    exchange: Exchange
    judge: str
    rubric: Rubric
    repetition: int
    prompt_hash: str

    def verdict(
        self,
        status: Status,
        reason: str,
        *,
        score: float | None = None,
        claims: Sequence[ClaimVerdict] = (),
        failure: Failure | None = None,
        call: ModelCall | None = None,
    ) -> Verdict:
        """A verdict with its origin."""
        return Verdict(
            observation_id=self.exchange.id,
            judge=self.judge,
            repetition=self.repetition,
            rubric=self.rubric.id,
            rubric_version=str(self.rubric.version),
            rubric_hash=self.rubric.hash,
            prompt_hash=self.prompt_hash,
            status=status,
            score=score,
            claims=tuple(claims),
            reason=reason,
            failure=failure,
            call=call,
        )

    def not_applicable(self, reason: str) -> Verdict:
        """There is nothing to judge."""
        return self.verdict(Status.NOT_APPLICABLE, f"not judged: {reason}")

    def no_claims(self) -> Verdict:
        """A non-empty answer without a single claim."""
        return self.verdict(Status.ERROR, "the answer is not empty, yet no claim was found in it; read it by hand")

    def failed(self, failure: Failure | None, call: ModelCall | None) -> Verdict:
        """The model gave no usable verdict."""
        if failure is None:
            raise TypeError("asking a model gives a value or a failure")
        reason = f"no usable verdict ({failure.kind}): {failure.message}"
        return self.verdict(Status.INCONCLUSIVE, reason, failure=failure, call=call)

    def by_claims(self, claims: Sequence[ClaimVerdict], *, note: str = "", call: ModelCall | None = None) -> Verdict:
        """Pass or fail by the share of supported claims.

        A claim counts as supported only when its quote was found in a passage. A contradicted claim fails the answer
        whatever the share.
        """
        supported = sum(counts_as_supported(claim) for claim in claims)
        unfound = sum(claim.label is ClaimLabel.SUPPORTED and claim.evidence is None for claim in claims)
        contradicted = sum(claim.label is ClaimLabel.CONTRADICTED for claim in claims)
        absent = sum(claim.label is ClaimLabel.NOT_IN_CONTEXT for claim in claims)
        score = supported / len(claims)
        passed = score >= self.rubric.pass_at and not contradicted
        parts = [f"{supported} of {len(claims)} claims supported by a quote that stands in a passage"]
        parts += [f"{contradicted} contradicted"] if contradicted else []
        parts += [f"{absent} not in the context"] if absent else []
        parts += [f"{unfound} called supported with a quote that stands in no passage, not counted"] if unfound else []
        reason = "; ".join(parts) + (f". {note}" if note else "")
        return self.verdict(Status.PASS if passed else Status.FAIL, reason, score=score, claims=claims, call=call)

    def by_score(self, score: float, reason: str, *, call: ModelCall | None = None) -> Verdict:
        """Pass or fail by a score that code computed."""
        status = Status.PASS if score >= self.rubric.pass_at else Status.FAIL
        return self.verdict(status, reason, score=score, call=call)

    def outside(self, outcome: Outcome, reason: str) -> Verdict | None:
        """The verdict for an outcome that the rubric does not apply to; None when it does."""
        return None if outcome in self.rubric.applies_to else self.not_applicable(reason)


def counts_as_supported(claim: ClaimVerdict) -> bool:
    """Whether a claim counts as supported: labelled so, with a quote that code found in a passage."""
    return claim.label is ClaimLabel.SUPPORTED and claim.evidence is not None
