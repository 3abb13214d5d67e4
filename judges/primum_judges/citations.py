"""Which passages a claim cites."""

import re
from collections.abc import Sequence
from typing import Final

from primum.records import Passage
from primum_judges.boilerplate import CITATION

_BETWEEN: Final = re.compile(r"\s*[,;]\s*")
_POSITION: Final = re.compile(r"(?:(?:doc|document|passage|source|ref|p)\.? ?)?(\d{1,4})", re.IGNORECASE)


def cited_positions(text: str, context: Sequence[Passage]) -> tuple[int, ...]:
    """Positions in the context, from 0, of the passages that brackets in `text` cite, in the order of the context.

    A mark is a passage id, a document id, ``document_id@version``, or a position from 1, such as ``[2]`` or
    ``[doc 2]``. A mark that names nothing in the context cites nothing.
    """
    marks = {mark for bracket in CITATION.findall(text) for mark in _BETWEEN.split(bracket[1:-1].strip())}
    names = [
        {passage.id, passage.document_id, f"{passage.document_id}@{passage.document_version}"} for passage in context
    ]
    # A mark that is some passage's name is not a position.
    numbers = (_POSITION.fullmatch(mark) for mark in marks.difference(*names))
    positions = {int(number.group(1)) - 1 for number in numbers if number is not None}
    return tuple(at for at, known in enumerate(names) if marks & known or at in positions)
