"""The LLM judge that labels each claim of an answer against the passages, with a quote that code verifies."""

from collections.abc import Sequence

from pydantic import Field

from primum.digest import digest
from primum.endpoint import Endpoint
from primum.errors import ConfigError, MalformedReplyError
from primum.records import (
    AnswerKey,
    ClaimLabel,
    ClaimVerdict,
    Exchange,
    KeyField,
    Outcome,
    PassageSpan,
    Verdict,
)
from primum_judges.claims import Claim, split_claims
from primum_judges.prompt import PROMPT_VERSION, judge_prompt
from primum_judges.reading import nothing_to_judge
from primum_judges.rubric import Rubric
from primum_judges.structured import Mode, StrictReply, ask
from primum_judges.untrusted import QuotedText
from primum_judges.verdicts import Sheet


class ClaimReply(StrictReply):
    """The label of one claim."""

    id: str = Field(description="The id of the claim, such as c1.")
    quote: str | None = Field(description="Words copied letter for letter from one passage; null for not_in_context.")
    label: ClaimLabel


class ClaimsReply(StrictReply):
    """The labels of all claims, each exactly once."""

    claims: list[ClaimReply]


class FaithfulnessJudge:
    """Scores the share of an answer's claims that its passages support, by a model.

    The score is computed by code: claims labelled supported whose quote stands, to the letter, in a passage, divided by
    all claims. A claim that the model calls supported with a quote that stands nowhere keeps its label, has no
    `evidence`, and does not count. One contradicted claim fails the answer. Trouble with the model is an inconclusive
    verdict; a claim without a label is never taken for anything.

    Args:
        endpoint: The model.
        rubric: A rubric of the scale ``claims``.
        mode: How the endpoint takes a schema.

    Raises:
        ConfigError: the rubric is of another scale.
    """

    def __init__(self, endpoint: Endpoint, rubric: Rubric, *, mode: Mode = "tools") -> None:
        if rubric.scale != "claims":
            raise ConfigError(f"the rubric {rubric.id} has the scale {rubric.scale}; this judge needs the scale claims")
        self._endpoint = endpoint
        self._rubric = rubric
        self._mode: Mode = mode

    @property
    def id(self) -> str:
        """The model's name."""
        return self._endpoint.model

    @property
    def rubric(self) -> str:
        """Id of the rubric."""
        return self._rubric.id

    @property
    def needs(self) -> frozenset[KeyField]:
        """The parts of the answer key that the rubric asks for."""
        return self._rubric.key_needs

    @property
    def fingerprint(self) -> str:
        """Digest of everything that can change a verdict: model, parameters, rubric, prompt and mode."""
        return digest(fingerprint_parts(self._endpoint, self._rubric, self._mode))

    async def judge(self, exchange: Exchange, key: AnswerKey, *, repetition: int) -> Verdict:
        """A verdict with one label for each claim."""
        del key
        sheet = Sheet(exchange=exchange, judge=self.id, rubric=self._rubric, repetition=repetition)
        split = split_claims(exchange.answer.text if exchange.answer else "")
        nothing = nothing_to_judge(exchange, split)
        early = sheet.outside(*nothing) if nothing else sheet.outside(Outcome.ANSWERED, "answers are not judged by it")
        if early is not None:
            return early
        if not split.claims:
            return sheet.no_claims()
        if not exchange.context:
            labels = [_unsupported(claim) for claim in split.claims]
            return sheet.by_claims(labels, note="No passage reached the prompt, so no model was asked.")
        prompt = judge_prompt(self._rubric, exchange, split.claims)
        asked = await ask(
            self._endpoint,
            prompt,
            ClaimsReply,
            mode=self._mode,
            check=lambda reply: _check(reply, split.claims),
        )
        if asked.failure is not None:
            return sheet.failed(asked.failure, asked.call)
        replies = {reply.id: reply for reply in asked.value.claims} if asked.value else {}
        passages = [(passage.id, QuotedText(passage.text)) for passage in exchange.context]
        verdicts = [_verdict(claim, replies[claim.id], passages) for claim in split.claims]
        return sheet.by_claims(verdicts, call=asked.call)


def fingerprint_parts(endpoint: Endpoint, rubric: Rubric, mode: Mode) -> dict[str, object]:
    """What a verdict of a model depends on, beside the exchange."""
    return {
        "model": endpoint.model,
        "api_base": endpoint.api_base,
        "parameters": dict(endpoint.parameters),
        "rubric": rubric.hash,
        "prompt": PROMPT_VERSION,
        "mode": mode,
    }


def _check(reply: ClaimsReply, claims: Sequence[Claim]) -> None:
    """Raises MalformedReplyError unless each claim has exactly one label, and the fields of each agree."""
    given = [claim.id for claim in reply.claims]
    wanted = {claim.id for claim in claims}
    twice = len(given) - len(set(given))
    if twice:
        raise MalformedReplyError(f"{twice} claim ids stand more than once in the reply")
    unknown, missing = len(set(given) - wanted), len(wanted - set(given))
    if unknown or missing:
        raise MalformedReplyError(f"{missing} claims have no label and {unknown} labels are for no claim")
    for claim in reply.claims:
        quoted = bool((claim.quote or "").strip())
        if quoted == (claim.label is ClaimLabel.NOT_IN_CONTEXT):
            problem = "a quote" if quoted else "no quote"
            raise MalformedReplyError(f"the reply contradicts itself: {claim.id} is {claim.label} and has {problem}")


def _verdict(claim: Claim, reply: ClaimReply, passages: Sequence[tuple[str, QuotedText]]) -> ClaimVerdict:
    quote = (reply.quote or "").strip() or None
    evidence = _evidence(quote, passages) if quote else None
    return ClaimVerdict(claim_id=claim.id, span=claim.span, label=reply.label, quote=quote, evidence=evidence)


def _evidence(quote: str, passages: Sequence[tuple[str, QuotedText]]) -> PassageSpan | None:
    for passage_id, text in passages:
        span = text.find(quote)
        if span is not None:
            return PassageSpan(passage_id=passage_id, span=span)
    return None


def _unsupported(claim: Claim) -> ClaimVerdict:
    return ClaimVerdict(claim_id=claim.id, span=claim.span, label=ClaimLabel.NOT_IN_CONTEXT)
