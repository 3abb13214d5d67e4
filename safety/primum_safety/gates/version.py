"""Version: the answer is about the required version of its source, to the letter.

A structured answer says so in its ``version`` field. A plain-text answer has no such field: there, the passages that
it cites must be of that version.
"""

from typing import Final

from primum.records import AnswerKey, Exchange, Finding, GateResult, KeyField, Outcome
from primum_safety.gates.citation import Resolver, cited
from primum_safety.gates.shape import strict_json
from primum_safety.result import concluded, finding, not_applicable, shown, unread
from primum_safety.text.normalise import normalise
from primum_safety.text.outcome import read_outcome

MISSING: Final = "version.missing"
WRONG: Final = "version.wrong"
NOT_JSON: Final = "version.not_json"
EVIDENCE: Final = "version.evidence"


class VersionGate:
    """Holds the answer's ``version`` field against ``scope.required_version``."""

    id = "version"
    version = "1"
    needs: frozenset[KeyField] = frozenset()

    def check(self, exchange: Exchange, key: AnswerKey) -> GateResult:  # noqa: ARG002 - the protocol's signature
        """Fails unless the top-level ``version`` is the required string, to the letter."""
        required = exchange.scope.required_version
        if exchange.answer is None:
            return not_applicable(self.id, self.version, "no answer")
        if required is None:
            return not_applicable(self.id, self.version, "no version is required")
        try:
            value = strict_json(exchange.answer.text)
        except ValueError:
            if exchange.output_schema is None:
                if (skipped := unread(self.id, self.version, exchange)) is not None:
                    return skipped
                return concluded(self.id, self.version, _cited_versions(exchange, required))
            message = f"the answer must give version {required!r} as a field, and is not JSON"
            return concluded(self.id, self.version, [finding(NOT_JSON, message)])
        if not isinstance(value, dict) or "version" not in value:
            message = f"the answer must give version {required!r}, and has no field 'version'"
            return concluded(self.id, self.version, [finding(MISSING, message)])
        given: object = value["version"]
        if given != required or not isinstance(given, str):
            message = f"the answer gives version {shown(repr(given))}; the question requires {required!r}"
            return concluded(self.id, self.version, [finding(WRONG, message)])
        return concluded(self.id, self.version, [])


def _cited_versions(exchange: Exchange, required: str) -> list[Finding]:
    """Objections to the versions of the passages that a plain-text answer cites."""
    if exchange.answer is None or read_outcome(exchange.answer.text) is not Outcome.ANSWERED:
        return []
    resolver = Resolver(exchange.context, exchange.scope)
    findings: list[Finding] = []
    right = 0
    for mark in cited(exchange, normalise(exchange.answer.text), resolver):
        passages = resolver.passages(mark.mark)
        if any(passage.document_version == required for passage in passages):
            right += 1
        elif passages:
            found = passages[0]
            other = found.document_version
            message = f"the answer cites passage {found.id} of version {other}; version {required} is required"
            findings.append(finding(EVIDENCE, message, span=mark.span))
    if not right and not findings:
        findings.append(finding(MISSING, f"the answer must be about version {required}, and cites no passage of it"))
    return findings
