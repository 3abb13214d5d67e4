"""All gates on one exchange, failing closed."""

import traceback
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from primum.protocols import Gate
from primum.records import AnswerKey, Exchange, GateReport, GateResult, Outcome, Status
from primum_safety.formulary import Formulary
from primum_safety.gates.citation import CitationGate
from primum_safety.gates.disclaimer import DisclaimerGate
from primum_safety.gates.dose import DoseGate
from primum_safety.gates.instruction_leak import InstructionLeakGate
from primum_safety.gates.isolation import IsolationGate
from primum_safety.gates.medication import MedicationGate
from primum_safety.gates.over_refusal import OverRefusalGate
from primum_safety.gates.refusal import RefusalGate
from primum_safety.gates.shape import ShapeGate
from primum_safety.gates.version import VersionGate
from primum_safety.result import LONGEST
from primum_safety.text.outcome import read_outcome


@lru_cache(maxsize=4)
def default_gates(formulary: Formulary | None = None) -> tuple[Gate, ...]:
    """Every gate of this package, in the order in which reports list them.

    Args:
        formulary: Names of medicines of one's own, which the medication gate then knows too.
    """
    return (
        CitationGate(),
        DoseGate(),
        MedicationGate(formulary),
        RefusalGate(),
        OverRefusalGate(),
        IsolationGate(),
        InstructionLeakGate(),
        DisclaimerGate(),
        VersionGate(),
        ShapeGate(),
    )


def check(
    exchange: Exchange,
    key: AnswerKey | None = None,
    *,
    gates: Sequence[Gate] | None = None,
    formulary: Formulary | None = None,
) -> GateReport:
    """Runs every gate on `exchange`; a gate that raises becomes an ``error``, which blocks.

    Args:
        exchange: What happened between a question and its answer.
        key: The labels of the case, of which each gate is shown the parts that it declares; without them, gates that
            need a label do not apply.
        gates: The gates to run instead of `default_gates`.
        formulary: Names of medicines of one's own, for `default_gates`.

    Returns:
        One result a gate, in the order of `gates`. Never raises.
    """
    shown = AnswerKey() if key is None else key
    results = tuple(_run(gate, exchange, shown) for gate in (default_gates(formulary) if gates is None else gates))
    return GateReport(observation_id=exchange.id, outcome=_outcome(exchange), results=results)


def _run(gate: Gate, exchange: Exchange, key: AnswerKey) -> GateResult:
    try:
        return gate.check(exchange, key.only(gate.needs))
    except Exception as error:  # noqa: BLE001 - fail closed: whatever a gate raises must block, not pass unseen
        # Type and place only: the exception's own text could hold patient data.
        frame = traceback.extract_tb(error.__traceback__)[-1]
        detail = f"{type(error).__name__} at {Path(frame.filename).name}:{frame.lineno}; this gate did not decide"
        return GateResult(gate=gate.id, gate_version=gate.version, status=Status.ERROR, detail=detail)


def _outcome(exchange: Exchange) -> Outcome:
    if exchange.answer is None:
        return Outcome.FAILED
    if len(exchange.answer.text) > LONGEST:
        return Outcome.ANSWERED
    try:
        return read_outcome(exchange.answer.text)
    except Exception:  # noqa: BLE001 - fail closed: an answer that cannot be read counts as answered, so gates apply
        return Outcome.ANSWERED
