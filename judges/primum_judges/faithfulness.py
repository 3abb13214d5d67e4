"""The LLM judge that labels each claim of an answer against the passages, with a quote that code verifies."""

from collections.abc import Collection, Sequence
from typing import ClassVar

from pydantic import Field

from primum.records import AnswerKey, ClaimLabel, ClaimVerdict, Passage, PassageSpan, Verdict
from primum_judges.citations import cited_positions
from primum_judges.claims import Claim, Split
from primum_judges.labelled import check_labels, check_quote
from primum_judges.model_judge import ModelJudge
from primum_judges.prompt import judge_prompt
from primum_judges.rubric import Need
from primum_judges.structured import StrictReply, ask
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


class FaithfulnessJudge(ModelJudge):
    """Scores the share of an answer's claims that its passages support, by a model.

    The score is computed by code: claims labelled supported whose quote stands, to the letter, in a passage, divided by
    all claims. A claim that the model calls supported with a quote that stands nowhere keeps its label, has no
    `evidence`, and does not count. One contradicted claim fails the answer. A claim without a label is never taken for
    anything. When the rubric needs citations, a claim's quote is looked for only in the passages that the claim cites.
    """

    scale: ClassVar[str] = "claims"

    @property
    def structure(self) -> type[ClaimsReply]:
        """A label for each claim."""
        return ClaimsReply

    async def _ask(self, sheet: Sheet, split: Split, key: AnswerKey) -> Verdict:
        del key
        exchange = sheet.exchange
        if not split.claims:
            return sheet.no_claims()
        if not exchange.context:
            labels = [_unsupported(claim) for claim in split.claims]
            return sheet.by_claims(labels, note="No passage reached the prompt, so no model was asked.")
        cites = {claim.id: self._evidence_for(claim, exchange.context) for claim in split.claims}
        texts = {claim.id: self._shown(claim, cites[claim.id]) for claim in split.claims}
        prompt = judge_prompt(self._rubric, exchange, list(texts.items()))
        asked = await ask(
            self._endpoint, prompt, ClaimsReply, mode=self._mode, check=lambda reply: _check(reply, texts)
        )
        if asked.value is None:
            return sheet.failed(asked.failure, asked.call)
        replies = {reply.id: reply for reply in asked.value.claims}
        passages = [(passage.id, QuotedText(passage.text)) for passage in exchange.context]
        return sheet.by_claims(
            [_verdict(claim, replies[claim.id], [passages[at] for at in cites[claim.id]]) for claim in split.claims],
            call=asked.call,
        )

    def _evidence_for(self, claim: Claim, context: Sequence[Passage]) -> Sequence[int]:
        """Positions of the passages that can support the claim."""
        if Need.CITATIONS in self._rubric.needs:
            return cited_positions(claim.span.text, context)
        return range(len(context))

    def _shown(self, claim: Claim, cites: Sequence[int]) -> str:
        """The claim as the judge sees it."""
        if Need.CITATIONS not in self._rubric.needs:
            return claim.span.text
        named = ", ".join(f"PASSAGE {at + 1}" for at in cites) or "nothing"
        return f"(cites {named}) {claim.span.text}"


def _check(reply: ClaimsReply, claims: Collection[str]) -> None:
    check_labels([claim.id for claim in reply.claims], claims)
    for claim in reply.claims:
        check_quote(claim.id, claim.label, claim.quote, wanted=claim.label is not ClaimLabel.NOT_IN_CONTEXT)


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
