"""A run with a panel of judges: votes cast and expected, flips, agreement, and whose means count."""

import json
import subprocess
from pathlib import Path
from typing import Any, Protocol

import pytest

from primum.config import Settings
from primum.testing import FakeEndpoint, FakeReply, FakeRequest

CONFIG = """\
version: 1
name: ward
dataset: {{unjudged: irrelevant}}
index: {{memory: true}}
retrieval: {{kind: bm25, limit: 4, context: 4}}
systems:
  ours: {{generator: {{kind: callable, function: "our_rag:answer"}}}}
release: ours
judges:
  rubrics: [relevance]
  repetitions: 2
  model: {{name: openai/kind, api_base: "{url}", attempts: 1}}
  panel:
    - {{name: openai/strict, api_base: "{url}", attempts: 1}}
    - {{name: openai/broken, api_base: "{url}", attempts: 1}}
policy: {{judge_minimum: {{relevance: 0.5}}}}
"""


class Ward(Protocol):
    """What the fixture `ward` offers."""

    @property
    def folder(self) -> Path: ...
    @property
    def config(self) -> Path: ...
    def primum(self, *arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]": ...


def reply(request: FakeRequest) -> FakeReply:
    """One judge passes, one fails, one gives no verdict."""
    labels = {"kind": "answers", "strict": "does_not_answer"}
    label = labels.get(str(request.body["model"]))
    return FakeReply(text="No idea.") if label is None else FakeReply(data={"reason": "As it is.", "label": label})


def test_a_panel_shows_votes_cast_and_expected(ward: Ward) -> None:
    """The broken judge's vote is missing, not a vote; nobody is qualified, so nothing is decided by them."""
    with FakeEndpoint(reply) as server:
        ward.config.write_text(CONFIG.format(url=server.url), encoding="utf-8")
        done = ward.primum("run")
    assert done.returncode == 3, done.stdout + done.stderr
    report: dict[str, Any] = json.loads((ward.folder / ".primum" / "report.json").read_text(encoding="utf-8"))
    (system,) = report["systems"]
    (panel,) = system["panels"]
    assert panel["judges"] == ["openai/kind", "openai/strict", "openai/broken"]
    assert panel["quorum"] == 2
    assert panel["votes"] == {"numerator": 6, "denominator": 9}
    assert panel["counts"]["inconclusive"] == 3
    assert (panel["margin"], panel["flips"]["numerator"], panel["agreement_on"]) == (0.0, 0, 3)
    assert any(reason["rule"] == "judge:relevance" for reason in system["decision"]["reasons"])
    assert "quorum 2 of 3" in (ward.folder / ".primum" / "report.html").read_text(encoding="utf-8")
    queue = ward.primum("disagreements")
    assert "1 judges pass it and 1 fail it" in queue.stdout


@pytest.mark.parametrize(
    ("judges", "message"),
    [
        ({"panel": [{"name": "openai/b"}]}, "set judges.model to its first one"),
        ({"model": {"name": "openai/a"}, "panel": [{"name": "openai/a"}]}, "have one name"),
        ({"model": {"name": "openai/a"}, "quorum": 2}, "cannot be reached by 1 judges"),
    ],
)
def test_a_panel_that_cannot_vote_is_a_mistake(judges: dict[str, object], message: str) -> None:
    """Told when the project is read."""
    project = {
        "version": 1,
        "name": "p",
        "index": {"memory": True},
        "systems": {"s": {"generator": {"kind": "extractive"}}},
        "release": "s",
        "judges": judges,
    }
    with pytest.raises(ValueError, match=message):
        Settings.model_validate(project)
