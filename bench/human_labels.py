"""Answers that people labelled for support by their passages, from four data sets, as exchanges with labels.

Every reader takes the rows of a file of ``../shared/data``. Nothing of the files is kept here. A row that people did
not label, or that has no passage, is left out.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from primum.digest import sha256_text
from primum.records import Answer, Exchange, Passage, Scope, Status
from primum.records.disagreement import Label

RUBRIC: Final = "faithfulness"
Row = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Labelled:
    """One answer with what people say of it."""

    family: str
    """Answers that are not independent of each other: of one article, question or conversation."""
    exchange: Exchange
    passing: Mapping[str, bool]
    """Whether the answer is fully supported, by rater."""

    def majority(self) -> Status | None:
        """What most raters say; None when they are even."""
        failing = sum(not passing for passing in self.passing.values())
        if 2 * failing == len(self.passing):
            return None
        return Status.FAIL if 2 * failing > len(self.passing) else Status.PASS

    def labels(self) -> Iterator[Label]:
        """One label for each rater."""
        for rater, passing in self.passing.items():
            status = Status.PASS if passing else Status.FAIL
            yield Label(observation_id=self.exchange.id, rubric=RUBRIC, rater=rater, status=status)


def wikipedia(rows: Sequence[Row]) -> Iterator[Labelled]:
    """Sentences and the article that they cite; partly supported is not supported."""
    for row in rows:
        yield Labelled(
            family=row["claim_title"],
            exchange=_exchange(row["id"], "Is this so?", ["\n".join(row["evidence"])], row["claim"]),
            passing={"people": row["label"] == "supported"},
        )


def experts(rows: Sequence[Row]) -> Iterator[Labelled]:
    """Claims of answers and the passages that each cites; one expert labelled each claim."""
    for row in rows:
        for number, claim in enumerate(row["claims"]):
            if not claim["has_passage"] or claim["support"] in (None, "N/A"):
                continue
            passages = [piece["text"] for piece in claim["evidence"]]
            yield Labelled(
                family=row["id"],
                exchange=_exchange(f"{row['id']}#{number}", row["question"], passages, claim["text"]),
                passing={"expert": claim["support"] == "Complete"},
            )


def physicians(rows: Sequence[Row]) -> Iterator[Labelled]:
    """Statements and an answer that entails them or not: the answer is the passage here, the statement is judged."""
    for row in rows:
        yield Labelled(
            family=row["question"],
            exchange=_exchange(row["id"], row["question"], [row["answer"]], row["statement"]),
            passing={f"physician {n}": label == "Entailment" for n, label in enumerate(row["physicians"], 1)},
        )


def conversations(rows: Sequence[Row]) -> Iterator[Labelled]:
    """Answers in conversations, rated from 1 to 4; only 4 is taken for fully faithful."""
    for row in rows:
        yield Labelled(
            family=row["id"].partition(":")[0],
            exchange=_exchange(row["id"], row["question"], [piece["text"] for piece in row["contexts"]], row["answer"]),
            passing={rater: rating == 4 for rater, rating in row["human"]["faithfulness"].items()},
        )


SETS: Final[Mapping[str, tuple[str, Callable[[Sequence[Row]], Iterator[Labelled]]]]] = {
    "wice_claims": ("claims.jsonl", wikipedia),
    "expertqa_claims": ("answers.jsonl", experts),
    "kqa": ("physician_nli.jsonl", physicians),
    "mtrag_human_eval": ("responses.jsonl", conversations),
}
"""File and reader of each data set."""


def usable(found: Iterable[Labelled]) -> list[Labelled]:
    """Those with a passage, an answer and a label."""
    return [one for one in found if one.exchange.context and one.exchange.answer and one.passing]


def _exchange(id_: str, question: str, passages: Sequence[str], answer: str) -> Exchange:
    texts = [text for text in passages if text.strip()]
    context = tuple(
        Passage(id=f"p{number}", document_id=f"d{number}", document_version=sha256_text(text)[:8], text=text)
        for number, text in enumerate(texts, 1)
    )
    told = Answer(text=answer) if answer.strip() else None
    return Exchange(id=id_, question=question, scope=Scope(tenant="bench"), context=context, answer=told)
