"""Catch and false-alarm rates of the safety gates on labelled cases.

    python bench/gates.py CASES.jsonl [MORE.jsonl ...] [--out predictions.jsonl] [--errors]

Each line is one case: question, answer, contexts, what was retrieved and what reached the prompt, the gate that is
scored and the verdict that is right. Cases marked ambiguous are run and not scored. Sensitivity is the share of cases
labelled ``fail`` that the gate failed; specificity the share of those labelled ``pass`` that it passed. A gate that
errors counts as wrong. The intervals are 95 % Wilson score intervals.
"""

import argparse
import json
import math
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from primum.errors import DatasetError, at
from primum.protocols import Gate
from primum.records import (
    SHARED_TENANT,
    Answer,
    Answerability,
    AnswerKey,
    Exchange,
    GateResult,
    Passage,
    Person,
    PublicationState,
    Scope,
    Status,
)
from primum_safety import default_gates

_ANSWERABILITY = {
    True: Answerability.ANSWERABLE,
    False: Answerability.UNANSWERABLE,
    "partial": Answerability.PARTIAL,
    "underspecified": Answerability.UNDERSPECIFIED,
}


def main(argv: Sequence[str] | None = None) -> int:
    """Scores the files named on the command line."""
    parser = argparse.ArgumentParser(description="Catch and false-alarm rates of the safety gates.")
    parser.add_argument("cases", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, help="write one prediction a line")
    parser.add_argument("--errors", action="store_true", help="list the cases that a gate got wrong")
    options = parser.parse_args(argv)
    try:
        cases = [case for path in options.cases for case in read_cases(path)]
    except DatasetError as error:
        print(error, file=sys.stderr)
        return 2
    started = time.perf_counter()
    predictions = [(case, verdict_of(result), result) for case in cases for result in [run(case)]]
    seconds = time.perf_counter() - started
    if options.out is not None:
        lines = [json.dumps({"id": case["id"], "verdict": verdict}) for case, verdict, _ in predictions]
        options.out.write_text("\n".join(lines) + "\n", encoding="utf-8")
    _print_rates(predictions)
    if options.errors:
        _print_errors(predictions)
    print(f"{len(cases)} cases, one gate each, in {seconds:.2f} s")
    return 0


def read_cases(path: Path) -> Iterator[dict[str, Any]]:
    """The cases of one file; raises DatasetError, with the place, for a line that is none."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise DatasetError(f"{path}: cannot be read ({type(error).__name__}); name a UTF-8 JSONL file") from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            case = json.loads(line)
            exchange_of(case)
            yield case
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            place = at(path, number)
            raise DatasetError(
                f"{place}: not a gate case ({type(error).__name__}: {error}); see the file's README"
            ) from error


def exchange_of(case: dict[str, Any]) -> tuple[Exchange, AnswerKey]:
    """The exchange and answer key that a case describes."""
    passages = {doc["doc_id"]: _passage(doc) for doc in case["contexts"]}
    required = case.get("required_version")
    schema = case.get("output_schema")
    exchange = Exchange(
        id=case["id"],
        question=case["question"],
        scope=Scope(
            tenant=case.get("tenant") or SHARED_TENANT,
            patient_id=case.get("patient_mrn"),
            required_version=required,
        ),
        retrieved=tuple(passages[doc_id] for doc_id in case["retrieved_ids"]),
        context=tuple(passages[doc_id] for doc_id in case["context_ids"]),
        answer=Answer(text=case["answer"]),
        roster=tuple(
            Person(mrn=p["mrn"], name=p.get("name"), birth_date=p.get("dob"), room=p.get("room"))
            for p in case.get("other_patients") or ()
        ),
        disclaimer_required=bool(case.get("disclaimer_required")),
        # The version gate is given the raw output of a structured system: any object will do as its shape.
        output_schema=schema if schema is not None or required is None else {"type": "object"},
    )
    answerable = case.get("answerable")
    return exchange, AnswerKey(answerability=None if answerable is None else _ANSWERABILITY[answerable])


def _passage(doc: dict[str, Any]) -> Passage:
    payload = dict(doc.get("payload") or {})
    state = str(payload.get("status") or payload.get("state") or "current").lower()
    retired = (
        state in ("superseded", "withdrawn", "retired", "obsolete", "archived") or payload.get("superseded") is True
    )
    return Passage(
        id=doc["doc_id"],
        document_id=doc["doc_id"],
        document_version=str(doc.get("version", "")),
        title=str(payload.get("title", "")),
        text=doc["text"],
        state=PublicationState.SUPERSEDED if retired else PublicationState.PUBLISHED,
        tenant=doc.get("tenant") or SHARED_TENANT,
        patient_id=doc.get("patient_id"),
        payload=payload,
    )


def run(case: dict[str, Any]) -> GateResult:
    """The result of the gate that a case is about. Declining what can be answered is a gate of its own here."""
    exchange, key = exchange_of(case)
    declined = key.answerability in (Answerability.ANSWERABLE, Answerability.PARTIAL)
    names = ("refusal", "over_refusal") if case["gate"] == "refusal" and declined else (case["gate"],)
    results = [_checked(gate, exchange, key) for gate in default_gates() if gate.id in names]
    return next((result for result in results if verdict_of(result) != "pass"), results[0])


def _checked(gate: Gate, exchange: Exchange, key: AnswerKey) -> GateResult:
    try:
        return gate.check(exchange, key)
    except Exception as error:  # noqa: BLE001 - an error of one gate counts as wrong; the other cases still run
        return GateResult(gate=gate.id, gate_version=gate.version, status=Status.ERROR, detail=repr(error))


def verdict_of(result: GateResult) -> str:
    """``pass`` or ``fail``; a gate that does not apply passes, and one that erred says so."""
    if result.status in (Status.PASS, Status.NOT_APPLICABLE):
        return "pass"
    return result.status.value


def wilson(hits: int, total: int, z: float = 1.96) -> tuple[float, float]:
    """The Wilson score interval of a share (Wilson 1927); the whole range when nothing was counted."""
    if not total:
        return 0.0, 1.0
    share = hits / total
    scale = 1 + z * z / total
    centre = (share + z * z / (2 * total)) / scale
    half = z * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total)) / scale
    return max(0.0, centre - half), min(1.0, centre + half)


def _print_rates(predictions: list[tuple[dict[str, Any], str, GateResult]]) -> None:
    counts: dict[str, Counter[tuple[str, bool]]] = {}
    for case, verdict, _ in predictions:
        if not case.get("ambiguous"):
            counts.setdefault(case["gate"], Counter())[(case["expected"], verdict == case["expected"])] += 1
    print(f"{'gate':12s} {'sensitivity':>24s} {'specificity':>24s}")
    for gate, count in sorted(counts.items()):
        cells: list[str] = []
        for label in ("fail", "pass"):
            right = count[(label, True)]
            total = right + count[(label, False)]
            low, high = wilson(right, total)
            cells.append(f"{right}/{total} [{low:.3f}, {high:.3f}]" if total else "-")
        print(f"{gate:12s} {cells[0]:>24s} {cells[1]:>24s}")


def _print_errors(predictions: list[tuple[dict[str, Any], str, GateResult]]) -> None:
    for case, verdict, result in predictions:
        if verdict != case["expected"] and not case.get("ambiguous"):
            reason = case.get("expected_reason")
            print(f"\n{case['id']} expected {case['expected']}, got {verdict}: {reason}\n  {case['answer']!r}")
            for found in result.findings:
                print(f"  {found.reason}: {found.message}")
            if result.detail:
                print(f"  {result.detail}")


if __name__ == "__main__":
    sys.exit(main())
