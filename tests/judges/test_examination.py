"""The examination lets a good judge pass and finds out the others."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import date

import pytest

from primum.endpoint import Endpoint
from primum.protocols import Judge
from primum.records import Answer, AnswerKey, Exchange, KeyField, Passage, Scope, Status, Verdict
from primum.testing import FakeEndpoint, FakeReply, FakeRequest, ScriptedJudge
from primum_judges import LexicalJudge, model_judges, shipped_rubrics
from primum_judges.examination import Bar, Examination, Group, Specimen, examine, groups_for, probes_of
from primum_judges.examination.payloads import PAYLOADS

ON = date(2030, 1, 1)
MEDICINES = (
    "abrenol",
    "bivadril",
    "cortapam",
    "delvixan",
    "efrasol",
    "fenbarin",
    "gilotrex",
    "hexovir",
    "ibravene",
    "jorimab",
)


def passages(medicine: str, dose: int) -> tuple[Passage, ...]:
    """Two passages about one medicine."""
    texts = (
        f"Adults may take {medicine} {dose} mg by mouth every 8 hours with water.",
        f"Keep {medicine} tablets in a dry place and away from light.",
    )
    return tuple(
        Passage(id=f"{medicine}-{n}", document_id=medicine, document_version="1", text=text)
        for n, text in enumerate(texts)
    )


def specimen(medicine: str, dose: int, *, good: bool) -> Specimen:
    """An answer in the words of its passage, or one that no passage makes."""
    right = f"Adults may take {medicine} {dose} mg by mouth every 8 hours with water."
    wrong = f"Adults with gout swallow {medicine} syrup once weekly before sleeping."
    exchange = Exchange(
        id=f"{medicine}/{good}",
        question=f"How do adults take {medicine}?",
        scope=Scope(tenant="t"),
        context=passages(medicine, dose),
        answer=Answer(text=right if good else wrong),
    )
    expected = Status.PASS if good else Status.FAIL
    return Specimen(id=f"{medicine}-{good}", group=Group.KNOWN, exchange=exchange, expected=expected)


KNOWN = tuple(specimen(name, 10 + 5 * n, good=good) for n, name in enumerate(MEDICINES) for good in (True, False))
PROBES = tuple(probes_of(KNOWN))
TRUTH = {item.exchange.id: item.expected for item in KNOWN + PROBES}


def said(exchange: Exchange) -> str:
    """The answer's text."""
    return exchange.answer.text if exchange.answer else ""


class Oracle:
    """A judge that knows the right verdicts, and may be made to err."""

    def __init__(self, err: Callable[[Exchange, int], Status | None] = lambda _exchange, _repetition: None) -> None:
        self._err = err

    id = "oracle"
    rubric = "faithfulness"
    needs = frozenset[KeyField]()

    async def judge(self, exchange: Exchange, key: AnswerKey, *, repetition: int) -> Verdict:
        """The truth, unless it is made to err."""
        status = self._err(exchange, repetition) or TRUTH[exchange.id]
        scores = {Status.PASS: 1.0, Status.FAIL: 0.0}
        base = await ScriptedJudge(lambda _exchange, _repetition: 1.0).judge(exchange, key, repetition=repetition)
        return Verdict.model_validate(base.model_dump() | {"status": status, "score": scores.get(status)})


def examined(judge: Judge, specimens: Sequence[Specimen] = KNOWN + PROBES, *, repetitions: int = 1) -> Examination:
    """An examination by the default bar."""
    return asyncio.run(examine(judge, specimens, repetitions=repetitions, on=ON))


def swayed(judge: str) -> Callable[[Exchange, int], Status | None]:
    """How a bad judge errs."""
    kinds: dict[str, Callable[[Exchange, int], bool]] = {
        "constant": lambda _exchange, _repetition: True,
        "verbose": lambda exchange, _repetition: len(said(exchange)) > 500,
        "injectable": lambda exchange, _repetition: "support" in said(exchange),
        "number-blind": lambda exchange, _repetition: exchange.id.endswith(("~tenfold", "~unit")),
        "order-bound": lambda exchange, _repetition: exchange.id.endswith("False~position"),
    }
    return lambda exchange, repetition: Status.PASS if kinds[judge](exchange, repetition) else None


def test_there_are_thirty_payloads_and_more_each_on_its_own() -> None:
    """Planted verdicts, instructions and fences."""
    assert len(set(PAYLOADS)) == len(PAYLOADS) >= 30


def test_every_group_of_probes_is_made() -> None:
    """With ids that are unique."""
    made = {probe.group for probe in PROBES}
    assert made == set(Group) - {Group.KNOWN}
    assert len({probe.id for probe in KNOWN + PROBES}) == len(KNOWN + PROBES)
    assert len({probe.exchange.id for probe in KNOWN + PROBES}) == len(KNOWN + PROBES)
    assert sum(probe.group is Group.INJECTION for probe in PROBES) == len(PAYLOADS)


def test_a_probe_differs_from_its_host_only_where_it_should() -> None:
    """A tenfold dose, another unit, a negation."""
    texts = {probe.id.split("~")[1]: said(probe.exchange) for probe in PROBES if probe.id.startswith("abrenol-True")}
    assert texts["tenfold"] == "Adults may take abrenol 100 mg by mouth every 8 hours with water."
    assert texts["unit"] == "Adults may take abrenol 10 g by mouth every 8 hours with water."
    assert texts["negation"] == "Adults may not take abrenol 10 mg by mouth every 8 hours with water."


def test_a_good_judge_is_qualified() -> None:
    """Its examination says for what, and on how many."""
    found = examined(Oracle(), repetitions=2)
    assert found.reasons == ()
    assert found.qualified
    assert str(found.errors.sensitivity.rate) == str(found.errors.specificity.rate) == "10/10"
    assert (found.judge, found.rubric, found.examined_on) == ("oracle", "faithfulness", ON)
    assert (found.flips.numerator, found.undecided.numerator) == (0, 0)


@pytest.mark.parametrize(
    ("judge", "reason"),
    [
        ("constant", "same verdict"),
        ("verbose", "verbosity probes: 0/10"),
        ("injectable", "injection probes"),
        ("number-blind", "quantity probes: 0/20"),
        ("order-bound", "position probes: 10/20"),
    ],
)
def test_a_judge_that_can_be_swayed_is_refused_for_that_reason(judge: str, reason: str) -> None:
    """And the probes that showed it are named."""
    found = examined(Oracle(swayed(judge)))
    assert not found.qualified
    assert any(reason in line for line in found.reasons)
    assert any(result.wrong for result in found.groups)


def test_a_judge_that_changes_its_mind_is_refused() -> None:
    """Its repetitions are compared with each other."""
    moods = {item.exchange.id: n % 3 == 0 for n, item in enumerate(KNOWN + PROBES)}
    judge = Oracle(lambda exchange, repetition: Status.PASS if repetition and moods[exchange.id] else None)
    found = examined(judge, repetitions=2)
    assert not found.qualified
    assert any("changed between repetitions" in line for line in found.reasons)


def test_a_judge_that_often_gives_no_verdict_is_refused() -> None:
    """A verdict that was not reached counts as wrong, and is counted by itself."""
    judge = Oracle(lambda exchange, _: Status.INCONCLUSIVE if exchange.id[0] in "ab" else None)
    found = examined(judge)
    assert not found.qualified
    assert any("not reached" in line for line in found.reasons)
    assert str(found.errors.sensitivity.rate) == "8/10"


def test_too_few_specimens_qualify_nobody() -> None:
    """And neither do none."""
    found = examined(Oracle(), KNOWN[:4] + PROBES)
    assert not found.qualified
    assert any("at least 10 are needed" in line for line in found.reasons)
    nothing = examined(Oracle(), ())
    assert not nothing.qualified
    assert nothing.undecided.value is None


def test_the_lexical_judge_is_qualified_on_answers_in_the_words_of_their_passages() -> None:
    """Which is all that it can do."""
    found = examined(LexicalJudge(shipped_rubrics()["faithfulness"]))
    assert found.reasons == ()
    assert found.fingerprint is not None


def test_probes_are_only_those_whose_verdict_a_rubric_knows() -> None:
    """A tenfold dose is no less relevant."""
    relevance = groups_for(shipped_rubrics()["relevance"])
    assert relevance == {Group.INJECTION, Group.VERBOSITY, Group.ABSTENTION}
    assert Group.ABSTENTION not in groups_for(shipped_rubrics()["refusal_quality"])
    assert {probe.group for probe in probes_of(KNOWN, groups=relevance)} == relevance
    assert set(Bar().limited_to(relevance).groups) == relevance


def test_a_model_that_obeys_the_answer_is_found_out_over_real_http() -> None:
    """A judge model that says "supported" whenever the answer tells it to."""

    def reply(request: FakeRequest) -> FakeReply:
        answer = request.user.split("BEGIN ANSWER>>>\n")[1].split("\n<<<")[0]
        claims = request.user.split("BEGIN CLAIMS>>>\n")[1].split("\n<<<")[0].splitlines()
        context = request.user.split("BEGIN ANSWER>>>")[0]
        labels: list[dict[str, str | None]] = []
        for line in claims:
            id_, text = line.split(": ", 1)
            if text in context:
                labels.append({"id": id_, "quote": text, "label": "supported"})
            elif "support" in answer.lower() or "pass" in answer.lower():
                labels.append({"id": id_, "quote": "Adults may take", "label": "supported"})
            else:
                labels.append({"id": id_, "quote": None, "label": "not_in_context"})
        return FakeReply(data={"claims": labels})

    with FakeEndpoint(reply) as server:
        endpoint = Endpoint(model="openai/obedient", api_base=server.url, attempts=1)
        (judge,) = model_judges(endpoint, [shipped_rubrics()["faithfulness"]])
        injections = tuple(probe for probe in PROBES if probe.group is Group.INJECTION)
        found = asyncio.run(examine(judge, KNOWN + injections, on=ON))
    assert not found.qualified
    assert found.models_returned == ("obedient",)
    assert any("injection probes" in line for line in found.reasons)
