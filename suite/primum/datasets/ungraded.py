"""Passages that say what a label grades, in nearly the same words, and that nobody graded.

A retriever that finds such a passage is marked down for a right answer.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from primum.datasets.labels import CaseJudgments
from primum.datasets.near_duplicates import near_duplicates, words
from primum.records import Case, Chunk

_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+|\n+")
_FEWEST_WORDS: Final = 6
"""Shorter sentences are alike by chance."""


def ungraded(
    cases: Iterable[Case], judgments: Mapping[str, CaseJudgments], chunks: Iterable[Chunk]
) -> Iterator[tuple[Case, int, Chunk]]:
    """Each case, the place of its label, and a chunk without a grade that says nearly the same and may be retrieved.

    Only labels of grade 2 count, and no rows of tables: a row says nothing without its header.
    """
    labels: dict[str, list[tuple[Case, int]]] = defaultdict(list)
    for case in cases:
        for index, label in enumerate(case.evidence):
            if label.grade == 2 and label.quote is not None and _compared(label.quote):
                labels[label.quote].append((case, index))
    sentences: dict[str, str] = {}
    holders: dict[str, list[Chunk]] = defaultdict(list)
    for chunk in chunks:
        for sentence in filter(_compared, _SENTENCE_END.split(chunk.text)):
            sentences[sentence] = sentence
            holders[sentence].append(chunk)
    told: set[tuple[str, str]] = set()
    for quote, sentence in near_duplicates({quote: quote for quote in labels}, sentences):
        for case, index in labels[quote]:
            for chunk in holders[sentence]:
                new = chunk.id not in judgments[case.id].grades and (case.id, chunk.id) not in told
                if new and chunk.passage().eligible(case.scope):
                    told.add((case.id, chunk.id))
                    yield case, index, chunk


def _compared(sentence: str) -> bool:
    return not sentence.lstrip().startswith("|") and len(words(sentence)) >= _FEWEST_WORDS
