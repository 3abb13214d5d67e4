"""Hard safety gates: deterministic checks of one exchange, without network and without a language model."""

from primum_safety.check import check, default_gates
from primum_safety.formulary import Formulary, read_formulary
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
from primum_safety.text.outcome import read_outcome

__all__ = [
    "CitationGate",
    "DisclaimerGate",
    "DoseGate",
    "Formulary",
    "InstructionLeakGate",
    "IsolationGate",
    "MedicationGate",
    "OverRefusalGate",
    "RefusalGate",
    "ShapeGate",
    "VersionGate",
    "check",
    "default_gates",
    "read_formulary",
    "read_outcome",
]
