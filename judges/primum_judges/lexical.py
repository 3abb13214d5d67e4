"""The lexical judge: a deterministic estimate from shared words and numbers, for machines without a model."""

import re
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
    Passage,
    PassageSpan,
    Verdict,
)
from primum_judges.boilerplate import CITATION
from primum_judges.claims import Claim, split_claims
from primum_judges.reading import early_verdict
from primum_judges.rubric import Need, Rubric
from primum_judges.verdicts import Sheet
from primum_judges.words import asked_words, content_words, missing_quantities, negates

LEXICAL_ID: Final = "lexical"
LEXICAL_VERSION: Final = 1
"""Raised whenever a verdict could change."""

COVERAGE: Final = 0.7
"""Share of a claim's content words that the best passage must hold."""

_YES_NO: Final = re.compile(r"^[*_\s]*(?:yes|no)\b[.,:;!]?", re.IGNORECASE)
_NOTE: Final = "This is a lexical estimate from shared words and numbers, not a model's judgement."


class LexicalJudge:
    """Estimates faithfulness or relevance from words, without a model.

    - Rubrics of the scale ``claims``: a claim counts as supported when one passage holds at least `COVERAGE` of its
      content words and every number of it with the same unit, and when negations agree with the closest sentences. It
      never says "contradicted": words cannot tell.
    - The rubric ``relevance``: the share of the question's content words that the answer holds picks the label.

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
        early = early_verdict(sheet, split)
        if early is not None:
            return early
        if self._rubric.scale == "labels":
            return _overlap(sheet)
        if not split.claims:
            return sheet.no_claims()
        return sheet.by_claims([_label(claim, exchange.context) for claim in split.claims], note=_NOTE)


def _overlap(sheet: Sheet) -> Verdict:
    exchange = sheet.exchange
    asked = asked_words(exchange.question)
    if not asked:
        return sheet.not_applicable("the question has no content words to look for")
    found = asked & content_words(exchange.answer.text if exchange.answer else "")
    # The labels divide the range of shares evenly: of three, the best stands for two thirds or more.
    labels = sorted(sheet.rubric.labels.items(), key=lambda label: label[1])
    name, score = labels[min(len(labels) - 1, len(found) * len(labels) // len(asked))]
    reason = f"{name}: the answer holds {len(found)} of the question's {len(asked)} content words. {_NOTE}"
    return sheet.by_score(score, reason)


def _label(claim: Claim, context: Sequence[Passage]) -> ClaimVerdict:
    # Citations are marks, not words of the claim; a yes or no answers the question, not the passage.
    text = _YES_NO.sub("", CITATION.sub(" ", claim.span.text))
    words = content_words(text)
    best = max(context, key=lambda passage: len(words & _passage_words(passage)), default=None)
    unsupported = ClaimVerdict(claim_id=claim.id, span=claim.span, label=ClaimLabel.NOT_IN_CONTEXT)
    if best is None or not words or len(words & _passage_words(best)) < COVERAGE * len(words):
        return unsupported
    if missing_quantities(text, f"{best.title}\n{best.text}"):
        return unsupported
    sentences = split_claims(best.text).claims
    closest = _closest(words, sentences)
    if closest is None or _negation_differs(text, words, closest, sentences):
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


def _closest(words: frozenset[str], sentences: Sequence[Claim]) -> Claim | None:
    """The sentence that shares most words; of equals, the shortest, then the first."""
    return max(
        sentences,
        key=lambda sentence: (len(words & content_words(sentence.span.text)), -len(sentence.span.text)),
        default=None,
    )


def _negation_differs(text: str, words: frozenset[str], closest: Claim, sentences: Sequence[Claim]) -> bool:
    """Whether the claim negates and no sentence that shares a word with it does, or the closest one does alone."""
    if not negates(text):
        return negates(closest.span.text)
    return not any(negates(sentence.span.text) and words & content_words(sentence.span.text) for sentence in sentences)
