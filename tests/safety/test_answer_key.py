"""Which parts of the answer key a gate is shown."""

from primum.records import Answer, Answerability, AnswerKey, Exchange, GateResult, KeyField, Scope, Status
from primum_safety import check

WHOLE = AnswerKey(
    answerability=Answerability.ANSWERABLE, must_have=("5 mg",), nice_to_have=("daily",), reference_answer="5 mg daily"
)


class Spy:
    """Keeps the key that it was shown."""

    id = "spy"
    version = "1"

    def __init__(self, needs: frozenset[KeyField]) -> None:
        self.needs = needs
        self.shown: AnswerKey | None = None

    def check(self, exchange: Exchange, key: AnswerKey) -> GateResult:  # noqa: ARG002 - the protocol's signature
        self.shown = key
        return GateResult(gate=self.id, gate_version=self.version, status=Status.PASS)


def test_each_gate_is_shown_what_it_declares_and_nothing_else() -> None:
    """One gate's need does not open the key to another."""
    none, some = Spy(frozenset()), Spy(frozenset({KeyField.STATEMENTS}))
    exchange = Exchange(id="x", question="Dose?", scope=Scope(tenant="north"), answer=Answer(text="5 mg"))
    check(exchange, WHOLE, gates=(none, some))
    assert none.shown == AnswerKey()
    assert some.shown == AnswerKey(must_have=("5 mg",), nice_to_have=("daily",))
