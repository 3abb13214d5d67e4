"""The lexical judge: a deterministic estimate from shared words and numbers, for machines without a model."""

from collections.abc import Sequence
from typing import Final

from primum.digest import digest
from primum.errors import ConfigError
from primum.records import (
    AnswerKey,
    ClaimLabel,
    ClaimVerdict,
    Exchange,
    KeyField,
    Outcome,
    Passage,
    PassageSpan,
    Verdict,
)
from primum_judges.boilerplate import CITATION
from primum_judges.claims import Claim, split_claims
from primum_judges.reading import nothing_to_judge
from primum_judges.rubric import Need, Rubric
from primum_judges.verdicts import Sheet
from primum_judges.words import content_words, negates, quantities

LEXICAL_ID: Final = "lexical"
LEXICAL_VERSION: Final = 1
"""Raised whenever a verdict could change."""

COVERAGE: Final = 0.7
"""Share of a claim's content words that the best passage must hold."""

_NOTE: Final = "This is a lexical estimate from shared words and numbers, not a model's judgement."


class LexicalJudge:
    """Estimates faithfulness or relevance from words, without a model.

    - Rubrics of the scale ``claims``: a claim counts as supported when one passage holds at least `COVERAGE` of its
      content words and every number of it with the same unit, and when the passage's closest sentence has a negation
      if, and only if, the claim has one. It never says "contradicted": words cannot tell.
    - Rubrics of the scale ``labels`` that need the question and nothing else: the score is the share of the question's
      content words that the answer holds.

    It cannot see paraphrases and cannot tell who does what to whom. Its reasons say what it is.

    Raises:
        ConfigError: the rubric is of a kind that it cannot estimate.
    """

    def __init__(self, rubric: Rubric) -> None:
        if rubric.scale == "labels" and rubric.needs != frozenset({Need.QUESTION}):
            raise ConfigError(
                f"the lexical judge cannot estimate the rubric {rubric.id}; configure a judge model for it"
            )
        if rubric.key_needs:
            raise ConfigError(f"the lexical judge knows no answer key, which the rubric {rubric.id} needs")
        self._rubric = rubric

    @property
    def id(self) -> str:
        """``lexical``."""
        return LEXICAL_ID

    @property
    def rubric(self) -> str:
        """Id of the rubric."""
        return self._rubric.id

    @property
    def needs(self) -> frozenset[KeyField]:
        """Nothing of the answer key."""
        return frozenset()

    @property
    def fingerprint(self) -> str:
        """Digest of everything that can change a verdict."""
        return digest({"lexical": LEXICAL_VERSION, "rubric": self._rubric.hash})

    async def judge(self, exchange: Exchange, key: AnswerKey, *, repetition: int) -> Verdict:
        """The estimate; the same for every repetition."""
        del key
        sheet = Sheet(exchange=exchange, judge=self.id, rubric=self._rubric, repetition=repetition)
        split = split_claims(exchange.answer.text if exchange.answer else "")
        nothing = nothing_to_judge(exchange, split)
        early = sheet.outside(*nothing) if nothing else sheet.outside(Outcome.ANSWERED, "answers are not judged by it")
        if early is not None:
            return early
        if self._rubric.scale == "labels":
            return _overlap(sheet)
        if not split.claims:
            return sheet.no_claims()
        return sheet.by_claims([_label(claim, exchange.context) for claim in split.claims], note=_NOTE)


def _overlap(sheet: Sheet) -> Verdict:
    exchange = sheet.exchange
    asked = content_words(exchange.question)
    if not asked:
        return sheet.not_applicable("the question has no content words to look for")
    found = asked & content_words(exchange.answer.text if exchange.answer else "")
    reason = f"the answer holds {len(found)} of the question's {len(asked)} content words. {_NOTE}"
    return sheet.by_score(len(found) / len(asked), reason)


def _label(claim: Claim, context: Sequence[Passage]) -> ClaimVerdict:
    # Citations are marks, not words of the claim.
    text = CITATION.sub(" ", claim.span.text)
    words = content_words(text)
    best = max(context, key=lambda passage: len(words & _passage_words(passage)), default=None)
    unsupported = ClaimVerdict(claim_id=claim.id, span=claim.span, label=ClaimLabel.NOT_IN_CONTEXT)
    if best is None or not words or len(words & _passage_words(best)) < COVERAGE * len(words):
        return unsupported
    held = quantities(f"{best.title}\n{best.text}")
    numbers = {number for number, _ in held}
    if any((number, unit) not in held if unit else number not in numbers for number, unit in quantities(text)):
        return unsupported
    closest = _closest(words, best)
    if closest is None or negates(closest.span.text) != negates(text):
        return unsupported
    return ClaimVerdict(
        claim_id=claim.id,
        span=claim.span,
        label=ClaimLabel.SUPPORTED,
        quote=closest.span.text,
        evidence=PassageSpan(passage_id=best.id, span=closest.span),
    )


def _passage_words(passage: Passage) -> frozenset[str]:
    return content_words(f"{passage.title}\n{passage.text}")


def _closest(words: frozenset[str], passage: Passage) -> Claim | None:
    """The sentence of the passage that shares most words; of equals, the shortest, then the first."""
    return max(
        split_claims(passage.text).claims,
        key=lambda sentence: (len(words & content_words(sentence.span.text)), -len(sentence.span.text)),
        default=None,
    )
