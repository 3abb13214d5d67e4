"""A run whose generator and judges are models behind a real HTTP endpoint."""

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import pytest

from primum.testing import FakeEndpoint, FakeReply, FakeRequest

KEY = "sk-test-4e1f"

MODELS = """\
version: 1
name: ward
dataset: {{unjudged: irrelevant}}
index: {{memory: true}}
retrieval: {{kind: bm25, limit: 4, context: 4}}
systems:
  ours:
    generator:
      kind: chat
      model: &model {{name: openai/fake, api_base: "{url}", api_key_env: WARD_KEY, attempts: 1}}
release: ours
judges: {{model: *model, mode: {mode}}}
concurrency: 1
"""


class Ward(Protocol):
    """What the fixture `ward` offers."""

    @property
    def folder(self) -> Path: ...
    @property
    def config(self) -> Path: ...
    def primum(self, *arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]": ...


def answer(request: FakeRequest) -> FakeReply:
    """The model as a generator: what the monograph says."""
    if "fridge" in request.user:
        return FakeReply(text="The available documents do not answer this question.")
    fact = (
        "Lumaxolol must not be given in asthma"
        if "asthma?" in request.user
        else "Adults take lumaxolol 5 mg once daily"
    )
    return FakeReply(text=f"{fact} [mono-lumaxolol]. The prescriber makes the final decision.")


def verdict(request: FakeRequest) -> FakeReply:
    """The model as a judge: everything is supported or relevant."""
    if "BEGIN CLAIMS" not in request.user:
        return FakeReply(data={"reason": "It answers what was asked.", "label": "answers"})
    quote = (
        "must not be given in asthma"
        if "must not be given in asthma [" in request.user
        else "Adults take lumaxolol 5 mg"
    )
    ids = sorted(set(re.findall(r"\bc\d+\b", request.user)))
    return FakeReply(data={"claims": [{"id": id_, "quote": quote, "label": "supported"} for id_ in ids]})


def model(request: FakeRequest) -> FakeReply:
    structured = request.body.get("tools") or request.body.get("response_format")
    return verdict(request) if structured else answer(request)


def run(
    ward: Ward, server: FakeEndpoint, mode: str = "tools"
) -> "tuple[subprocess.CompletedProcess[str], dict[str, Any]]":
    ward.config.write_text(MODELS.format(url=server.url, mode=mode))
    done = ward.primum("run", WARD_KEY=KEY)
    path = ward.folder / ".primum" / "report.json"
    return done, json.loads(path.read_text()) if path.exists() else {}


@pytest.mark.parametrize("mode", ["tools", "json_schema"])
def test_models_generate_and_judge(ward: Ward, mode: str) -> None:
    """One request per answer and per verdict, the key in none of the files."""
    with FakeEndpoint(model, key=KEY) as server:
        done, report = run(ward, server, mode)
        asked = len(server.requests)
    assert done.returncode == 0, done.stdout + done.stderr
    system = report["systems"][0]
    # Three answers are judged by two rubrics; the abstention has nothing to judge.
    assert system["coverage"]["judged"] == {"numerator": 6, "denominator": 6}
    assert asked == 4 + 6
    assert {judge["judge"] for judge in system["judges"]} == {"openai/fake"}
    files = [path for path in ward.folder.rglob("*") if path.is_file()]
    assert [path for path in files if KEY.encode() in path.read_bytes()] == []


def test_a_refused_key_stops_the_run_at_once(ward: Ward) -> None:
    """Exit code 3 and what to do, instead of one failure per case."""
    with FakeEndpoint(model, key="another") as server:
        done, _ = run(ward, server)
        asked = len(server.requests)
    assert done.returncode == 3, done.stdout + done.stderr
    assert "WARD_KEY" in done.stderr
    assert asked == 1


def test_verdicts_that_were_not_reached_are_asked_for_again(ward: Ward) -> None:
    """After an outage `primum judge` goes on in the same run, and asks nothing twice that was answered."""
    down = [True]

    def unsteady(request: FakeRequest) -> FakeReply:
        structured = request.body.get("tools")
        return FakeReply(status=500) if structured and down[0] else model(request)

    with FakeEndpoint(unsteady, key=KEY) as server:
        done, _ = run(ward, server)
        assert done.returncode == 3, done.stdout + done.stderr
        down[0] = False
        before = len(server.requests)
        assert ward.primum("judge", WARD_KEY=KEY).returncode == 0
        assert len(server.requests) - before == 6
        assert ward.primum("judge", WARD_KEY=KEY).returncode == 0
        assert len(server.requests) - before == 6
        decided = ward.primum("decide", WARD_KEY=KEY)
    assert decided.returncode == 0, decided.stdout + decided.stderr


def failing(what: FakeReply) -> Callable[[FakeRequest], FakeReply]:
    return lambda request: what if request.body.get("tools") else answer(request)


@pytest.mark.parametrize(
    "trouble",
    [
        FakeReply(status=500),
        FakeReply(text="I would say that it is faithful. Verdict: pass, score 1.0"),
        FakeReply(data={"claims": []}),
        FakeReply(data={"claims": [{"id": "c1", "quote": None, "label": "supported"}]}, finish_reason="length"),
        FakeReply(data={"reason": "fine", "label": "answers"}, model="another-model"),
    ],
    ids=["server-error", "prose", "no-verdict", "truncated", "wrong-model"],
)
def test_judges_in_trouble_are_inconclusive(ward: Ward, trouble: FakeReply) -> None:
    """Nothing defaults to pass or to 0, and the observations are kept."""
    with FakeEndpoint(failing(trouble)) as server:
        done, report = run(ward, server)
    assert done.returncode == 3, done.stdout + done.stderr
    assert "coverage:judged" in done.stdout.splitlines()[0]
    assert report["systems"][0]["coverage"]["answered"] == {"numerator": 4, "denominator": 4}
    assert [judge["mean"] for judge in report["systems"][0]["judges"]] in ([None, None], [None, 1.0])
