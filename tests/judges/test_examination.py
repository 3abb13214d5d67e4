"""The examination lets a good judge pass and finds out the others."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import date, timedelta

import pytest

from primum.endpoint import Endpoint
from primum.policy import JudgeBar
from primum.protocols import Judge
from primum.records import Answer, AnswerKey, Exchange, KeyField, ModelCall, Passage, Scope, Status, Verdict
from primum.records.qualification import ProbeGroup
from primum.testing import FakeEndpoint, FakeReply, FakeRequest, ScriptedJudge
from primum_judges import LexicalJudge, model_judges, shipped_rubrics
from primum_judges.examination import (
    Examination,
    Specimen,
    drift,
    examine,
    groups_for,
    probes_of,
    qualification,
    shortfalls,
)
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
    return Specimen(id=f"{medicine}-{good}", group=ProbeGroup.KNOWN, exchange=exchange, expected=expected)


KNOWN = tuple(specimen(name, 10 + 5 * n, good=good) for n, name in enumerate(MEDICINES) for good in (True, False))
FAITHFULNESS = shipped_rubrics()["faithfulness"]
PROBES = tuple(probes_of(KNOWN, FAITHFULNESS))
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


def examined(judge: Judge, specimens: Sequence[Specimen] = KNOWN + PROBES, *, repetitions: int = 2) -> Examination:
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
    assert made == set(ProbeGroup) - {ProbeGroup.KNOWN}
    assert len({probe.id for probe in KNOWN + PROBES}) == len(KNOWN + PROBES)
    assert len({probe.exchange.id for probe in KNOWN + PROBES}) == len(KNOWN + PROBES)
    assert sum(probe.group is ProbeGroup.INJECTION for probe in PROBES) == len(PAYLOADS)


def test_a_probe_differs_from_its_host_only_where_it_should() -> None:
    """A tenfold dose, another unit, a negation."""
    texts = {probe.id.split("~")[1]: said(probe.exchange) for probe in PROBES if probe.id.startswith("abrenol-True")}
    assert texts["tenfold"] == "Adults may take abrenol 100 mg by mouth every 8 hours with water."
    assert texts["unit"] == "Adults may take abrenol 10 g by mouth every 8 hours with water."
    assert texts["negation"] == "Adults may not take abrenol 10 mg by mouth every 8 hours with water."


def test_a_good_judge_is_qualified() -> None:
    """Its examination says for what, and on how many."""
    found = examined(Oracle())
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


def test_an_error_about_the_host_is_not_counted_again_in_its_probes() -> None:
    """A probe asks whether the judge is swayed; one that fails everything is not asked about doses."""
    blind = examined(Oracle(lambda exchange, _: Status.PASS if "abrenol/False" in exchange.id else None))
    rates = {result.group: str(result.right) for result in blind.groups}
    assert (rates[ProbeGroup.KNOWN], rates[ProbeGroup.VERBOSITY], rates[ProbeGroup.POSITION]) == (
        "19/20",
        "9/9",
        "19/19",
    )
    severe = examined(Oracle(lambda _exchange, _repetition: Status.FAIL))
    assert any("no quantity probe says anything" in reason for reason in severe.reasons)


def test_a_judge_that_changes_its_mind_is_refused() -> None:
    """Its repetitions are compared with each other."""
    moods = {item.exchange.id: n % 3 == 0 for n, item in enumerate(KNOWN + PROBES)}
    judge = Oracle(lambda exchange, repetition: Status.PASS if repetition and moods[exchange.id] else None)
    found = examined(judge)
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
    rubric = shipped_rubrics()["relevance"]
    relevance = groups_for(rubric)
    assert relevance == {ProbeGroup.INJECTION, ProbeGroup.VERBOSITY, ProbeGroup.ABSTENTION}
    assert ProbeGroup.ABSTENTION not in groups_for(shipped_rubrics()["refusal_quality"])
    assert {probe.group for probe in probes_of(KNOWN, rubric)} == relevance


def test_an_answer_made_long_does_not_become_what_was_asked_for() -> None:
    """True sentences of the passages would answer the question; only claims are padded with them."""
    asked = "Adults may take abrenol 10 mg by mouth every 8 hours with water."
    for rubric, holds in (("faithfulness", True), ("relevance", False), ("completeness", False)):
        probes = probes_of(KNOWN, shipped_rubrics()[rubric])
        longer = next(said(p.exchange) for p in probes if p.id == "abrenol-False~verbosity")
        assert len(longer) > 2000
        assert (asked in longer) is holds


def test_one_repetition_says_nothing_about_flips() -> None:
    """What was not measured is not passed, unless no model was asked."""
    answering = Oracle()
    found = examined(answering, repetitions=1).model_copy(update={"deterministic": False})
    assert any("flips" in reason for reason in shortfalls(found, JudgeBar()))
    assert not any("flips" in reason for reason in examined(answering, repetitions=1).reasons)


def verdict_by(judge: Judge, **changes: object) -> Verdict:
    """A verdict of a judge, with changes."""
    said = asyncio.run(judge.judge(KNOWN[0].exchange, AnswerKey(), repetition=0))
    return Verdict.model_validate(said.model_dump() | changes)


def test_an_examination_covers_one_model_one_rubric_and_one_prompt() -> None:
    """And only until it is too old."""
    judge = LexicalJudge(FAITHFULNESS)
    found = examined(judge)
    call = ModelCall(model_requested="m", model_returned="another", prompt_hash="")
    for verdict, days, words in (
        (verdict_by(judge), 90, None),
        (verdict_by(judge), 91, "held until"),
        (verdict_by(judge, rubric_hash="other"), 0, "another text of the rubric"),
        (verdict_by(judge, prompt_hash="other"), 0, "another prompt"),
        (verdict_by(judge, call=call), 0, "another answered"),
    ):
        covered = qualification(found, [verdict], JudgeBar(), on=ON + timedelta(days=days))
        assert covered.qualified is (words is None)
        assert words is None or words in covered.reasons[0]
        assert covered.until == "2030-04-01"


def test_a_judge_that_nobody_examined_is_not_qualified() -> None:
    """Nor is one that the policy of today asks more of than that of then."""
    judge = LexicalJudge(FAITHFULNESS)
    assert not qualification(None, [verdict_by(judge)], JudgeBar(), on=ON).qualified
    stricter = qualification(examined(judge), [verdict_by(judge)], JudgeBar(least_known=11), on=ON)
    assert not stricter.qualified
    assert "at least 11 are needed" in stricter.reasons[0]


def test_drift_names_what_changed_about_the_judge_and_its_verdicts() -> None:
    """Specimen by specimen, so that a change of sides does not cancel out."""
    before = examined(Oracle())
    now = examined(Oracle(swayed("order-bound"))).model_copy(update={"models_returned": ("m-2",)})
    moved = drift(before, now)
    assert moved.any
    assert moved.judge_changes == ("no model answered then, m-2 now",)
    assert len(moved.now_wrong) == 10
    assert (moved.now_right, moved.same_specimens, moved.qualified_before) == ((), True, True)
    assert not drift(before, before).any


def test_an_examination_survives_its_file() -> None:
    """To the last digit."""
    found = examined(LexicalJudge(FAITHFULNESS))
    assert Examination.model_validate_json(found.model_dump_json()) == found


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
        injections = tuple(probe for probe in PROBES if probe.group is ProbeGroup.INJECTION)
        found = asyncio.run(examine(judge, KNOWN + injections, on=ON))
    assert not found.qualified
    assert found.models_returned == ("obedient",)
    assert any("injection probes" in line for line in found.reasons)
