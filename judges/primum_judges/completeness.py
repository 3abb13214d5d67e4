"""The LLM judge that looks for each statement of the answer key in the answer, with a quote that code verifies."""

from collections.abc import Collection
from enum import StrEnum
from typing import ClassVar

from pydantic import Field

from primum.records import AnswerKey, ClaimLabel, ClaimVerdict, Status, Verdict
from primum_judges.claims import Split
from primum_judges.labelled import check_labels, check_quote
from primum_judges.model_judge import ModelJudge
from primum_judges.prompt import judge_prompt
from primum_judges.structured import StrictReply, ask
from primum_judges.untrusted import QuotedText
from primum_judges.verdicts import Sheet


class StatementLabel(StrEnum):
    """What an answer does with a statement."""

    MADE = "made"
    REVERSED = "reversed"
    ABSENT = "absent"


class StatementReply(StrictReply):
    """The label of one statement."""

    id: str = Field(description="The id of the statement, such as s1.")
    quote: str | None = Field(description="Words copied letter for letter from the answer; null for absent.")
    label: StatementLabel


class StatementsReply(StrictReply):
    """The labels of all statements, each exactly once."""

    statements: list[StatementReply]


class CompletenessJudge(ModelJudge):
    """Scores the share of the key's statements that an answer makes, by a model.

    A statement counts as made only when the model quotes the words that make it and code finds them in the answer. One
    reversed statement fails the answer. The verdict's `claims` hold the statements whose quote was found, with their
    place in the answer; the reason names the others.
    """

    scale: ClassVar[str] = "statements"

    @property
    def structure(self) -> type[StatementsReply]:
        """A label for each statement."""
        return StatementsReply

    async def _ask(self, sheet: Sheet, split: Split, key: AnswerKey) -> Verdict:
        del split
        statements = {f"s{number}": text for number, text in enumerate(key.must_have or (), 1)}
        if not statements:
            return sheet.not_applicable("the case names no statement that an answer must make")
        prompt = judge_prompt(self._rubric, sheet.exchange, list(statements.items()))
        asked = await ask(
            self._endpoint, prompt, StatementsReply, mode=self._mode, check=lambda reply: _check(reply, statements)
        )
        if asked.value is None:
            return sheet.failed(asked.failure, asked.call)
        text = QuotedText(sheet.exchange.answer.text if sheet.exchange.answer else "")
        found = [_found(reply, text) for reply in asked.value.statements if reply.label is not StatementLabel.ABSENT]
        located = [claim for claim in found if claim is not None]
        made = [claim for claim in located if claim.label is ClaimLabel.SUPPORTED]
        reversed_ = [reply for reply in asked.value.statements if reply.label is StatementLabel.REVERSED]
        score = len(made) / len(statements)
        left = sorted(set(statements) - {claim.claim_id for claim in made}, key=lambda id_: int(id_[1:]))
        reason = f"{len(made)} of {len(statements)} statements made, each by a quote that stands in the answer"
        reason += f"; not made: {', '.join(left)}" if left else ""
        reason += f"; {len(reversed_)} reversed" if reversed_ else ""
        passed = score >= self._rubric.pass_at and not reversed_
        status = Status.PASS if passed else Status.FAIL
        return sheet.verdict(status, reason, score=score, claims=located, call=asked.call)


def _check(reply: StatementsReply, statements: Collection[str]) -> None:
    check_labels([label.id for label in reply.statements], statements)
    for label in reply.statements:
        check_quote(label.id, label.label, label.quote, wanted=label.label is not StatementLabel.ABSENT)


def _found(reply: StatementReply, text: QuotedText) -> ClaimVerdict | None:
    span = text.find(reply.quote or "")
    if span is None:
        return None
    label = ClaimLabel.SUPPORTED if reply.label is StatementLabel.MADE else ClaimLabel.CONTRADICTED
    return ClaimVerdict(claim_id=reply.id, span=span, label=label, quote=reply.quote)
