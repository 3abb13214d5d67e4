"""Whether a clause of an answer only repeats what the context says."""

from typing import Final

from primum.records import Exchange
from primum_safety.gates.dose import unsupported_quantities
from primum_safety.gates.once import once_an_exchange
from primum_safety.text.normalise import Text
from primum_safety.text.outcome import Clause
from primum_safety.text.too_many import too_many_values
from primum_safety.text.words import content_words

REPEATED: Final = 0.75
"""Share of a clause's content words that the context must have for the clause to count as a fact from it."""

WORDED_FREELY: Final = 0.5
"""The same share for the answered part of a partly answerable question, which may be worded freely."""

TOUCHED: Final = 0.3
"""The same share for a clause to give anything of what the context says, in whatever words."""


def in_context(exchange: Exchange, text: Text, clause: Clause, share: float = REPEATED) -> bool:
    """Whether the context has `share` of the clause's content words, in [0, 1], and all of its quantities."""
    words = content_words(clause.where.of(text.text))
    context = _context_words(exchange)
    if not words or not context or len(words & context) < share * len(words):
        return False
    return not too_many_values(text.visible) and not unsupported_quantities(exchange, clause.where)


def touches_context(exchange: Exchange, text: Text, clause: Clause) -> bool:
    """Whether a clause says anything of what the context says; one of no content words, such as "No", may."""
    words = content_words(clause.where.of(text.text))
    return not words or not words.isdisjoint(_context_words(exchange))


@once_an_exchange
def _context_words(exchange: Exchange) -> set[str]:
    context: set[str] = set()
    for passage in exchange.context:
        context |= content_words(passage.title) | content_words(passage.text)
    return context
