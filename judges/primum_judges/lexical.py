"""The lexical judge: a deterministic estimate from shared words and numbers, for machines without a model."""

import re
from collections.abc import Iterator, Sequence
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
    Span,
    Verdict,
)
from primum_judges.boilerplate import CITATION
from primum_judges.citations import cited_positions
from primum_judges.claims import Claim, split_claims
from primum_judges.reading import early_verdict
from primum_judges.rubric import Need, Rubric
from primum_judges.verdicts import Sheet
from primum_judges.words import asked_words, content_words, missing_quantities, negates

LEXICAL_ID: Final = "lexical"
RELEVANCE: Final = "relevance"
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
        # Shared words say something about support and about relevance, and nothing about style or completeness.
        if rubric.key_needs or (rubric.scale == "labels" and rubric.id != RELEVANCE):
            raise ConfigError(
                f"the lexical judge cannot estimate the rubric {rubric.id}; set judges.model.name to a model for it, "
                "or leave it out of judges.rubrics"
            )
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
        sheet = Sheet(
            exchange=exchange,
            judge=self.id,
            rubric=self._rubric,
            repetition=repetition,
            prompt_hash=digest({"lexical": LEXICAL_VERSION}),
        )
        split = split_claims(exchange.answer.text if exchange.answer else "")
        early = early_verdict(sheet, split)
        if early is not None:
            return early
        if self._rubric.scale == "labels":
            return _overlap(sheet)
        if not split.claims:
            return sheet.no_claims()
        return sheet.by_claims(
            [_label(claim, self._evidence_for(claim, exchange)) for claim in split.claims], note=_NOTE
        )

    def _evidence_for(self, claim: Claim, exchange: Exchange) -> Sequence[Passage]:
        if Need.CITATIONS not in self._rubric.needs:
            return exchange.context
        return [exchange.context[at] for at in cited_positions(claim.span.text, exchange.context)]


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
    shared = [(len(words & content_words(f"{passage.title}\n{passage.text}")), passage) for passage in context]
    for count, passage in sorted(shared, key=lambda pair: -pair[0]):
        if not words or count < COVERAGE * len(words):
            break
        closest = _supporting(text, words, passage)
        if closest is not None:
            return ClaimVerdict(
                claim_id=claim.id,
                span=claim.span,
                label=ClaimLabel.SUPPORTED,
                quote=closest.text,
                evidence=PassageSpan(passage_id=passage.id, span=closest),
            )
    return ClaimVerdict(claim_id=claim.id, span=claim.span, label=ClaimLabel.NOT_IN_CONTEXT)


def _supporting(text: str, words: frozenset[str], passage: Passage) -> Span | None:
    """The passage's closest sentence, if the passage has the claim's quantities and negates as the claim does."""
    if missing_quantities(text, f"{passage.title}\n{passage.text}"):
        return None
    sentences = [(len(words & content_words(span.text)), span) for span in _clauses(passage.text)]
    if not sentences:
        return None
    most = max(count for count, _ in sentences)
    if negates(text):
        alike = [span for count, span in sentences if count and negates(span.text)]
    else:
        alike = [span for count, span in sentences if 2 * count >= most and not negates(span.text)]
    # Of equally close sentences, the shortest, then the first.
    return max(alike, key=lambda span: (len(words & content_words(span.text)), -len(span.text)), default=None)


def _clauses(text: str) -> Iterator[Span]:
    """Sentences, list items and rows, and of each the parts that a semicolon divides."""
    for claim in split_claims(text).claims:
        start = claim.span.start
        for part in claim.span.text.split(";"):
            yield Span(start=start, end=start + len(part), text=part)
            start += len(part) + 1
