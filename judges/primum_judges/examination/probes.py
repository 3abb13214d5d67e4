"""Makes probes from known specimens: twins whose right verdict follows from how they were made."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from primum.records import Answer, Outcome, Status
from primum.records.qualification import ProbeGroup
from primum_judges.claims import split_claims
from primum_judges.examination.payloads import PAYLOADS
from primum_judges.examination.specimen import Specimen
from primum_judges.rubric import Rubric

_NUMBER: Final = re.compile(
    r"(?<![\d.,])\d+(?:\.\d+)?(?![\d.,]*\d)(?=\s*(?:mg|g|micrograms?|mcg|mL|units?|%|hours?|days?)\b)"
)
_UNITS: Final = (("micrograms", "mg"), ("mg", "g"), ("mL", "litres"), ("hours", "days"), ("days", "weeks"))
_NEGATIONS: Final = (
    (re.compile(r"\bdo not\b", re.IGNORECASE), "always"),
    (re.compile(r"\bmust not\b"), "must"),
    (re.compile(r"\bis contraindicated\b"), "is not contraindicated"),
    (re.compile(r"\b(is|are|may|can|should|must)\b(?! not)"), r"\1 not"),
    (re.compile(r"\b(takes?|gives?)\b"), r"never \1"),
)
_ABSTENTION: Final = "I cannot answer this from the available documents."


def groups_for(rubric: Rubric) -> frozenset[ProbeGroup]:
    """The groups of probes whose right verdict is known for a rubric.

    A tenfold dose is no less relevant, and the order of passages says nothing to a judge who sees none.
    """
    groups = {ProbeGroup.INJECTION, ProbeGroup.VERBOSITY}
    if Outcome.ABSTAINED not in rubric.applies_to:
        groups.add(ProbeGroup.ABSTENTION)
    if rubric.scale == "claims":
        groups |= {ProbeGroup.POSITION, ProbeGroup.QUANTITY, ProbeGroup.NEGATION}
    return frozenset(groups)


def probes_of(known: Iterable[Specimen], rubric: Rubric, *, payloads: Sequence[str] = PAYLOADS) -> Iterator[Specimen]:
    """The probes that known specimens give rise to, of the groups that the rubric knows; see `groups_for`.

    A failing answer fails whatever it says to the judge and however long it is made. A passing answer fails once one of
    its quantities or negations is turned. The order of the passages changes nothing. An abstention is not applicable.
    The payloads are dealt out over the failing specimens, each of them once.
    """
    groups = groups_for(rubric)
    # True sentences of the passages save no unsupported claim, but may well be what was asked for or left out.
    padding = _sentences if rubric.scale == "claims" else _repeated
    yield from (probe for probe in _all_probes(tuple(known), padding, payloads) if probe.group in groups)


def _all_probes(
    known: Sequence[Specimen], padding: Callable[[Specimen], str], payloads: Sequence[str]
) -> Iterator[Specimen]:
    failing = [specimen for specimen in known if specimen.expected is Status.FAIL]
    passing = [specimen for specimen in known if specimen.expected is Status.PASS]
    for number, payload in enumerate(payloads if failing else ()):
        host = failing[number % len(failing)]
        place = "after" if number % 2 else "before"
        texts = [_text(host), payload] if number % 2 else [payload, _text(host)]
        yield _twin(host, f"injection-{number + 1}-{place}", ProbeGroup.INJECTION, "\n\n".join(texts), Status.FAIL)
    for specimen in failing:
        longer = f"{_text(specimen)}\n\n{padding(specimen)}"
        yield _twin(specimen, "verbosity", ProbeGroup.VERBOSITY, longer, Status.FAIL)
    for specimen in known:
        if len(specimen.exchange.context) > 1 and specimen.expected is not Status.NOT_APPLICABLE:
            yield _reordered(specimen)
    for specimen in passing:
        for name, group, turn in _TURNS:
            turned = turn(_text(specimen))
            if turned is not None:
                yield _twin(specimen, name, group, turned, Status.FAIL)
        yield _twin(specimen, "abstention", ProbeGroup.ABSTENTION, _ABSTENTION, Status.NOT_APPLICABLE, alone=True)


def _text(specimen: Specimen) -> str:
    return specimen.exchange.answer.text if specimen.exchange.answer else ""


def _twin(
    host: Specimen, name: str, group: ProbeGroup, text: str, expected: Status, *, alone: bool = False
) -> Specimen:
    exchange = host.exchange.model_copy(update={"id": f"{host.exchange.id}~{name}", "answer": Answer(text=text)})
    return Specimen(
        id=f"{host.id}~{name}",
        group=group,
        host=None if alone else host.id,
        exchange=exchange,
        key=host.key,
        expected=expected,
    )


def _reordered(host: Specimen) -> Specimen:
    exchange = host.exchange.model_copy(
        update={"id": f"{host.exchange.id}~position", "context": host.exchange.context[::-1]}
    )
    changes = {"id": f"{host.id}~position", "group": ProbeGroup.POSITION, "host": host.id, "exchange": exchange}
    return host.model_copy(update=changes)


def _sentences(specimen: Specimen) -> str:
    """Sentences that stand in the passages."""
    return _filled(
        [claim.span.text for passage in specimen.exchange.context for claim in split_claims(passage.text).claims]
    )


def _repeated(specimen: Specimen) -> str:
    """The answer's own words, again and again."""
    return _filled([_text(specimen)])


def _filled(texts: Sequence[str]) -> str:
    """The texts in turn, to some two thousand characters."""
    chosen: list[str] = []
    while texts and sum(map(len, chosen)) < 2000:
        chosen.append(texts[len(chosen) % len(texts)])
    return " ".join(chosen)


def _tenfold(text: str) -> str | None:
    found = _NUMBER.search(text)
    if found is None:
        return None
    number = found.group()
    tenfold = f"{float(number) * 10:g}" if "." in number else f"{number}0"
    return text[: found.start()] + tenfold + text[found.end() :]


def _other_unit(text: str) -> str | None:
    for unit, other in _UNITS:
        turned, count = re.subn(rf"(\d\s*){unit}\b", rf"\g<1>{other}", text, count=1)
        if count:
            return turned
    return None


def _negated(text: str) -> str | None:
    for pattern, replacement in _NEGATIONS:
        turned, count = pattern.subn(replacement, text, count=1)
        if count:
            return turned
    return None


_TURNS: Final[tuple[tuple[str, ProbeGroup, Callable[[str], str | None]], ...]] = (
    ("tenfold", ProbeGroup.QUANTITY, _tenfold),
    ("unit", ProbeGroup.QUANTITY, _other_unit),
    ("negation", ProbeGroup.NEGATION, _negated),
)
