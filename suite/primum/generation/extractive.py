"""The deterministic baseline: quotes what answers the question, or abstains. Any model must beat it."""

from collections.abc import Sequence
from typing import Final

from primum.generation.evidence import Evidence, best, gather
from primum.generation.question import Question, read_question
from primum.generation.sentences import ABSTENTION, DISCLAIMER
from primum.generation.statements import statements
from primum.generation.words import medicines, words
from primum.records import Answer, Citation, Generation, Outcome, Passage, Record, Scope

RULES_VERSION: Final = "1"
"""Raised whenever an answer could change."""

GAP: Final = "The available documents do not answer the rest of this question."
"""Said where a part of the question has no evidence."""


class ExtractiveSettings(Record):
    """How the baseline speaks."""

    abstention: str = ABSTENTION
    disclaimer: str = DISCLAIMER
    gap: str = GAP


class ExtractiveGenerator:
    """Quotes sentences and table rows to the letter, each with its document's id, and abstains when in doubt.

    It asks no model and knows no medicine: a statement answers when it, its headings and its title hold every word and
    number by which the question narrows things down. Where a dose depends on what the question leaves out, it abstains.

    Args:
        settings: The fixed sentences.
    """

    def __init__(self, settings: ExtractiveSettings | None = None) -> None:
        self._settings = settings or ExtractiveSettings()

    @property
    def fingerprint(self) -> str:
        """Version of the rules and digest of the settings."""
        return f"extractive:{RULES_VERSION}:{self._settings.digest()}"

    async def generate(
        self,
        question: str,
        scope: Scope,
        context: Sequence[Passage],
        *,
        case_id: str,  # noqa: ARG002 - the question is all that it goes by
        repetition: int,  # noqa: ARG002 - the protocol's signature
    ) -> Generation:
        """Quotes with citations and the disclaimer, or the abstention."""
        asked = read_question(question)
        usable = [passage for passage in context if _usable(passage, scope, asked)]
        chosen, complete = _choose(gather(one for passage in usable for one in statements(passage)), asked)
        if not chosen:
            return Generation(answer=Answer(text=self._settings.abstention, outcome=Outcome.ABSTAINED))
        said = [_quote(one) for one in chosen]
        if not complete:
            said.append(self._settings.gap)
        said.append(self._settings.disclaimer)
        cited = dict.fromkeys(one.statement.passage.document_id for one in chosen)
        return Generation(
            answer=Answer(
                text=" ".join(said),
                outcome=Outcome.ANSWERED,
                citations=tuple(Citation(target=document) for document in cited),
            )
        )


def _usable(passage: Passage, scope: Scope, asked: Question) -> bool:
    """Whether somebody in the scope may see the passage, and it is of the version that is asked for."""
    wanted = {version.lower().removeprefix("v") for version in (scope.required_version, asked.version) if version}
    return passage.eligible(scope) and wanted <= {passage.document_version.lower().removeprefix("v")}


def _choose(evidence: Sequence[Evidence], asked: Question) -> tuple[list[Evidence], bool]:
    """The statements that answer, and whether they answer all that is asked."""
    found = [(part, best(evidence, part)) for part in asked.parts]
    whole = best(evidence, asked.whole)
    if whole is not None and found[0][1] is not None:
        return [whole], True
    missing = [part for part, one in found if one is None]
    answered = [(part, one) for part, one in found if one is not None]
    # What a part without evidence says of whom may have been meant for all parts.
    if any(part.narrows(other) for part in missing for other, _ in answered):
        return [], False
    return list(dict.fromkeys(one for _, one in answered)), not missing


def _quote(one: Evidence) -> str:
    """The statement to the letter, with its subject where a dose would stand without one, and its citation.

    A row of a table follows the sentence that says what the table holds for.
    """
    statement = one.statement
    text = statement.text
    title = statement.passage.title.strip()
    if one.gives_dose and title and not medicines(text) and not one.title & frozenset(words(text)):
        text = f"{title}: {text}"
    said = [statement.announcement, text] if statement.announcement else [text]
    return " ".join(_cited(sentence, statement.passage.document_id) for sentence in said)


def _cited(sentence: str, document_id: str) -> str:
    end = sentence[-1] if sentence[-1] in "!?" else "."
    return f"{sentence.rstrip('.!?:')} [{document_id}]{end}"
