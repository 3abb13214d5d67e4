"""Recorded exchanges of any system, one JSON object a line, for the gates alone."""

from primum.records import Answerability, AnswerKey, Exchange


class RecordedExchange(Exchange):
    """An exchange, with the label that the gates on refusal need, when it is known."""

    answerability: Answerability | None = None
    """Whether the documents answer the question; without it the gates on refusal do not apply."""

    def exchange(self) -> Exchange:
        """What the gates are given, without the label."""
        return Exchange(**{name: getattr(self, name) for name in Exchange.model_fields})

    def key(self) -> AnswerKey:
        """The label."""
        return AnswerKey(answerability=self.answerability)
