"""What the judges' tests share: one small exchange and a reply for it."""

from collections.abc import Callable, Sequence
from typing import Protocol

import pytest

from primum.endpoint import Endpoint
from primum.records import Answer, Exchange, Outcome, Passage, Scope
from primum.testing import FakeEndpoint

QUESTION = "What is the dose of zyxol for adults?"
PASSAGES = (
    "Zyxol. Adults take 5 mg by mouth twice daily with food. Do not exceed 20 mg daily.",
    "Zyxol is contraindicated in severe hepatic impairment.",
)
ANSWER = "Adults take 5 mg by mouth twice daily [p-1]. Zyxol is contraindicated in severe hepatic impairment [p-2]."


class MakeExchange(Protocol):
    """Makes an exchange; what is not given is the usual."""

    def __call__(
        self, answer: str | None = ANSWER, *, passages: Sequence[str] = PASSAGES, outcome: Outcome | None = None
    ) -> Exchange: ...


@pytest.fixture
def make_exchange() -> MakeExchange:
    """A factory of exchanges."""

    def make(
        answer: str | None = ANSWER, *, passages: Sequence[str] = PASSAGES, outcome: Outcome | None = None
    ) -> Exchange:
        context = tuple(
            Passage(id=f"p-{number}", document_id=f"d-{number}", document_version="1", title="Zyxol", text=text)
            for number, text in enumerate(passages, 1)
        )
        return Exchange(
            id="demo/zyxol/a/0",
            question=QUESTION,
            scope=Scope(tenant="t"),
            retrieved=context,
            context=context,
            answer=None if answer is None else Answer(text=answer, outcome=outcome),
        )

    return make


@pytest.fixture
def endpoint_of() -> Callable[[FakeEndpoint], Endpoint]:
    """An endpoint for a fake server, with quick retries."""
    return lambda server: Endpoint(
        model="openai/fake-judge", api_base=server.url, backoff_seconds=0.01, timeout_seconds=10
    )
